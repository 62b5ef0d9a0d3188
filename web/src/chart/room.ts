// Room on the y axis: for all values, and for intervals as far as they do not flatten the values.
import type { Line } from "./lines";

/** Intervals take at most so many times the height of the values, above as below. */
const MOST_ROOM = 1;
/** Where all values are one, this share of it counts as their height. */
const LEAST_HEIGHT = 0.02;

/** Returns from where to where an axis goes that has to show values from `min` to `max`. */
export function withIntervals(lines: Line[], min: number, max: number): [number, number] {
  // Without any value the axis has no ends of its own.
  if (!Number.isFinite(min) || !Number.isFinite(max)) return [min, max];
  const height = Math.max(max - min, Math.abs(max) * LEAST_HEIGHT) * MOST_ROOM;
  let [low, high] = [min, max];
  for (const line of lines) {
    for (const lower of line.lowers) if (lower !== null && lower < low) low = lower;
    for (const upper of line.uppers) if (upper !== null && upper > high) high = upper;
  }
  return [Math.max(low, min - height), Math.min(high, max + height)];
}
