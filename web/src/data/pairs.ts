// Two sides of a comparison, paired: series by series at two subjects, or series that differ in one dimension.
import { type Dimension, passes, unitOf, valueIn } from "./dimensions";
import type { Points } from "./results";
import type { Benchmark, SeriesOf, Site } from "./site";

export interface Sides {
  /** `commit`, or a dimension. */
  by: "commit" | Dimension;
  a: string;
  b: string;
  /** Positions of the sides' subjects; null for the newest of each series. */
  aPosition: number | null;
  bPosition: number | null;
  filters: Map<string, Set<string>>;
}

export interface Value {
  value: number;
  lower: number | null;
  upper: number | null;
  /** Whether it was measured before the subject that was asked for, and not at it. */
  isEarlier: boolean;
}

export interface Pair {
  benchmark: Benchmark;
  /** Series of the sides; the same one where subjects are compared. */
  one: SeriesOf;
  other: SeriesOf;
  unit: string;
  a: Value | null;
  b: Value | null;
}

/** Returns the pairs of a benchmark, without values. */
export function pairsOf(site: Site, benchmark: Benchmark, sides: Sides): Pair[] {
  const passing = benchmark.series.map((series) => ({ benchmark, series })).filter((one) => passes(site, one, sides.filters));
  const pair = (one: SeriesOf, other: SeriesOf): Pair => ({ benchmark, one, other, unit: unitOf(site, one), a: null, b: null });
  if (sides.by === "commit") return passing.map((one) => pair(one, one));
  const others = new Map(passing.filter((one) => valueIn(site, one, sides.by) === sides.b).map((one) => [besides(site, one, sides.by), one]));
  return passing.filter((one) => valueIn(site, one, sides.by) === sides.a).flatMap((one) => {
    const other = others.get(besides(site, one, sides.by));
    return other ? [pair(one, other)] : [];
  });
}

/** Fills in the values of pairs from the points of their benchmark. */
export function withPoints(pairs: Pair[], points: Map<number, Points>, sides: Sides): Pair[] {
  return pairs.map((pair) => ({ ...pair, a: valueAt(points.get(pair.one.series.id), sides.aPosition), b: valueAt(points.get(pair.other.series.id), sides.bPosition) }));
}

/** Fills in the last values, which are there before any point is read. */
export function withLast(pairs: Pair[]): Pair[] {
  const last = ({ series }: SeriesOf): Value | null => (series.last === null ? null : { value: series.last, lower: null, upper: null, isEarlier: false });
  return pairs.map((pair) => ({ ...pair, a: last(pair.one), b: last(pair.other) }));
}

/** Returns B divided by A. */
export function ratioOf({ a, b }: Pair): number | null {
  return a && b && a.value !== 0 ? b.value / a.value : null;
}

/** Tells whether the two intervals have a value in common; null where one is not known. */
export function doOverlap({ a, b }: Pair): boolean | null {
  if (!a || !b || a.lower === null || a.upper === null || b.lower === null || b.upper === null) return null;
  return a.lower <= b.upper && b.lower <= a.upper;
}

function valueAt(points: Points | undefined, position: number | null): Value | null {
  if (!points) return null;
  for (let k = points.positions.length - 1; k >= 0; k--) {
    const value = points.values[k] ?? null;
    if (value === null || (position !== null && points.positions[k]! > position)) continue;
    return { value, lower: points.lowers[k] ?? null, upper: points.uppers[k] ?? null, isEarlier: position !== null && points.positions[k] !== position };
  }
  return null;
}

function besides(site: Site, one: SeriesOf, dimension: Dimension): string {
  const axes = Object.keys(site.axes).map((axis) => `axis.${axis}`);
  const parameters = one.benchmark.parameters.map((axis) => `param.${axis.name}`);
  return JSON.stringify(["metric", "machine", ...axes, ...parameters].filter((name) => name !== dimension).map((name) => valueIn(site, one, name)));
}
