// What is drawn around the lines: intervals, levels, change points, events, chosen subjects.
import type uPlot from "uplot";
import type { Analysis, SeriesAnalysis } from "../data/analysis";
import type { Aligned } from "./aligned";
import type { Line } from "./lines";
import { type ChartColours, lineColour } from "./palette";
import type { Theme } from "../state/theme";

export interface Drawn {
  lines: Line[];
  aligned: Aligned;
  xOf(place: number): number;
  theme: Theme;
  colours: ChartColours;
  analysis: Analysis;
  hasIntervals: boolean;
  hasAnalysis: boolean;
  /** Whether places are positions of subjects: levels and events only have a meaning there. */
  isHistory: boolean;
  marks: { position: number; label: string }[];
}

/** With more lines than this, intervals and levels would hide more than they tell. */
export const MAX_DETAILED = 12;

/** Draws what lies below the lines. */
export function drawBelow(u: uPlot, drawn: Drawn): void {
  const isDetailed = drawn.lines.length <= MAX_DETAILED;
  clipped(u, () => {
    u.ctx.setLineDash([]);
    if (drawn.hasIntervals && isDetailed) drawn.lines.forEach((line, k) => interval(u, drawn, line, k));
    if (!drawn.isHistory) return;
    if (drawn.hasAnalysis) drawn.lines.forEach((line) => verticals(u, drawn, line));
    for (const mark of drawn.marks) markLine(u, drawn, mark);
  });
}

/** Draws what lies above the lines. */
export function drawAbove(u: uPlot, drawn: Drawn): void {
  clipped(u, () => {
    // The last line's dash is still set.
    u.ctx.setLineDash([]);
    drawn.lines.forEach((line, k) => failures(u, drawn, line, k));
    if (!drawn.isHistory || !drawn.hasAnalysis) return;
    drawn.lines.forEach((line) => changes(u, drawn, line, drawn.lines.length <= MAX_DETAILED));
  });
}

function clipped(u: uPlot, draw: () => void): void {
  const { ctx, bbox } = u;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  draw();
  ctx.restore();
}

/** Calls `each` with the points that are in sight, and one more on both sides. */
function inSight(u: uPlot, { aligned }: Drawn, each: (at: number) => void): void {
  const { min, max } = u.scales.x!;
  const first = Math.max(0, u.valToIdx(min!) - 1);
  const end = Math.min(aligned.xs.length - 1, u.valToIdx(max!) + 1);
  for (let at = first; at <= end; at++) each(at);
}

function interval(u: uPlot, drawn: Drawn, line: Line, k: number): void {
  const { ctx } = u;
  const own = drawn.aligned.points[k]!;
  let top: [number, number][] = [];
  let bottom: [number, number][] = [];
  const close = (): void => {
    if (top.length > 1) {
      ctx.beginPath();
      for (const [x, y] of top) ctx.lineTo(x, y);
      for (const [x, y] of bottom.reverse()) ctx.lineTo(x, y);
      ctx.fill();
    } else if (top.length === 1) ctx.fillRect(top[0]![0] - 2, top[0]![1], 4, bottom[0]![1] - top[0]![1]);
    top = [];
    bottom = [];
  };
  ctx.fillStyle = lineColour(drawn.theme, line.color);
  ctx.globalAlpha = 0.16;
  inSight(u, drawn, (at) => {
    const point = own[at]!;
    if (point < 0) return;
    const [lower, upper] = [line.lowers[point] ?? null, line.uppers[point] ?? null];
    if (lower === null || upper === null || (isLog(u) && lower <= 0)) return close();
    const x = u.valToPos(drawn.aligned.xs[at]!, "x", true);
    top.push([x, u.valToPos(upper, "y", true)]);
    bottom.push([x, u.valToPos(lower, "y", true)]);
  });
  close();
  ctx.globalAlpha = 1;
}

function analysisOf(drawn: Drawn, line: Line): Partial<SeriesAnalysis> | undefined {
  return Object.hasOwn(drawn.analysis, line.one.series.id) ? drawn.analysis[line.one.series.id] : undefined;
}

/** Upright lines: thin where a level begins, dotted where the benchmark or the machine changed. */
function verticals(u: uPlot, drawn: Drawn, line: Line): void {
  const found = analysisOf(drawn, line);
  const { ctx, bbox } = u;
  const px = devicePixelRatio;
  for (const event of found?.events ?? []) {
    const x = Math.round(u.valToPos(drawn.xOf(event.position), "x", true)) + 0.5;
    ctx.strokeStyle = drawn.colours.event;
    ctx.lineWidth = px;
    ctx.setLineDash([2 * px, 3 * px]);
    stroke(ctx, x, bbox.top, x, bbox.top + bbox.height);
    ctx.setLineDash([]);
    ctx.fillStyle = drawn.colours.event;
    diamond(ctx, x, bbox.top + 6 * px, 4 * px);
  }
}

