// From points to lines: what is drawn, where it is on the x axis, and how it is told from its neighbours.
import { type Dimension, seriesKey, seriesLabel, unitOf, valueIn } from "../data/dimensions";
import type { Points } from "../data/results";
import type { SeriesOf, Site } from "../data/site";
import type { Subjects } from "../data/subjects";
import { literalNumber } from "../format/literal";

/** One point of a line: its series, and its place in the series' points. */
export interface PointPick {
  one: SeriesOf;
  points: Points;
  index: number;
}

/** What a line looks like and is called. */
interface Face {
  label: string;
  unit: string;
  /** The series, or the first of those along a parameter. */
  one: SeriesOf;
  facet: string;
  color: number;
  dash: number;
}

export interface Line extends Face {
  key: string;
  /** Places on the x axis: positions of subjects, or values of a parameter. Ascending, each once. */
  places: number[];
  values: (number | null)[];
  lowers: (number | null)[];
  uppers: (number | null)[];
  /** Whether values are ratios. */
  isRatio: boolean;
  /** What values were divided by; 1 where they were not, null where it differs from point to point. */
  divisor: number | null;
  pick(k: number): PointPick;
}

export interface Encoding {
  color: Dimension;
  dash: Dimension;
  facet: Dimension;
  /** Dimensions that the labels name. */
  named: Dimension[];
  values: Map<Dimension, string[]>;
}

/** Returns a line for each series over subjects. */
export function linesOverTime(site: Site, list: SeriesOf[], points: Map<number, Points>, encoding: Encoding): Line[] {
  return list.flatMap((one) => {
    const own = points.get(one.series.id);
    if (!own) return [];
    const pick = (index: number): PointPick => ({ one, points: own, index });
    return [{ ...face(site, one, encoding), key: seriesKey(site, one), places: own.positions, values: own.values, lowers: own.lowers, uppers: own.uppers, isRatio: false, divisor: 1, pick }];
  });
}

/** Returns a line for each group of series that differ in one parameter only, at each of some subjects (null: the newest). */
export function linesOverParameter(site: Site, list: SeriesOf[], points: Map<number, Points>, encoding: Encoding, parameter: Dimension, at: At[]): Line[] {
  const others = encoding.named.filter((dimension) => dimension !== parameter);
  const groups = new Map<string, SeriesOf[]>();
  for (const one of list) {
    const key = JSON.stringify([one.benchmark.name, ...others.map((dimension) => valueIn(site, one, dimension))]);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups].flatMap(([key, own]) => at.map((where, k) => alongParameter(site, own, points, { ...encoding, named: others }, parameter, where, at.length > 1 ? k : null, key)));
}

/** Where along the history a line over a parameter is taken. */
export interface At {
  position: number | null;
  label: string;
}

function alongParameter(site: Site, own: SeriesOf[], points: Map<number, Points>, encoding: Encoding, parameter: Dimension, at: At, rank: number | null, key: string): Line {
  const picks = own
    .flatMap((one) => {
      const of = points.get(one.series.id);
      const index = of ? lastIndex(of, at.position) : -1;
      const place = literalNumber(valueIn(site, one, parameter));
      return of && index >= 0 && place !== null ? [{ place, pick: { one, points: of, index } }] : [];
    })
    .sort((a, b) => a.place - b.place);
  const read = (column: "values" | "lowers" | "uppers"): (number | null)[] => picks.map(({ pick }) => pick.points[column][pick.index] ?? null);
  const shown = face(site, own[0]!, encoding);
  return {
    ...shown,
    key: `${key}@${at.position ?? ""}`,
    label: rank === null ? shown.label : `${shown.label}${shown.label && " · "}${at.label}`,
    dash: rank ?? shown.dash,
    places: picks.map(({ place }) => place),
    values: read("values"),
    lowers: read("lowers"),
    uppers: read("uppers"),
    isRatio: false,
    divisor: 1,
    pick: (k) => picks[k]!.pick,
  };
}

/** Returns the last measured point at or before a position; -1 where there is none. */
export function lastIndex(points: Points, position: number | null): number {
  for (let k = points.positions.length - 1; k >= 0; k--) {
    if ((position === null || points.positions[k]! <= position) && points.values[k] !== null) return k;
  }
  return -1;
}

/** Returns where a place of a line is on the x axis. */
export function xOf(x: string, subjects: Subjects): (place: number) => number {
  return x === "date" ? (place) => subjects.times_s[place] ?? 0 : (place) => place;
}

function face(site: Site, one: SeriesOf, { color, dash, facet, named, values }: Encoding): Face {
  const rank = (dimension: Dimension): number => (dimension === "" ? 0 : Math.max(0, values.get(dimension)?.indexOf(valueIn(site, one, dimension)) ?? 0));
  return { one, unit: unitOf(site, one), label: seriesLabel(site, one, named), facet: facet === "" ? "" : valueIn(site, one, facet), color: rank(color), dash: rank(dash) };
}
