// What a point says: commit, date, value with its unit, interval.
import { unitOf } from "../data/dimensions";
import type { Analysis } from "../data/analysis";
import type { Site } from "../data/site";
import type { Subjects } from "../data/subjects";
import { shortSubject } from "../format/subject";
import { moment } from "../format/time";
import { human, humanRange, significant } from "../format/unit";
import { cut } from "../frame/name";
import type { Theme } from "../state/theme";
import { happeningWords } from "./happenings";
import { Swatch } from "./legend";
import type { Line } from "./lines";
import type { Hover } from "./plot";

interface TooltipProps {
  site: Site;
  subjects: Subjects;
  analysis: Analysis;
  line: Line;
  point: number;
  hover: Hover;
  over: HTMLElement;
  theme: Theme;
}

const WIDTH_PX = 264;

export function Tooltip({ site, subjects, analysis, line, point, hover, over, theme }: TooltipProps) {
  if (point < 0) return null;
  const { points, index, one } = line.pick(point);
  const subject = subjects.list[points.positions[index]!];
  const unit = unitOf(site, one);
  const value = points.values[index] ?? null;
  const [lower, upper] = [points.lowers[index] ?? null, points.uppers[index] ?? null];
  const ratio = line.isRatio ? (line.values[point] ?? null) : null;
  const isRight = hover.left_px > over.clientWidth - WIDTH_PX - 20;
  const left = over.offsetLeft + hover.left_px + (isRight ? -WIDTH_PX - 14 : 14);
  return (
    <>
      <span class="hover-dot" style={{ left: `${over.offsetLeft + hover.left_px}px`, top: `${over.offsetTop + hover.top_px}px` }} />
      <div class="tooltip" role="presentation" style={{ left: `${Math.max(4, left)}px`, top: `${over.offsetTop + Math.min(Math.max(hover.top_px - 30, 0), Math.max(0, over.clientHeight - 130))}px`, width: `${WIDTH_PX}px` }}>
        <div class="tooltip-value">
          {value === null ? points.outcomes[index]?.replace("_", " ") : ratio === null ? human(value, unit) : `${significant(ratio)}×`}
          {value !== null && ratio !== null && <span class="muted"> {human(value, unit)}</span>}
        </div>
        {value !== null && lower !== null && upper !== null && <div class="muted">{humanRange(lower, upper, unit)} (99 %)</div>}
        <div class="tooltip-line"><Swatch line={line} theme={theme} /> <span class="ellipsis">{line.label || one.benchmark.name}</span></div>
        <div><span class="mono">{subject ? shortSubject(subject.subject) : "–"}</span> {subject?.tags.map((tag) => <span class="pill" key={tag}>{tag}</span>)} <span class="muted">{moment(subject?.time ?? null)}</span></div>
        {happeningWords(analysis, line, points.positions[index]!).map((words) => <div class="tooltip-event" key={words}>{words}</div>)}
        {subject?.title && <div class="ellipsis">{cut(subject.title, 120)}</div>}
        <div class="muted small">click: hold it, links, comparison</div>
      </div>
    </>
  );
}

/** Returns a point in words, for readers who hear the page. */
export function pointWords(site: Site, subjects: Subjects, line: Line, point: number): string {
  if (point < 0) return "";
  const { points, index, one } = line.pick(point);
  const subject = subjects.list[points.positions[index]!];
  const value = points.values[index] ?? null;
  const said = value === null ? (points.outcomes[index] ?? "") : human(value, unitOf(site, one));
  return `${line.label}: ${said}, ${subject ? `${shortSubject(subject.subject)}, ${moment(subject.time)}` : ""}`;
}