function changes(u: uPlot, drawn: Drawn, line: Line, isDetailed: boolean): void {
  const found = analysisOf(drawn, line);
  if (!found || line.divisor === null) return;
  const { ctx } = u;
  const px = devicePixelRatio;
  const y = (value: number): number => u.valToPos(value / line.divisor!, "y", true);
  const x = (position: number): number => u.valToPos(drawn.xOf(position), "x", true);
  ctx.strokeStyle = ctx.fillStyle = lineColour(drawn.theme, line.color);
  if (isDetailed && (found.levels?.length ?? 0) > 1) {
    ctx.globalAlpha = 0.45;
    ctx.lineWidth = 3 * px;
    for (const level of found.levels!) stroke(ctx, x(level.from), y(level.level), x(level.to), y(level.level));
    ctx.globalAlpha = 1;
  }
  for (const change of found.changes ?? []) {
    const level = found.levels?.find((one) => one.from <= change.position && change.position <= one.to);
    if (!level) continue;
    const isUp = (change.effect ?? 0) > 0;
    triangle(ctx, x(change.position), y(level.level) + (isUp ? -10 : 10) * px, 5 * px, isUp, change.state === "confirmed");
  }
}

/** What failed has no height: a cross at the foot of the chart tells of it. */
function failures(u: uPlot, drawn: Drawn, line: Line, k: number): void {
  const { ctx, bbox } = u;
  const px = devicePixelRatio;
  const own = drawn.aligned.points[k]!;
  ctx.strokeStyle = lineColour(drawn.theme, line.color);
  ctx.lineWidth = 1.5 * px;
  inSight(u, drawn, (at) => {
    const point = own[at]!;
    if (point < 0 || line.values[point] !== null) return;
    const { points, index } = line.pick(point);
    if (points.outcomes[index] === "measured" || points.outcomes[index] === "skipped") return;
    const [x, y, half] = [u.valToPos(drawn.aligned.xs[at]!, "x", true), bbox.top + bbox.height - 7 * px, 3 * px];
    stroke(ctx, x - half, y - half, x + half, y + half);
    stroke(ctx, x - half, y + half, x + half, y - half);
  });
}

function markLine(u: uPlot, drawn: Drawn, mark: Drawn["marks"][number]): void {
  const { ctx, bbox } = u;
  const px = devicePixelRatio;
  const x = Math.round(u.valToPos(drawn.xOf(mark.position), "x", true)) + 0.5;
  ctx.strokeStyle = ctx.fillStyle = drawn.colours.text;
  ctx.lineWidth = px;
  stroke(ctx, x, bbox.top, x, bbox.top + bbox.height);
  ctx.font = `600 ${12 * px}px system-ui, sans-serif`;
  const isAtEnd = x > bbox.left + bbox.width - 20 * px;
  ctx.textAlign = isAtEnd ? "right" : "left";
  ctx.textBaseline = "bottom";
  ctx.fillText(mark.label, x + (isAtEnd ? -4 : 4) * px, bbox.top + bbox.height - 4 * px);
}

function isLog(u: uPlot): boolean {
  return u.scales.y!.distr === 3;
}

function stroke(ctx: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number): void {
  ctx.beginPath();
  ctx.moveTo(x0, y0);
  ctx.lineTo(x1, y1);
  ctx.stroke();
}

function triangle(ctx: CanvasRenderingContext2D, x: number, y: number, size: number, isUp: boolean, isFilled: boolean): void {
  const sign = isUp ? 1 : -1;
  ctx.beginPath();
  ctx.moveTo(x, y - size * sign);
  ctx.lineTo(x + size, y + size * 0.7 * sign);
  ctx.lineTo(x - size, y + size * 0.7 * sign);
  ctx.closePath();
  ctx.lineWidth = 1.5 * devicePixelRatio;
  if (isFilled) ctx.fill();
  else ctx.stroke();
}

function diamond(ctx: CanvasRenderingContext2D, x: number, y: number, size: number): void {
  ctx.beginPath();
  ctx.moveTo(x, y - size);
  ctx.lineTo(x + size, y);
  ctx.lineTo(x, y + size);
  ctx.lineTo(x - size, y);
  ctx.closePath();
  ctx.fill();
}
