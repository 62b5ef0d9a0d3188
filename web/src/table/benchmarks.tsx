// The list of benchmarks, a row each, with headings of groups between them.
import { Spark } from "../chart/spark";
import { seriesLabel, unitOf } from "../data/dimensions";
import type { Choice, Entry, GroupRow, Row } from "../data/listing";
import type { SeriesOf, Site } from "../data/site";
import { BenchmarkName, cut } from "../frame/name";
import { Change } from "../format/change";
import { human } from "../format/unit";
import { useNavigation } from "../state/navigation";
import type { Patch } from "../state/route";
import { type Column, Table } from "./table";

interface BenchmarkTableProps {
  site: Site;
  rows: Row[];
  chosen: Choice;
  closed: Set<string>;
  onSort(column: string): void;
  onToggle(group: string): void;
}

const ROW_PX = 36;

const COLUMNS: Column[] = [
  { id: "name", title: "Benchmark", className: "c-name", isSortable: true },
  { id: "series", title: "Series", className: "c-series number", isSortable: true, note: "How many series it has: cases, machines, environments" },
  { id: "shown", title: "Series shown", className: "c-shown", note: "Of its series, one that changed lastingly within a month, or else the one that moved most: the figures are its own" },
  { id: "spark", title: "History", className: "c-spark" },
  { id: "last", title: "Last", className: "c-last number", isSortable: true },
  { id: "change", title: "In a month", className: "c-change number", isSortable: true, note: "The last value against the level 30 days before; a word stands where a lasting change was found since" },
];

export function BenchmarkTable({ site, rows, chosen, closed, onSort, onToggle }: BenchmarkTableProps) {
  const { go, href } = useNavigation();
  const left = [chosen.rows === "series" ? "series" : "", isPlain(site) ? "shown" : ""];
  const columns = COLUMNS.filter((column) => !left.includes(column.id));
  const open = (k: number): void => {
    const row = rows[k];
    if (row?.entry) go(href("benchmark", linkOf(site, row.entry, chosen)));
    else if (row?.group) onToggle(row.group.group);
  };
  const cells = (k: number) => {
    const row = rows[k];
    if (!row) return null;
    if (row.group) return <GroupCells row={row.group} n={columns.length} isClosed={closed.has(row.group.group)} onToggle={onToggle} />;
    return <EntryCells site={site} entry={row.entry} chosen={chosen} />;
  };
  return (
    <Table
      label="Benchmarks"
      columns={columns}
      count={rows.length}
      rowHeight_px={ROW_PX}
      sort={{ column: chosen.sort, isDescending: chosen.isDescending }}
      onSort={onSort}
      cells={cells}
      rowClass={(k) => (rows[k]?.group ? "group-row" : "")}
      onOpen={open}
    />
  );
}

function GroupCells({ row, n, isClosed, onToggle }: { row: GroupRow; n: number; isClosed: boolean; onToggle(group: string): void }) {
  return (
    <>
    <th scope="rowgroup" colSpan={3}>
      <button type="button" aria-expanded={!isClosed} onClick={() => onToggle(row.group)}>
        <span class="twist" aria-hidden="true">{isClosed ? "▸" : "▾"}</span>
        <span class="own">{row.group}</span>
        <span class="muted">{row.count}</span>
        {row.n_slower > 0 && <span class="pill worse">{row.n_slower} slower</span>}
        {row.n_faster > 0 && <span class="pill better">{row.n_faster} faster</span>}
      </button>
    </th>
    {n > 3 && <td class="rest" colSpan={n - 3} />}
    </>
  );
}

function EntryCells({ site, entry, chosen }: { site: Site; entry: Entry; chosen: Choice }) {
  const { href } = useNavigation();
  const { benchmark, series, n_series, ratio, verdict } = entry;
  const unit = unitOf(site, entry);
  const isBroken = series.state !== "measured";
  return (
    <>
      <th scope="row" class="c-name">
        <a href={href("benchmark", linkOf(site, entry, chosen))}><BenchmarkName benchmark={benchmark} isGrouped={chosen.group === "class"} /></a>
        <span class="row-note">{[chosen.group === "class" ? "" : cut(benchmark.group.slice(chosen.group === "module" ? 1 : 0).join("."), 80), entryLabel(site, entry)].filter(Boolean).join(" · ")}</span>
      </th>
      {chosen.rows === "benchmarks" && <td class="c-series number muted">{n_series}</td>}
      {!isPlain(site) && <td class="c-shown muted">{entryLabel(site, entry)}</td>}
      <td class="c-spark"><Spark values={series.spark} /></td>
      <td class="c-last number">{isBroken && <span class="pill state">{series.state.replace("_", " ")}</span>}{series.last === null ? "–" : human(series.last, unit)}</td>
      <td class="c-change number"><Change ratio={ratio} verdict={verdict} /></td>
    </>
  );
}

const plain = new WeakMap<Site, boolean>();

/** Tells whether every benchmark has one series of each metric, so that nothing has to be said to tell them apart. */
function isPlain(site: Site): boolean {
  if (!plain.has(site)) {
    const isOne = site.machines.length < 2 && Object.values(site.axes).every((values) => values.length < 2);
    plain.set(site, isOne && site.benchmarks.every((benchmark) => benchmark.parameters.length === 0));
  }
  return plain.get(site)!;
}

/** Returns the words for the series that stands for a row: its case, its machine, and axes that differ. */
export function entryLabel(site: Site, entry: SeriesOf): string {
  const axes = Object.entries(site.axes).filter(([, values]) => values.length > 1).map(([axis]) => `axis.${axis}`);
  const parameters = entry.benchmark.parameters.map((axis) => `param.${axis.name}`);
  const machine = site.machines.length > 1 ? ["machine"] : [];
  return seriesLabel(site, entry, [...parameters, ...machine, ...axes]);
}

/** Filters of the list go on to the chart; a row of one series shows that one. */
export function linkOf(site: Site, entry: Entry, chosen: Pick<Choice, "filters" | "rows">): Patch {
  const kept = Object.fromEntries([...chosen.filters].map(([name, values]) => [name, [...values]]));
  if (chosen.rows === "benchmarks") return { name: entry.benchmark.name, ...kept };
  const { benchmark, series } = entry;
  const parameters = benchmark.parameters.map((axis, k) => [`param.${axis.name}`, axis.values[series.parameters[k] ?? -1] ?? ""]);
  const axes = Object.entries(site.environments[series.environment] ?? {}).map(([axis, value]) => [`axis.${axis}`, value]);
  return { name: benchmark.name, ...Object.fromEntries([...parameters, ...axes]), machine: site.machines[series.machine]?.name ?? "" };
}
