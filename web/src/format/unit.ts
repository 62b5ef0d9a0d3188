// Numbers for people: the same prefixes and digits as the terminal's (`tacho-model`, `unit.rs`).

type Ladder = readonly (readonly [number, string])[];

const TIMES: Ladder = [[1, "s"], [1e-3, "ms"], [1e-6, "μs"], [1e-9, "ns"]];
const SIZES: Ladder = [[1e12, "TB"], [1e9, "GB"], [1e6, "MB"], [1e3, "kB"], [1, "B"]];

/** Returns a value with its unit, three significant digits: `1.23 ms`, `4.50 GB`, `12.0 GFLOP/s`. */
export function human(value: number, unit: string): string {
  const ladder = ladderOf(unit);
  if (ladder) {
    const [scale, name] = step(value, ladder);
    return `${significant(value / scale)} ${name}`;
  }
  const number = wholeOrSignificant(value);
  return unit === "" || unit === "unit" ? number : `${number} ${unit}`;
}

/** Returns `lower to upper` with both in the unit that fits the upper end. */
export function humanRange(lower: number, upper: number, unit: string): string {
  const ladder = ladderOf(unit);
  if (!ladder) return `${significant(lower)} to ${human(upper, unit)}`;
  const [scale, name] = step(Math.max(Math.abs(lower), Math.abs(upper)), ladder);
  return `${significant(lower / scale)} to ${significant(upper / scale)} ${name}`;
}

/** Returns the texts of an axis: one unit for all of its marks. */
export function axisTexts(values: (number | null)[], unit: string): string[] {
  const known = values.filter((value): value is number => value !== null);
  const top = Math.max(...known.map(Math.abs), 0);
  const low = Math.min(...known.filter((value) => value !== 0).map(Math.abs), top);
  // Across decades one unit would need too many zeros: each mark then has its own.
  if (top > low * 1000) return values.map((value) => (value === null ? "" : short(human(value, unit))));
  const [scale, name] = step(top, ladderOf(unit) ?? [[1, shortUnit(unit)]]);
  return values.map((value) => (value === null ? "" : `${trimmed(value / scale)}${name && ` ${name}`}`));
}

/** Returns a number with three significant digits, without an exponent between 0.001 and a million. */
export function significant(value: number): string {
  const size = Math.abs(value);
  if (value === 0) return "0";
  if (!(size >= 1e-3 && size < 999_999.5)) return value.toExponential(2).replace("e+", "e");
  if (size >= 99.95) return value.toFixed(0);
  if (size >= 9.995) return value.toFixed(1);
  if (size >= 0.9995) return value.toFixed(2);
  return value.toFixed(2 - Math.floor(Math.log10(size)));
}

/** Returns a ratio as a change in per cent, or as a factor where that is easier to grasp. */
export function percent(ratio: number): string {
  if (!Number.isFinite(ratio)) return "without bound";
  if (ratio >= 10) return `${ratio.toFixed(0)} times`;
  if (ratio >= 3) return `${ratio.toFixed(1)} times`;
  const change = (ratio - 1) * 100;
  const text = change.toFixed(Math.abs(change) < 9.95 ? 1 : 0);
  return `${change >= 0 ? "+" : ""}${text} %`;
}

/** Returns a count with its noun: `1 case`, `2 cases`, `12,600 series`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${grouped(count)} ${count === 1 ? noun : plural}`;
}

/** Returns a count with its thousands apart. */
export function grouped(count: number): string {
  return count.toLocaleString("en-US");
}

/** Returns a large count in few digits: `7.40 M`. */
export function rough(count: number): string {
  if (count < 100_000) return grouped(count);
  return count < 1e6 ? `${significant(count / 1e3)} k` : `${significant(count / 1e6)} M`;
}

function ladderOf(unit: string): Ladder | null {
  if (["seconds", "s", "second", "sec"].includes(unit)) return TIMES;
  return ["bytes", "byte", "B"].includes(unit) ? SIZES : null;
}

function step(value: number, ladder: Ladder): readonly [number, string] {
  const size = Math.abs(value);
  // 0.9995 rounds up to the next unit when it is shown with three digits.
  return ladder.find(([scale]) => size >= scale * 0.9995) ?? ladder[ladder.length - 1]!;
}

/** A count stays a count: `180 roads`, not `180.0`. */
function wholeOrSignificant(value: number): string {
  return Number.isInteger(value) && Math.abs(value) < 1e6 ? value.toFixed(0) : significant(value);
}

function trimmed(value: number): string {
  return String(Number(value.toPrecision(6)));
}

function short(text: string): string {
  return text.replace(/\.0+(?=\D|$)/, "").replace(/(\.\d*?)0+(?=\D|$)/, "$1");
}

function shortUnit(unit: string): string {
  return unit === "unit" || unit.length > 12 ? "" : unit;
}
