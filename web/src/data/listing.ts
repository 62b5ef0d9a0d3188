// The rows of the list of benchmarks: filtered, sorted, grouped.
import { passes } from "./dimensions";
import type { Benchmark, SeriesOf, Site, SiteSeries } from "./site";
import { searched } from "./search";
import { monthVerdicts } from "./verdicts";

export interface Entry {
  benchmark: Benchmark;
  /** The series that stands for the row: of those that pass, one that changed lastingly within a month, or else the one that moved most. */
  series: SiteSeries;
  n_series: number;
  ratio: number | null;
  verdict: string | undefined;
}

export interface GroupRow {
  group: string;
  count: number;
  n_slower: number;
  n_faster: number;
}

export type Row = { entry: Entry; group?: undefined } | { entry?: undefined; group: GroupRow };

export interface Choice {
  text: string;
  tag: string;
  filters: Map<string, Set<string>>;
  rows: "benchmarks" | "series";
  group: "none" | "module" | "class";
  sort: string;
  isDescending: boolean;
}

/** Returns the entries that a choice lets through, in its order. */
export function entries(site: Site, choice: Choice): Entry[] {
  const verdicts = monthVerdicts(site);
  const benchmarks = searched(site.benchmarks, choice.text).filter((one) => choice.tag === "" || one.tags.includes(choice.tag));
  const found = benchmarks.flatMap((benchmark) => {
    const passing = benchmark.series.filter((series) => passes(site, { benchmark, series }, choice.filters));
    if (choice.rows === "series") return passing.map((series) => ({ benchmark, series, n_series: 1, ratio: monthRatio(series), verdict: verdicts.get(series.id) }));
    return passing.length === 0 ? [] : [folded(benchmark, passing, verdicts)];
  });
  return sorted(found, choice);
}

/** Returns the rows with a heading before each group; groups in `closed` show only their heading. */
export function groupedRows(list: Entry[], choice: Choice, closed: Set<string>): Row[] {
  if (choice.group === "none") return list.map((entry) => ({ entry }));
  const groups = new Map<string, Entry[]>();
  for (const entry of list) {
    const name = groupName(entry.benchmark, choice.group);
    groups.set(name, [...(groups.get(name) ?? []), entry]);
  }
  return [...groups].flatMap(([group, own]): Row[] => {
    const heading = { group: { group, count: own.length, n_slower: own.filter((one) => one.verdict === "slower").length, n_faster: own.filter((one) => one.verdict === "faster").length } };
    return closed.has(group) ? [heading] : [heading, ...own.map((entry) => ({ entry }))];
  });
}

/** Returns the last value as a ratio to that of a month before. */
export function monthRatio(series: SiteSeries): number | null {
  return series.last === null || series.month_ago === null || series.month_ago <= 0 ? null : series.last / series.month_ago;
}

function folded(benchmark: Benchmark, passing: SiteSeries[], verdicts: Map<number, string>): Entry {
  const distance = (series: SiteSeries): number => {
    const ratio = monthRatio(series);
    return ratio === null || ratio <= 0 ? -1 : Math.abs(Math.log(ratio));
  };
  const changed = passing.filter((one) => verdicts.has(one.id));
  const series = (changed.length > 0 ? changed : passing).reduce((best, one) => (distance(one) > distance(best) ? one : best));
  return { benchmark, series, n_series: passing.length, ratio: monthRatio(series), verdict: verdicts.get(series.id) };
}

function sorted(list: Entry[], { sort, isDescending }: Choice): Entry[] {
  const keys: Record<string, (entry: Entry) => number | null> = {
    last: (entry) => entry.series.last,
    change: (entry) => worsening(entry),
    series: (entry) => entry.n_series,
    newest: (entry) => entry.series.last_position,
  };
  const key = keys[sort];
  if (!key) return sort === "name" && isDescending ? [...list].reverse() : list;
  const sign = isDescending ? -1 : 1;
  // What has no number stands last in both orders.
  const place = (value: number | null): number => (value === null || Number.isNaN(value) ? Infinity : value * sign);
  return [...list].sort((a, b) => place(key(a)) - place(key(b)) || 0);
}

/** Positive where it got worse: slower, or a lower score. */
function worsening({ ratio, benchmark }: Entry): number | null {
  if (ratio === null || ratio <= 0) return null;
  return Math.log(ratio) * (benchmark.direction === "higher" ? -1 : 1);
}

function groupName(benchmark: Benchmark, by: "module" | "class"): string {
  if (benchmark.group.length === 0) return "(none)";
  return by === "class" ? benchmark.group.join(".") : benchmark.group[0]!;
}

export type { SeriesOf };
