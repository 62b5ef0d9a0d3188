// Moments as people write them, in UTC so that everyone who looks sees the same.

/** Returns the date of a moment, `2026-11-29`, or a dash. */
export function date(time: string | null): string {
  return time === null || Number.isNaN(Date.parse(time)) ? "–" : new Date(time).toISOString().slice(0, 10);
}

/** Returns a moment to the minute. */
export function moment(time: string | null): string {
  return time === null || Number.isNaN(Date.parse(time)) ? "–" : `${new Date(time).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** Returns how long ago a moment was: `3 hours ago`, `12 days ago`. */
export function ago(time: string | null, now_ms = Date.now()): string {
  if (time === null || Number.isNaN(Date.parse(time))) return "never";
  const seconds = (now_ms - Date.parse(time)) / 1000;
  const [scale, noun] = UNITS.find(([scale]) => seconds >= scale * 1.5) ?? [0, "just now"];
  if (scale === 0) return noun;
  const count = Math.round(seconds / scale);
  return `${count} ${noun}${count === 1 ? "" : "s"} ago`;
}

const UNITS: [number, string][] = [
  [365.25 * 86400, "year"],
  [30.44 * 86400, "month"],
  [86400, "day"],
  [3600, "hour"],
  [60, "minute"],
];
