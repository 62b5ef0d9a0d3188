// The only file that makes a chart with the library: scales, axes, lines, cursor.
import uPlot from "uplot";
import type { Subjects } from "../data/subjects";
import { shortSubject } from "../format/subject";
import { axisTexts } from "../format/unit";
import type { ChartChoice } from "./choice";
import { dateTexts, labelled, logTicks, spaced } from "./ticks";
import { type Drawn, MAX_DETAILED, drawAbove, drawBelow } from "./overlay";
import { lineColour, lineDash } from "./palette";
import { withIntervals } from "./room";

export interface Hover {
  line: number;
  at: number;
  left_px: number;
  top_px: number;
}

export interface PlotOptions {
  drawn: Drawn;
  choice: ChartChoice;
  subjects: Subjects;
  unit: string;
  width_px: number;
  height_px: number;
  onHover(hover: Hover | null): void;
  onClick(): void;
  onZoom(from: number | null, to: number | null): void;
}

/** A point is found by the pointer within this distance. */
const REACH_PX = 60;

export function makePlot(root: HTMLElement, options: PlotOptions): uPlot {
  const { drawn, choice, width_px, height_px } = options;
  const begun_ms = performance.now();
  const data = [drawn.aligned.xs, ...drawn.aligned.values] as uPlot.AlignedData;
  return new uPlot(
    {
      width: width_px,
      height: height_px,
      padding: [14, 12, 0, 0],
      legend: { show: false },
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1e3), "Etc/UTC"),
      cursor: { points: { show: false }, y: false, drag: { x: true, y: false, setScale: false }, bind: { dblclick: () => () => (options.onZoom(null, null), null) } },
      focus: { alpha: 0.25 },
      scales: { x: xScale(choice, drawn), y: yScale(choice, drawn) },
      axes: [xAxis(options), yAxis(options)],
      series: [{}, ...drawn.lines.map((line) => lineOptions(drawn, choice, line))],
      hooks: {
        drawAxes: [(u) => drawBelow(u, drawn)],
        draw: [(u) => drawAbove(u, drawn)],
        setCursor: [(u) => options.onHover(nearest(u, drawn))],
        setSelect: [(u) => zoomed(u, options)],
        // Read by `tests/speed.mjs`: from the lines to their picture.
        drawSeries: [(_, k) => k === drawn.lines.length && performance.measure("tacho-chart", { start: begun_ms, end: performance.now() })],
        ready: [(u) => listenForClicks(u.over, options.onClick)],
      },
    },
    data,
    root,
  );
}

/** Returns where a point of a line is, in CSS pixels from the corner of the plotting area. */
export function placeOnPlot(u: uPlot, drawn: Drawn, line: number, at: number): Hover {
  const value = drawn.aligned.values[line]?.[at];
  return { line, at, left_px: u.valToPos(drawn.aligned.xs[at]!, "x"), top_px: value === null || value === undefined ? 0 : u.valToPos(value, "y") };
}

function xScale(choice: ChartChoice, drawn: Drawn): uPlot.Scale {
  const isParameter = !drawn.isHistory;
  const hasRange = choice.from !== null && choice.to !== null && choice.from < choice.to;
  const xs = drawn.aligned.xs;
  const whole: [number, number] = [xs[0] ?? 0, xs[xs.length - 1] ?? 1];
  if (whole[0] === whole[1]) whole.splice(0, 2, whole[0] - 1, whole[1] + 1);
  const range: [number, number] = hasRange ? [choice.from!, choice.to!] : whole;
  if (isParameter && choice.isXLog) return { time: false, distr: 3, range: hasRange ? range : [range[0] / 1.15, range[1] * 1.15] };
  return { time: choice.x === "date", range: hasRange || choice.x !== "date" ? (isParameter && !hasRange ? padded(range) : range) : padded(range, 0.01) };
}

function padded([low, high]: [number, number], share = 0.04): [number, number] {
  const pad = (high - low) * share;
  return [low - pad, high + pad];
}

function yScale(choice: ChartChoice, drawn: Drawn): uPlot.Scale {
  if (choice.y === "log") return { distr: 3, range: (_, min, max) => logRange(min, max) };
  const shown = drawn.hasIntervals && drawn.lines.length <= MAX_DETAILED ? drawn.lines : [];
  const room = (min: number, max: number) => withIntervals(shown, min, max);
  if (choice.y === "zero") return { range: (_, min, max) => [Math.min(0, room(min, max)[0] * 1.08), Math.max(0, room(min, max)[1] * 1.08) || 1] };
  return {
    range: (_, min, max) => {
      const [low, high] = room(min, max);
      return low === high ? [low - Math.abs(low || 1) * 0.1, high + Math.abs(high || 1) * 0.1] : [low - (high - low) * 0.12, high + (high - low) * 0.12];
    },
  };
}

