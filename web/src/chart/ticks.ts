// Where an axis has its marks.

/** Returns the marks of a logarithmic axis: up to nine of each decade, or even steps where the axis is shorter than that tells. */
export function logTicks(min: number, max: number): number[] {
  if (!(min > 0) || !(max > min)) return [];
  if (max / min < 4) return evenTicks(min, max);
  // Lines between the marks help only where there are few decades.
  const digits = max / min > 1e4 ? [1] : max / min > 200 ? [1, 2, 5] : [1, 2, 3, 4, 5, 6, 7, 8, 9];
  const ticks: number[] = [];
  for (let decade = Math.floor(Math.log10(min)); decade <= Math.ceil(Math.log10(max)); decade++) {
    for (const digit of digits) {
      const tick = Number(`${digit}e${decade}`);
      if (tick >= min && tick <= max) ticks.push(tick);
    }
  }
  return ticks;
}

/** Returns the marks that have a text, null for the others: fewer where there are many decades. */
export function labelled(ticks: number[], min: number, max: number): (number | null)[] {
  if (max / min < 4) return ticks;
  const decades = Math.log10(max / min);
  const digits = decades > 3 ? [1] : decades > 1.6 ? [1, 2, 5] : [1, 2, 3, 5, 7];
  return ticks.map((tick) => (digits.includes(Number(tick.toExponential(0).split("e")[0])) ? tick : null));
}

/** Leaves out values that lie nearer to the one before than `space_px`. */
export function spaced(values: number[], toPx: (value: number) => number, space_px: number): number[] {
  let last_px = -Infinity;
  return values.filter((value) => {
    const at_px = toPx(value);
    if (at_px - last_px < space_px) return false;
    last_px = at_px;
    return true;
  });
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const DAY_S = 86400;

/** Returns the texts of an axis of moments (UTC), as finely as its steps need, with the day or year below where it changes. */
export function dateTexts(splits_s: number[], step_s: number): string[] {
  let above = "";
  return splits_s.map((split_s) => {
    const moment = new Date(split_s * 1000);
    const [year, month, day] = [String(moment.getUTCFullYear()), MONTHS[moment.getUTCMonth()]!, moment.getUTCDate()];
    if (step_s >= 360 * DAY_S) return year;
    const [text, below] = step_s >= 27 * DAY_S ? [month, year] : step_s >= DAY_S ? [`${day} ${month}`, year] : [moment.toISOString().slice(11, 16), `${day} ${month} ${year}`];
    const shown = below === above ? text : `${text}\n${below}`;
    above = below;
    return shown;
  });
}

function evenTicks(min: number, max: number): number[] {
  const rough = (max - min) / 6;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((digit) => digit * power).find((one) => one >= rough)!;
  const first = Math.ceil(min / step);
  return Array.from({ length: Math.floor(max / step) - first + 1 }, (_, k) => Number(((first + k) * step).toPrecision(12)));
}
