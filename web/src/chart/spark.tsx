// A sparkline: the shape of a series without its numbers, which stand beside it.

interface SparkProps {
  values: (number | null)[];
  className?: string;
}

const WIDTH = 120;
const HEIGHT = 26;

export function Spark({ values, className }: SparkProps) {
  const { path, last } = sparkPath(values);
  return (
    <svg class={`spark ${className ?? ""}`} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <path d={path} vector-effect="non-scaling-stroke" />
      {last && <path class="dot" d={`M${last[0]} ${last[1]}h0`} vector-effect="non-scaling-stroke" />}
    </svg>
  );
}

/** Returns the path of values between 0 and 1; a gap of one place is drawn across, a longer one is left open. */
export function sparkPath(values: (number | null)[]): { path: string; last: [number, number] | null } {
  const n = Math.max(values.length - 1, 1);
  let path = "";
  let last: [number, number] | null = null;
  let before = -Infinity;
  values.forEach((value, k) => {
    if (value === null) return;
    last = [round(2 + (k / n) * (WIDTH - 4)), round(HEIGHT - 3 - Math.min(1, Math.max(0, value)) * (HEIGHT - 6))];
    path += `${k - before <= 3 ? "L" : "M"}${last[0]} ${last[1]}`;
    before = k;
  });
  return { path, last };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
