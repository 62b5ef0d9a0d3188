// The pairs of a comparison.
import { useMemo } from "preact/hooks";
import { seriesLabel, valueIn } from "../data/dimensions";
import { type Pair, type Sides, type Value, doOverlap, ratioOf } from "../data/pairs";
import type { Site } from "../data/site";
import { BenchmarkName, cut } from "../frame/name";
import { Change } from "../format/change";
import { human, humanRange } from "../format/unit";
import { useNavigation } from "../state/navigation";
import { type Column, Table } from "./table";

interface PairTableProps {
  site: Site;
  pairs: Pair[];
  sides: Sides;
  names: [string, string] | string[];
}

export function PairTable({ site, pairs, sides, names }: PairTableProps) {
  const { place, change, go, href } = useNavigation();
  const column = place.query.get("sort") ?? "name";
  const order = place.query.get("order");
  const sort = { column, isDescending: column === "name" ? order === "down" : order !== "up" };
  const sorted = useMemo(() => inOrder(pairs, sort.column, sort.isDescending), [pairs, sort.column, sort.isDescending]);
  const columns: Column[] = [
    { id: "name", title: "Benchmark", isSortable: true },
    { id: "series", title: "Series", className: "c-shown" },
    { id: "a", title: `A: ${names[0]}`, className: "c-side number", isSortable: true },
    { id: "b", title: `B: ${names[1]}`, className: "c-side number", isSortable: true },
    { id: "ratio", title: "B to A", className: "c-change number", isSortable: true },
    { id: "apart", title: "Intervals", className: "c-apart", isSortable: true, note: "Whether the two intervals have a value in common. That is no verdict." },
  ];
  const sortBy = (column: string): void => change({ sort: column === "name" ? null : column, order: sort.column === column && order === null ? (column === "name" ? "down" : "up") : null });
  const link = (pair: Pair): string => href("benchmark", linkOf(site, pair, sides));
  return <Table label="Comparison" columns={columns} count={sorted.length} rowHeight_px={36} sort={sort} onSort={sortBy} onOpen={(k) => sorted[k] && go(link(sorted[k]))} cells={(k) => sorted[k] && <Cells site={site} pair={sorted[k]} sides={sides} link={link(sorted[k])} />} />;
}

function Cells({ site, pair, sides, link }: { site: Site; pair: Pair; sides: Sides; link: string }) {
  const overlap = doOverlap(pair);
  const axes = Object.entries(site.axes).filter(([, values]) => values.length > 1).map(([axis]) => `axis.${axis}`);
  const shown = [...pair.benchmark.parameters.map((axis) => `param.${axis.name}`), "machine", ...axes].filter((dimension) => dimension !== sides.by);
  return (
    <>
      <th scope="row"><a href={link}><BenchmarkName benchmark={pair.benchmark} /></a><span class="row-note">{[cut(pair.benchmark.group.join("."), 80), seriesLabel(site, pair.one, shown)].filter(Boolean).join(" · ")}</span></th>
      <td class="c-shown muted">{seriesLabel(site, pair.one, shown)}</td>
      <SideCell value={pair.a} unit={pair.unit} />
      <SideCell value={pair.b} unit={pair.unit} />
      <td class="c-change number"><Change ratio={ratioOf(pair)} /></td>
      <td class="c-apart">{overlap === null ? <span class="muted">–</span> : overlap ? <span class="muted">overlap</span> : <strong>apart</strong>}</td>
    </>
  );
}

function SideCell({ value, unit }: { value: Value | null; unit: string }) {
  if (!value) return <td class="c-side number muted">–</td>;
  const interval = value.lower === null || value.upper === null ? "" : `${humanRange(value.lower, value.upper, unit)} (99 %)`;
  return <td class="c-side number" title={`${interval}${value.isEarlier ? " · measured before this subject" : ""}`}>{value.isEarlier && <span class="earlier muted small"><span>earlier </span></span>}{human(value.value, unit)}</td>;
}

function inOrder(pairs: Pair[], column: string, isDescending: boolean): Pair[] {
  const keys: Record<string, (pair: Pair) => number | null> = {
    a: (pair) => pair.a?.value ?? null,
    b: (pair) => pair.b?.value ?? null,
    ratio: (pair) => ratioOf(pair),
    apart: (pair) => ({ true: 0, false: 1, null: null })[String(doOverlap(pair)) as "true"] ?? null,
  };
  const key = keys[column];
  if (!key) return isDescending ? [...pairs].reverse() : pairs;
  const place = (value: number | null): number => (value === null || !Number.isFinite(value) ? Infinity : isDescending ? -value : value);
  return [...pairs].sort((x, y) => place(key(x)) - place(key(y)) || 0);
}

/** Subjects are held in the chart; other sides are its lines. */
function linkOf(site: Site, pair: Pair, sides: Sides): Record<string, string | string[]> {
  const { one, benchmark } = pair;
  const parameters = benchmark.parameters.map((axis) => [`param.${axis.name}`, valueIn(site, one, `param.${axis.name}`)] as const);
  const own = Object.fromEntries(parameters.filter(([, value]) => value !== ""));
  if (sides.by === "commit") return { name: benchmark.name, machine: valueIn(site, one, "machine"), ...own, a: sides.a, b: sides.b };
  const machine: Record<string, string> = sides.by === "machine" ? {} : { machine: valueIn(site, one, "machine") };
  return { name: benchmark.name, ...machine, ...own, [sides.by]: [sides.a, sides.b] };
}
