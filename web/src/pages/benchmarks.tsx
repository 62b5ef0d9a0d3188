// Every benchmark, as a list or as a grid of sparklines.
import { useMemo, useState } from "preact/hooks";
import { type Choice, type Row, entries, groupedRows } from "../data/listing";
import type { Site } from "../data/site";
import { Select, Segments } from "../frame/controls";
import { counted } from "../format/unit";
import { literalText } from "../format/literal";
import { useNavigation } from "../state/navigation";
import { choice, filters } from "../state/route";
import { BenchmarkGrid } from "../table/grid";
import { BenchmarkTable } from "../table/benchmarks";

const SORTS = ["name", "last", "change", "series", "newest"] as const;

export function Benchmarks({ site }: { site: Site }) {
  const { place, change } = useNavigation();
  const { query } = place;
  const [closed, setClosed] = useState(new Set<string>());
  const view = choice(query, "view", ["list", "grid"]);
  const chosen = useMemo(() => chosenFrom(query), [query.toString()]);
  const found = useMemo(() => entries(site, chosen), [site, chosen]);
  const rows = useMemo(() => groupedRows(found, chosen, closed), [found, chosen, closed]);
  const toggleGroup = (group: string): void => {
    const next = new Set(closed);
    if (!next.delete(group)) next.add(group);
    setClosed(next);
  };
  const sort = (column: string): void => {
    const isSame = chosen.sort === column;
    // Numbers begin with the largest, names with the first.
    const isDescending = isSame ? !chosen.isDescending : column !== "name";
    change({ sort: column === "name" ? null : column, order: isDescending === (column !== "name") ? null : isDescending ? "down" : "up" });
  };
  return (
    <>
      <div class="title-row">
        <h1>Benchmarks</h1>
        <p class="muted" role="status">{summary(site, rows, found.length, chosen)}</p>
        <span class="bar-space" />
        <Segments label="" value={chosen.rows} options={words("benchmarks", "series")} onChange={(next) => change({ rows: next === "benchmarks" ? null : next })} />
        <Segments label="" value={view} options={words("list", "grid")} onChange={(next) => change({ view: next === "list" ? null : next })} />
      </div>
      <Toolbar site={site} chosen={chosen} />
      {found.length === 0 ? (
        <p class="empty">Nothing matches. <button type="button" class="link" onClick={() => change(Object.fromEntries([...query.keys()].filter((name) => name !== "theme").map((name) => [name, null])))}>Show all benchmarks</button></p>
      ) : view === "grid" ? (
        <BenchmarkGrid site={site} found={found} filters={chosen.filters} />
      ) : (
        <BenchmarkTable site={site} rows={rows} chosen={chosen} closed={closed} onSort={sort} onToggle={toggleGroup} />
      )}
    </>
  );
}

function Toolbar({ site, chosen }: { site: Site; chosen: Choice }) {
  const { place, change } = useNavigation();
  const view = choice(place.query, "view", ["list", "grid"]);
  const tags = useMemo(() => [...new Set(site.benchmarks.flatMap((benchmark) => benchmark.tags))].sort(), [site]);
  const dimensions = [
    { name: "machine", label: "Machine", values: site.machines.map((machine) => machine.name) },
    ...Object.entries(site.axes).map(([axis, values]) => ({ name: `axis.${axis}`, label: axis, values })),
    { name: "metric", label: "Metric", values: site.metrics.map((metric) => metric.name) },
  ].filter(({ values }) => values.length > 1);
  return (
    <div class="toolbar" role="search">
      <input type="search" data-search aria-label="Search benchmarks" placeholder="Search   /" value={chosen.text} spellcheck={false} autocomplete="off" onInput={(event) => change({ q: event.currentTarget.value }, true)} onKeyDown={(event) => ["Escape", "Enter"].includes(event.key) && event.currentTarget.blur()} />
      {dimensions.map(({ name, label, values }) => (
        <Select key={name} label={label} value={[...(chosen.filters.get(name) ?? [])][0] ?? ""} options={[{ value: "", text: "any" }, ...values.map((value) => ({ value, text: metricText(site, name, value) }))]} onChange={(value) => change({ [name]: value })} />
      ))}
      {tags.length > 0 && <Select label="Tag" value={chosen.tag} options={["", ...tags].map((tag) => ({ value: tag, text: tag || "any" }))} onChange={(tag) => change({ tag })} />}
      <span class="bar-space" />
      {view === "list" && <Select label="Group" value={chosen.group} options={words("none", "module", "class")} onChange={(group) => change({ group: group === "none" ? null : group })} />}
    </div>
  );
}

function chosenFrom(query: URLSearchParams): Choice {
  const sort = choice(query, "sort", SORTS);
  const order = query.get("order");
  return {
    text: query.get("q") ?? "",
    tag: query.get("tag") ?? "",
    filters: filters(query),
    rows: choice(query, "rows", ["benchmarks", "series"]),
    group: choice(query, "group", ["none", "module", "class"]),
    sort,
    isDescending: order === null ? sort !== "name" : order === "down",
  };
}

function summary(site: Site, rows: Row[], n_found: number, chosen: Choice): string {
  const groups = rows.filter((row) => row.group).length;
  const of = chosen.rows === "series" ? counted(site.n_series, "series", "series") : counted(site.benchmarks.length, "benchmark");
  const shown = n_found === (chosen.rows === "series" ? site.n_series : site.benchmarks.length) ? of : `${n_found} of ${of}`;
  return groups > 0 ? `${shown} in ${counted(groups, "group")}` : shown;
}

function metricText(site: Site, dimension: string, value: string): string {
  return dimension === "metric" ? (site.metrics.find((metric) => metric.name === value)?.label ?? value) : literalText(value);
}

function words(...list: string[]): { value: string; text: string }[] {
  return list.map((word) => ({ value: word, text: word }));
}
