// The first file of the site: machines, axes, metrics, and every benchmark with its series. Written by `tacho publish`.
import { json } from "./json";
import { sparkValues } from "./spark";

export interface Site {
  schema: string;
  tool_version: string;
  project: { name: string; url: string | null; commit_url: string | null; range_url: string | null };
  n_series: number;
  n_points: number;
  n_subjects: number;
  newest: { position: number; subject: string; short: string; time: string | null } | null;
  machines: Machine[];
  axes: Record<string, string[]>;
  metrics: Metric[];
  environments: Record<string, string>[];
  benchmarks: Benchmark[];
  groups: ChangeGroup[];
}

export interface Machine {
  name: string;
  last_run: string | null;
  last_position: number | null;
  n_series: number;
  n_points: number;
  is_stale: boolean;
  facts: Record<string, string>;
  facts_history: { position: number; facts: Record<string, string> }[];
}

export interface Metric {
  name: string;
  unit: string;
  label: string;
}

export interface Benchmark {
  name: string;
  label: string;
  group: string[];
  tags: string[];
  parameters: { name: string; values: string[] }[];
  metrics: string[];
  unit: string;
  direction: Direction;
  file: number;
  first_row: number;
  n_rows: number;
  csv: string | null;
  series: SiteSeries[];
  /** The place in `Site.benchmarks`; added when the file is read. */
  index: number;
}

export type Direction = "lower" | "higher" | "none";

export interface SiteSeries {
  id: number;
  parameters: number[];
  metric: number;
  machine: number;
  environment: number;
  last: number | null;
  last_position: number | null;
  month_ago: number | null;
  state: string;
  /** Values between 0 and 1, oldest first; null where nothing is. In the file a text may stand for them: see `spark.ts`. */
  spark: (number | null)[];
}

export interface ChangeGroup {
  from: string | null;
  to: string;
  position: number;
  time: string | null;
  title: string | null;
  n_candidates: number | null;
  machine_events: string[];
  changes: GroupedChange[];
}

export interface GroupedChange {
  benchmark: number;
  series: number;
  effect: number | null;
  lower: number | null;
  upper: number | null;
  verdict: string;
  state: string;
  before: number | null;
  after: number | null;
  first: number;
  last: number;
}

let site: Promise<Site> | undefined;

/** Returns the site's first file; it is fetched once. */
export function loadSite(): Promise<Site> {
  site ??= json<Site>("data/site.json", "tacho.site/1").then(indexed);
  return site;
}

function indexed(site: Site): Site {
  site.benchmarks.forEach((benchmark, index) => {
    benchmark.index = index;
    for (const series of benchmark.series) series.spark = sparkValues(series.spark);
  });
  return site;
}

/** A series with its benchmark. */
export interface SeriesOf {
  benchmark: Benchmark;
  series: SiteSeries;
}

const byId = new WeakMap<Site, Map<number, SeriesOf>>();

/** Returns the series with an identifier, the number that it has in this publication. */
export function seriesById(site: Site, id: number): SeriesOf | undefined {
  let found = byId.get(site);
  if (!found) {
    found = new Map(site.benchmarks.flatMap((benchmark) => benchmark.series.map((series) => [series.id, { benchmark, series }])));
    byId.set(site, found);
  }
  return found.get(id);
}
