// Lines beside each other on one x axis, as the chart library wants them.
import type { Line } from "./lines";

export interface Aligned {
  xs: number[];
  /** Places by index, as in lines. */
  places: number[];
  /** By line: values by index. `undefined` where the line has no point (drawn across), null where it was not measured (a gap). */
  values: (number | null | undefined)[][];
  /** By line: which of its points stands at an index, -1 for none. */
  points: Int32Array[];
}

/** Returns lines over all of their places, in the order of the x axis. Values that a logarithm has no place for are left out. */
export function aligned(lines: Line[], xOf: (place: number) => number, isLog: boolean, isXLog: boolean): Aligned {
  const all = new Set<number>();
  for (const line of lines) for (const place of line.places) all.add(place);
  const places = [...all].filter((place) => !isXLog || xOf(place) > 0).sort((a, b) => xOf(a) - xOf(b) || a - b);
  const index = new Map(places.map((place, k) => [place, k]));
  const values: Aligned["values"] = [];
  const points: Int32Array[] = [];
  for (const line of lines) {
    const row = new Array<number | null | undefined>(places.length).fill(undefined);
    const own = new Int32Array(places.length).fill(-1);
    line.places.forEach((place, k) => {
      const at = index.get(place);
      if (at === undefined) return;
      const value = line.values[k] ?? null;
      row[at] = isLog && value !== null && value <= 0 ? null : value;
      own[at] = k;
    });
    values.push(row);
    points.push(own);
  }
  return { xs: places.map(xOf), places, values, points };
}