/** Leaves a little room on both sides of positive values. */
function logRange(min: number, max: number): [number, number] {
  if (!(min > 0) || !(max > 0)) return [1e-9, 1];
  const room = Math.max(1.12, (max / min) ** 0.06);
  return [min / room, max * room];
}

function axisFace(options: PlotOptions): Partial<uPlot.Axis> {
  const { colours } = options.drawn;
  return { stroke: colours.muted, font: "12px system-ui, sans-serif", grid: { stroke: colours.grid, width: 1 }, ticks: { stroke: colours.grid, width: 1, size: 5 } };
}

function xAxis(options: PlotOptions): uPlot.Axis {
  const { choice, subjects, drawn } = options;
  if (choice.x === "date") return { ...axisFace(options), space: 70, values: (_, splits, __, ___, step_s) => dateTexts(splits, step_s) };
  if (!drawn.isHistory) {
    const splits = (u: uPlot): number[] => spaced(drawn.aligned.xs, (x) => u.valToPos(x, "x"), 44);
    return { ...axisFace(options), size: 34, splits, filter: (_, found) => found, values: (_, found) => axisTexts(found, "") };
  }
  const name = (position: number): string => {
    const subject = subjects.list[position];
    return subject ? (subject.tags[0] ?? shortSubject(subject.subject)) : "";
  };
  return { ...axisFace(options), space: 92, size: 34, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000], values: (_, splits) => splits.map((split) => (Number.isInteger(split) ? name(split) : "")) };
}

function yAxis(options: PlotOptions): uPlot.Axis {
  const suffix = options.choice.norm === null ? "" : "×";
  // Each mark of a logarithmic axis has the unit that fits it.
  const plain = (splits: (number | null)[]): string[] => (options.choice.y === "log" ? splits.map((split) => axisTexts([split], options.unit)[0]!) : axisTexts(splits, options.unit));
  const texts = (splits: (number | null)[]): string[] => plain(splits).map((text) => (text === "" ? "" : text + suffix));
  const log: Partial<uPlot.Axis> = { splits: (_, __, min, max) => logTicks(min, max), filter: (u, splits) => labelled(splits, u.scales.y!.min!, u.scales.y!.max!) };
  return {
    ...axisFace(options),
    ...(options.choice.y === "log" ? log : {}),
    space: 34,
    size: (u, values) => {
      u.ctx.font = `${12 * devicePixelRatio}px system-ui, sans-serif`;
      const widths = (values ?? []).map((text) => u.ctx.measureText(text ?? "").width / devicePixelRatio);
      return Math.ceil(Math.max(30, ...widths)) + 16;
    },
    values: (_, splits) => texts(splits),
  };
}

function lineOptions(drawn: Drawn, choice: ChartChoice, line: Drawn["lines"][number]): uPlot.Series {
  const colour = lineColour(drawn.theme, line.color);
  const isMany = drawn.lines.length > 40;
  const points: uPlot.Series.Points = { size: isMany ? 3 : 5, fill: colour, stroke: colour, width: 0 };
  if (choice.hasPoints || !drawn.isHistory) points.show = true;
  else if (isMany) points.show = false;
  return { label: line.label, stroke: colour, width: isMany ? 1 : 1.5, dash: lineDash(line.dash), points };
}

/** Returns the point next to the pointer, of any line. */
function nearest(u: uPlot, drawn: Drawn): Hover | null {
  const { left, top, idxs } = u.cursor;
  if (left === undefined || top === undefined || left < 0 || !idxs) return null;
  let best: Hover | null = null;
  let bestDistance = REACH_PX ** 2;
  for (let line = 0; line < drawn.lines.length; line++) {
    const at = idxs[line + 1];
    if (at === null || at === undefined || drawn.aligned.points[line]![at]! < 0 || u.series[line + 1]!.show === false) continue;
    const place = placeOnPlot(u, drawn, line, at);
    const distance = (place.left_px - left) ** 2 + (place.top_px - top) ** 2;
    if (distance < bestDistance) [best, bestDistance] = [place, distance];
  }
  return best;
}

/** The end of a drag is no click. */
function listenForClicks(over: HTMLElement, onClick: () => void): void {
  let down_px = 0;
  over.addEventListener("pointerdown", (event) => (down_px = event.clientX));
  over.addEventListener("click", (event) => Math.abs(event.clientX - down_px) < 4 && onClick());
}

function zoomed(u: uPlot, options: PlotOptions): void {
  const { left, width } = u.select;
  if (width < 4) return;
  const [from, to] = [u.posToVal(left, "x"), u.posToVal(left + width, "x")];
  u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  options.onZoom(from, to);
}
