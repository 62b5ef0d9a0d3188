// The point that is held, and its comparison with another: values, ratio, the commits between.
import { useState } from "preact/hooks";
import { seriesKey, unitOf } from "../data/dimensions";
import type { Points } from "../data/results";
import type { SeriesOf, Site } from "../data/site";
import type { Subject, Subjects } from "../data/subjects";
import { Change } from "../format/change";
import { commitUrl, logCommand, rangeUrl, shortSubject } from "../format/subject";
import { moment } from "../format/time";
import { human, humanRange } from "../format/unit";
import { cut } from "../frame/name";
import { useNavigation } from "../state/navigation";
import { LineRatios } from "./line_ratios";
import { type Line, lastIndex } from "./lines";

interface HeldProps {
  site: Site;
  subjects: Subjects;
  /** The series of the point that was chosen, with its key. */
  line: Line | undefined;
  lines: Line[];
  a: Subject | undefined;
  b: Subject | undefined;
}

export function Held({ site, subjects, line, lines, a, b }: HeldProps) {
  const { change } = useNavigation();
  if (!a && !b) return null;
  const side = line && line.places.length > 0 ? line.pick(0) : undefined;
  const [first, second] = a && b && a.position > b.position ? [b, a] : [a, b];
  return (
    <section class="held" aria-label="Chosen points">
      {first && <Side name={`${b && a ? "A" : "Held"}${line?.label ? ` · ${line.label}` : ""}`} site={site} subject={first} side={side} />}
      {second && <Side name={`${b && a ? "B" : "Held"}${line?.label ? ` · ${line.label}` : ""}`} site={site} subject={second} side={side} />}
      {first && second && <Between site={site} subjects={subjects} first={first} second={second} side={side} />}
      {first && second && lines.length > 1 && <LineRatios site={site} lines={lines} first={first} second={second} />}
      <div class="held-actions">
        {!(a && b) && <p class="muted small">Click another point to compare it with this one.</p>}
        {a && b && <button type="button" class="button" onClick={() => change({ a: null })}>Keep only the last point</button>}
        <button type="button" class="button" onClick={() => change({ a: null, b: null, s: null })}>Let go</button>
      </div>
    </section>
  );
}

interface SideData {
  one: SeriesOf;
  points: Points;
}

function Side({ name, site, subject, side }: { name: string; site: Site; subject: Subject; side: SideData | undefined }) {
  const { href, change } = useNavigation();
  const url = commitUrl(site, subject);
  const index = side ? lastIndex(side.points, subject.position) : -1;
  const isExact = side !== undefined && index >= 0 && side.points.positions[index] === subject.position;
  return (
    <div class="side">
      <div class="side-name">{name}</div>
      <div>{url ? <a class="mono" href={url} rel="noreferrer">{shortSubject(subject.subject)}</a> : <span class="mono">{shortSubject(subject.subject)}</span>} <span class="muted">{moment(subject.time)}</span></div>
      {subject.title && <div class="side-title">{cut(subject.title, 160)}</div>}
      {side && index >= 0 && <Value site={site} side={side} index={index} />}
      {side && !isExact && <div class="muted small">{index < 0 ? "not measured up to here" : "measured before this subject"}</div>}
      {side && isExact && <div class="side-links">
        <a href={href("run", { name: side.one.benchmark.name, s: seriesKey(site, side.one), at: subject.subject })}>where it comes from</a>
        <button type="button" class="link" onClick={() => change({ norm: `subject:${subject.subject}` })}>divide by it</button>
      </div>}
    </div>
  );
}

function Value({ site, side, index }: { site: Site; side: SideData; index: number }) {
  const unit = unitOf(site, side.one);
  const { points } = side;
  const [lower, upper] = [points.lowers[index] ?? null, points.uppers[index] ?? null];
  return (
    <div>
      <strong>{human(points.values[index]!, unit)}</strong>
      {lower !== null && upper !== null && <span class="muted"> {humanRange(lower, upper, unit)} (99 %)</span>}
      <span class="muted"> · {points.n_samples[index] || "unknown"} samples</span>
    </div>
  );
}

interface BetweenProps {
  site: Site;
  subjects: Subjects;
  first: Subject;
  second: Subject;
  side: SideData | undefined;
}

function Between({ site, first, second, side }: BetweenProps) {
  const { href } = useNavigation();
  const command = logCommand(first.subject, second.subject);
  const url = rangeUrl(site, first.subject, second.subject);
  return (
    <div class="side">
      <div class="side-name">A to B</div>
      {side && <Ratio first={first} second={second} side={side} />}
      {command && <div class="command"><code>{command}</code><Copy text={command} /></div>}
      <div class="side-links">
        {url && <a href={url} rel="noreferrer">commits between them</a>}
        <a href={href("compare", { a: first.subject, b: second.subject })}>compare all benchmarks</a>
      </div>
    </div>
  );
}

function Ratio({ first, second, side }: { first: Subject; second: Subject; side: SideData }) {
  const [from, to] = [lastIndex(side.points, first.position), lastIndex(side.points, second.position)];
  if (from < 0 || to < 0) return null;
  const ratio = side.points.values[to]! / side.points.values[from]!;
  return <div class="ratio"><Change ratio={ratio} /> <span class="muted small">B divided by A, single points</span></div>;
}

export function Copy({ text }: { text: string }) {
  const [isDone, setDone] = useState(false);
  const copy = (): void => {
    void navigator.clipboard?.writeText(text).then(() => {
      setDone(true);
      setTimeout(() => setDone(false), 1500);
    });
  };
  return <button type="button" class="button small" onClick={copy}><span aria-live="polite">{isDone ? "Copied" : "Copy"}</span></button>;
}
