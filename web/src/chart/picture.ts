// From the address to what is drawn: which series, as which lines, in which facets.
import { useMemo } from "preact/hooks";
import { type Analysis, loadAnalysis } from "../data/analysis";
import { type Dimension, dimensionsOf, passes, seriesKey, valueLabel, varying as varyingOf } from "../data/dimensions";
import { type Points, loadPoints } from "../data/results";
import type { Benchmark, SeriesOf, Site } from "../data/site";
import { type Subject, type Subjects, loadSubjects } from "../data/subjects";
import { literalNumber } from "../format/literal";
import { shortSubject } from "../format/subject";
import { useLoaded } from "../state/loaded";
import { filters as filtersOf } from "../state/route";
import { type ChartChoice, chartChoice } from "./choice";
import { type At, type Encoding, type Line, linesOverParameter, linesOverTime } from "./lines";
import { normalised } from "./normalise";

export interface Picture {
  choice: ChartChoice;
  filters: Map<string, Set<string>>;
  varying: Varying;
  varyingShown: Varying;
  parameters: Dimension[];
  encoding: Encoding;
  lines?: Line[];
  n_left_out: number;
  subjects?: Subjects;
  analysis?: Analysis;
  a?: Subject;
  b?: Subject;
  heldLine?: Line;
  error?: Error;
  facetsOf(lines: Line[]): { key: string; title: string; lines: Line[] }[];
}

type Varying = { dimension: Dimension; values: string[] }[];

/** So many lines are drawn without being asked for. */
const MAX_LINES = 48;

export function usePicture(site: Site, benchmarks: Benchmark[], query: URLSearchParams): Picture {
  const names = benchmarks.map((benchmark) => benchmark.name).join("\n");
  const points = useLoaded(() => allPoints(benchmarks), names);
  const subjects = useLoaded(loadSubjects, "subjects");
  const analysis = useLoaded(loadAnalysis, "analysis");
  // Names of series that were held or hidden change nothing about what is read.
  const told = relevant(query);
  const still = useMemo(() => chosen(site, benchmarks, query), [site, names, told]);
  const lines = useMemo(() => (points.value && subjects.value ? drawn(site, still, points.value, subjects.value, query) : undefined), [still, points.value, subjects.value]);
  const [a, b] = ["a", "b"].map((side) => (query.get(side) ? subjects.value?.find(query.get(side)!) : undefined));
  const held = query.get("s");
  const heldLine = lines?.find((line) => seriesKey(site, line.one) === held) ?? (lines?.length === 1 ? lines[0] : undefined);
  const error = points.error ?? subjects.error;
  return { ...still, lines, subjects: subjects.value, analysis: analysis.value, a, b, heldLine, error, facetsOf: (list) => facetsOf(site, list, still.encoding) };
}

type Chosen = Pick<Picture, "choice" | "filters" | "varying" | "varyingShown" | "parameters" | "encoding" | "n_left_out"> & { list: SeriesOf[] };

function chosen(site: Site, benchmarks: Benchmark[], query: URLSearchParams): Chosen {
  const all = benchmarks.flatMap((benchmark) => benchmark.series.map((series) => ({ benchmark, series })));
  const filters = filtersOf(query);
  const dimensions = dimensionsOf(site, benchmarks);
  const passing = all.filter((one) => passes(site, one, filters));
  const varying = varyingOf(site, all, dimensions);
  const varyingShown = varyingOf(site, passing, dimensions);
  const parameters = varying.filter(({ dimension, values }) => dimension.startsWith("param.") && values.every((value) => value === "" || literalNumber(value) !== null)).map(({ dimension }) => dimension);
  const choice = chartChoice(query, parameters, presetScale(passing, query));
  const isOverParameter = choice.x.startsWith("param.");
  const list = query.get("all") === "1" || isOverParameter ? passing : passing.slice(0, MAX_LINES);
  return { choice, filters, varying, varyingShown, parameters, encoding: encodingOf(choice, varyingShown), list, n_left_out: passing.length - list.length };
}

/** Values that lie this far apart need a logarithm to be seen beside each other. */
const MAX_LINEAR_SPAN = 25;

function presetScale(list: SeriesOf[], query: URLSearchParams): ChartChoice["y"] {
  const values = list.map(({ series }) => series.last).filter((value) => value !== null);
  const isWide = values.length > 1 && values.every((value) => value > 0) && Math.max(...values) > MAX_LINEAR_SPAN * Math.min(...values);
  const isOneUnit = new Set(list.map(({ series }) => series.metric)).size === 1;
  return isWide && isOneUnit && !query.get("norm") ? "log" : "linear";
}

/** Picks what colour and dash stand for where nothing was chosen: the first dimension that varies, and the second. */
function encodingOf(choice: ChartChoice, varying: Varying): Encoding {
  const free = varying.map(({ dimension }) => dimension).filter((dimension) => dimension !== choice.x);
  const several = free.includes("benchmark") ? ["benchmark", ...free.filter((one) => one !== "benchmark")] : free;
  const known = (dimension: Dimension | null, preset: Dimension): Dimension => (dimension === null ? preset : free.includes(dimension) ? dimension : "");
  const facet = known(choice.facet, "");
  const rest = several.filter((dimension) => dimension !== facet);
  const color = known(choice.color, rest[0] ?? "");
  const dash = known(choice.dash, rest.find((dimension) => dimension !== color) ?? color);
  return { color, dash, facet, named: free, values: new Map(varying.map(({ dimension, values }) => [dimension, values])) };
}

function drawn(site: Site, { choice, encoding, list }: Chosen, points: Map<number, Points>, subjects: Subjects, query: URLSearchParams): Line[] {
  const lines = choice.x.startsWith("param.") ? linesOverParameter(site, list, points, encoding, choice.x, places(subjects, query)) : linesOverTime(site, list, points, encoding);
  return normalised(site, subjects, lines, choice.norm);
}

/** Over a parameter, the newest values are drawn, or those at the subjects that are held. */
function places(subjects: Subjects, query: URLSearchParams): At[] {
  const held = ["a", "b"].flatMap((side) => (query.get(side) ? (subjects.find(query.get(side)!) ?? []) : []));
  if (held.length === 0) return [{ position: null, label: "newest" }];
  return held.map((subject) => ({ position: subject.position, label: subject.tags[0] ?? shortSubject(subject.subject) }));
}

/** What has another unit has another axis, whatever was chosen. */
function facetsOf(site: Site, lines: Line[], { facet }: Encoding): { key: string; title: string; lines: Line[] }[] {
  const facets = new Map<string, { key: string; title: string; lines: Line[] }>();
  const units = new Set(lines.map((line) => line.unit));
  for (const line of lines) {
    const key = `${line.facet}\n${line.unit}`;
    const words = [facet && valueLabel(site, facet, line.facet), units.size > 1 ? line.unit : ""].filter(Boolean).join(" · ");
    if (!facets.has(key)) facets.set(key, { key, title: words, lines: [] });
    facets.get(key)!.lines.push(line);
  }
  return [...facets.values()];
}

async function allPoints(benchmarks: Benchmark[]): Promise<Map<number, Points>> {
  const maps = await Promise.all(benchmarks.map(loadPoints));
  return new Map(maps.flatMap((map) => [...map]));
}

function relevant(query: URLSearchParams): string {
  const next = new URLSearchParams(query);
  const isOverParameter = next.get("x")?.startsWith("param.");
  for (const name of ["hide", "s", "theme", ...(isOverParameter ? [] : ["a", "b"])]) next.delete(name);
  return next.toString();
}
