// What tells series apart: benchmark, metric, machine, the axes of environments and the parameters of benchmarks.
import type { Benchmark, SeriesOf, Site } from "./site";
import { compareTexts, literalNumber, literalText } from "../format/literal";

/** `benchmark`, `metric`, `machine`, `axis.NAME` or `param.NAME`: also its name in addresses. */
export type Dimension = string;

/** Returns the dimensions of some benchmarks, those that are most often compared first. */
export function dimensionsOf(site: Site, benchmarks: Benchmark[]): Dimension[] {
  const parameters = new Set(benchmarks.flatMap((benchmark) => benchmark.parameters.map((axis) => `param.${axis.name}`)));
  const axes = Object.keys(site.axes).map((axis) => `axis.${axis}`);
  return ["machine", ...axes, ...parameters, "benchmark", "metric"];
}

/** Returns the words for a dimension. */
export function dimensionName(dimension: Dimension): string {
  return dimension.replace(/^(axis|param)\./, "");
}

/** Returns the text that a series has in a dimension; empty where it has none. */
export function valueIn(site: Site, { benchmark, series }: SeriesOf, dimension: Dimension): string {
  if (dimension === "benchmark") return benchmark.name;
  if (dimension === "metric") return site.metrics[series.metric]?.name ?? "";
  if (dimension === "machine") return site.machines[series.machine]?.name ?? "";
  if (dimension.startsWith("axis.")) return site.environments[series.environment]?.[dimension.slice(5)] ?? "";
  const at = benchmark.parameters.findIndex((axis) => `param.${axis.name}` === dimension);
  return at < 0 ? "" : (benchmark.parameters[at]!.values[series.parameters[at] ?? -1] ?? "");
}

/** Returns the values that series take in a dimension: in the order of numbers, else as they are declared. */
export function valuesIn(site: Site, list: SeriesOf[], dimension: Dimension): string[] {
  const values = [...new Set(list.map((one) => valueIn(site, one, dimension)))];
  const declared = declaredOrder(site, list, dimension);
  const isNumeric = values.every((value) => value === "" || literalNumber(value) !== null);
  if (isNumeric && dimension !== "machine") return values.sort(compareTexts);
  return values.sort((a, b) => declared.indexOf(a) - declared.indexOf(b));
}

/** Returns the dimensions in which series differ, each with its values. */
export function varying(site: Site, list: SeriesOf[], dimensions: Dimension[]): { dimension: Dimension; values: string[] }[] {
  return dimensions
    .map((dimension) => ({ dimension, values: valuesIn(site, list, dimension) }))
    .filter(({ values }) => values.length > 1);
}

/** Tells whether a series passes filters: each dimension lets some values through. */
export function passes(site: Site, one: SeriesOf, filters: Map<string, Set<string>>): boolean {
  for (const [dimension, values] of filters) {
    if (!values.has(valueIn(site, one, dimension))) return false;
  }
  return true;
}

/** Returns what tells a series of a benchmark from its others, in words: `n 100 · lab · python 3.12`. */
export function seriesLabel(site: Site, one: SeriesOf, dimensions: Dimension[]): string {
  return dimensions
    .map((dimension) => [dimension, valueIn(site, one, dimension)] as const)
    .filter(([, value]) => value !== "")
    .map(([dimension, value]) => valueLabel(site, dimension, value))
    .join(" · ");
}

/** Returns a value with the name of its dimension, where the value alone would not tell. */
export function valueLabel(site: Site, dimension: Dimension, value: string): string {
  const text = literalText(value);
  if (dimension === "metric") return site.metrics.find((metric) => metric.name === value)?.label ?? value;
  return /^(axis|param)\./.test(dimension) ? `${dimensionName(dimension)} ${text}` : text;
}

/** Returns the unit of a series: the benchmark's own for its first metric, the metric's for the others. */
export function unitOf(site: Site, { benchmark, series }: SeriesOf): string {
  const metric = site.metrics[series.metric];
  return metric && metric.name !== benchmark.metrics[0] ? metric.unit : benchmark.unit;
}

/** Returns a text that names a series and stays the same from publish to publish. */
export function seriesKey(site: Site, one: SeriesOf): string {
  const environment = site.environments[one.series.environment] ?? {};
  const parts = one.benchmark.parameters.map((axis) => [`param.${axis.name}`, valueIn(site, one, `param.${axis.name}`)]);
  const axes = Object.keys(environment).sort().map((axis) => [`axis.${axis}`, environment[axis]!]);
  return JSON.stringify([one.benchmark.name, valueIn(site, one, "metric"), valueIn(site, one, "machine"), ...axes, ...parts]);
}

function declaredOrder(site: Site, list: SeriesOf[], dimension: Dimension): string[] {
  if (dimension === "machine") return site.machines.map((machine) => machine.name);
  if (dimension === "metric") return site.metrics.map((metric) => metric.name);
  if (dimension.startsWith("axis.")) return site.axes[dimension.slice(5)] ?? [];
  const benchmarks = new Set(list.map((one) => one.benchmark));
  if (dimension === "benchmark") return [...benchmarks].map((benchmark) => benchmark.name);
  return [...benchmarks].flatMap((b) => b.parameters.filter((a) => `param.${a.name}` === dimension).flatMap((a) => a.values));
}
