// One chart with its tooltip: the pointer finds points, and so do the arrow keys.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type uPlot from "uplot";
import type { Analysis } from "../data/analysis";
import type { Site } from "../data/site";
import type { Subjects } from "../data/subjects";
import type { Theme } from "../state/theme";
import { aligned } from "./aligned";
import type { ChartChoice } from "./choice";
import { type Line, type PointPick, xOf } from "./lines";
import type { Drawn } from "./overlay";
import { chartColours } from "./palette";
import { type Hover, makePlot, placeOnPlot } from "./plot";
import { Tooltip, pointWords } from "./tooltip";

export interface FacetProps {
  site: Site;
  subjects: Subjects;
  analysis: Analysis;
  lines: Line[];
  title: string;
  choice: ChartChoice;
  theme: Theme;
  height_px: number;
  marks: Drawn["marks"];
  focus: string | null;
  onPick(line: Line, pick: PointPick): void;
  onSide(side: "a" | "b", line: Line, pick: PointPick): void;
  onZoom(from: number | null, to: number | null): void;
}

export function Facet(props: FacetProps) {
  const { site, subjects, analysis, lines, choice, theme, height_px, marks, title } = props;
  const root = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const [hover, setHover] = useState<Hover | null>(null);
  const width_px = useWidth(root);
  const drawn = useMemo((): Drawn => {
    const isHistory = choice.x === "date" || choice.x === "commit";
    const place = xOf(choice.x, subjects);
    return { lines, aligned: aligned(lines, place, choice.y === "log", choice.isXLog && !isHistory), xOf: place, theme, colours: chartColours(theme), analysis, hasIntervals: choice.hasIntervals, hasAnalysis: choice.hasAnalysis, isHistory, marks: [] };
  }, [lines, choice, theme, analysis]);
  drawn.marks = marks;
  // The chart keeps the handlers of its first drawing: they look here for the newest.
  const latest = useRef({ hover, props, drawn });
  latest.current = { hover, props, drawn };
  useLayoutEffect(() => {
    if (!root.current || width_px === 0) return;
    const made = makePlot(root.current, {
      drawn, choice, subjects, unit: lines[0]?.unit ?? "", width_px, height_px,
      onHover: setHover,
      onClick: () => pickHovered(latest.current),
      onZoom: (from, to) => latest.current.props.onZoom(from, to),
    });
    plot.current = made;
    return () => {
      made.destroy();
      plot.current = null;
      setHover(null);
    };
  }, [drawn, width_px, height_px]);
  useEffect(() => plot.current?.redraw(false), [JSON.stringify(marks)]);
  useEffect(() => {
    const at = props.focus === null ? -1 : lines.findIndex((line) => line.key === props.focus);
    plot.current?.setSeries(at < 0 ? null : at + 1, { focus: at >= 0 });
  }, [props.focus, drawn]);
  const key = (event: KeyboardEvent): void => {
    const next = plot.current && keyed(event.key, latest.current, plot.current);
    if (next === undefined || next === null) return;
    event.preventDefault();
    setHover(next === "none" ? null : next);
  };
  const words = hover ? pointWords(site, subjects, lines[hover.line]!, drawn.aligned.points[hover.line]![hover.at]!) : "";
  return (
    <figure class="facet">
      {title !== "" && <figcaption>{title}</figcaption>}
      <div class="plot" ref={root} tabIndex={0} role="group" aria-roledescription="chart" aria-label={`${title || "Chart"}: ${lines.length} lines. Arrow keys move along the points; the table below holds the same.`} onKeyDown={key} style={{ minHeight: `${height_px}px` }}>
        {hover && plot.current && <Tooltip site={site} subjects={subjects} analysis={drawn.isHistory ? analysis : {}} line={lines[hover.line]!} point={drawn.aligned.points[hover.line]![hover.at]!} hover={hover} over={plot.current.over} theme={theme} />}
      </div>
      <div class="visually-hidden" aria-live="polite">{words}</div>
    </figure>
  );
}

interface Latest {
  hover: Hover | null;
  props: FacetProps;
  drawn: Drawn;
}

function hovered({ hover, drawn }: Latest): { line: Line; pick: PointPick } | null {
  if (!hover) return null;
  const line = drawn.lines[hover.line]!;
  const point = drawn.aligned.points[hover.line]![hover.at]!;
  return point < 0 ? null : { line, pick: line.pick(point) };
}

function pickHovered(latest: Latest): void {
  const found = hovered(latest);
  if (found) latest.props.onPick(found.line, found.pick);
}

/** Returns where a key leads, `none` to let go, null for a key that means nothing here. */
function keyed(key: string, latest: Latest, plot: uPlot): Hover | "none" | null {
  const { hover, drawn, props } = latest;
  const found = hovered(latest);
  if (key === "Escape") return "none";
  if (key === "Enter" || key === " ") return pickHovered(latest), hover;
  if ((key === "a" || key === "b") && found) return props.onSide(key, found.line, found.pick), hover;
  if (key === "ArrowLeft" || key === "ArrowRight") {
    const line = hover?.line ?? 0;
    const at = stepped(drawn, line, hover?.at ?? drawn.aligned.xs.length, key === "ArrowRight" && hover ? 1 : -1);
    return at === null ? hover : placeOnPlot(plot, drawn, line, at);
  }
  if (key === "ArrowUp" || key === "ArrowDown") {
    const line = ((hover?.line ?? 0) + (key === "ArrowDown" ? 1 : drawn.lines.length - 1)) % drawn.lines.length;
    const from = hover?.at ?? drawn.aligned.xs.length;
    const at = stepped(drawn, line, from + 1, -1) ?? stepped(drawn, line, from, 1);
    return at === null ? hover : placeOnPlot(plot, drawn, line, at);
  }
  return null;
}

function stepped(drawn: Drawn, line: number, from: number, step: 1 | -1): number | null {
  for (let at = from + step; at >= 0 && at < drawn.aligned.xs.length; at += step) {
    if (drawn.aligned.points[line]![at]! >= 0) return at;
  }
  return null;
}

function useWidth(root: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const measure = (): void => setWidth(Math.floor(root.current?.clientWidth ?? 0));
    measure();
    const observer = new ResizeObserver(measure);
    if (root.current) observer.observe(root.current);
    return () => observer.disconnect();
  }, []);
  return width;
}
