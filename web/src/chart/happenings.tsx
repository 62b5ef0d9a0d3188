// What the history says of the lines that are drawn: change points and events in words, and what their marks mean.
import { useState } from "preact/hooks";
import type { Analysis, ChangePoint, SeriesEvent } from "../data/analysis";
import type { Site } from "../data/site";
import type { Subjects } from "../data/subjects";
import { Change, changeVerdict } from "../format/change";
import { commitUrl, shortSubject } from "../format/subject";
import { date } from "../format/time";
import { percent } from "../format/unit";
import { cut } from "../frame/name";
import { useNavigation } from "../state/navigation";
import type { Line } from "./lines";

interface Happening {
  position: number;
  /** Lines that it is told of: events of a benchmark or a machine meet many at once. */
  lines: Line[];
  change?: ChangePoint;
  event?: SeriesEvent;
}

interface HappeningsProps {
  site: Site;
  subjects: Subjects;
  analysis: Analysis;
  lines: Line[];
}

const N_FIRST = 8;

export function Happenings({ site, subjects, analysis, lines }: HappeningsProps) {
  const [isWhole, setWhole] = useState(false);
  const all = happenings(analysis, lines);
  if (all.length === 0) return null;
  const shown = isWhole ? all : all.slice(0, N_FIRST);
  return (
    <section class="below" aria-labelledby="happened">
      <div class="section-head">
        <h2 id="happened">Changes and events</h2>
        <span class="muted small marks-key">▲▼ a lasting change (hollow: not confirmed) · ◆ benchmark or machine changed · × failed</span>
      </div>
      <div class="scroll-x">
        <table class="happenings">
          <thead><tr><th scope="col">Date</th><th scope="col">Commit</th><th scope="col">What</th><th scope="col">Line</th></tr></thead>
          <tbody>{shown.map((one, k) => <Row key={k} site={site} subjects={subjects} one={one} />)}</tbody>
        </table>
      </div>
      {all.length > N_FIRST && <button type="button" class="link more" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>{isWhole ? "Show fewer" : `Show all ${all.length}`}</button>}
    </section>
  );
}

function Row({ site, subjects, one }: { site: Site; subjects: Subjects; one: Happening }) {
  const { change } = useNavigation();
  const subject = subjects.list[one.position];
  const before = one.change ? subjects.list[one.change.first] : subjects.list[one.position - 1];
  const url = commitUrl(site, subject);
  const [line] = one.lines;
  const name = subject ? shortSubject(subject.subject) : "–";
  return (
    <tr>
      <td class="muted">{date(subject?.time ?? null)}</td>
      <td>{url ? <a class="mono" href={url} rel="noreferrer">{name}</a> : <span class="mono">{name}</span>} <span class="muted">{cut(subject?.title ?? "", 60)}</span></td>
      <td>
        {one.change && <><Change ratio={one.change.effect === null ? null : 1 + one.change.effect} verdict={changeVerdict(one.change.effect, line!.one.benchmark.direction)} /> <span class="muted small">{intervalWords(one.change)}</span> <span class={one.change.state === "confirmed" ? "muted small" : "pill state"}>{one.change.state}</span></>}
        {one.event && <>◆ {eventWords(one.event)}</>}
      </td>
      <td>
        {one.lines.length > 1 ? <span class="muted">{one.lines.length} lines</span> : cut(line!.label, 80)}
        {subject && before && one.change && <> <button type="button" class="link" onClick={() => change({ a: before.subject, b: subject.subject })}>show</button></>}
      </td>
    </tr>
  );
}

/** Returns what happened in the drawn lines, newest first; the same event in several lines is one. */
function happenings(analysis: Analysis, lines: Line[]): Happening[] {
  const events = new Map<string, Happening>();
  const changes: Happening[] = [];
  for (const line of lines) {
    const found = Object.hasOwn(analysis, line.one.series.id) ? analysis[line.one.series.id] : undefined;
    for (const change of found?.changes ?? []) changes.push({ position: change.position, lines: [line], change });
    for (const event of found?.events ?? []) {
      const key = `${event.position} ${JSON.stringify(event.fields)}`;
      const known = events.get(key);
      if (known) known.lines.push(line);
      else events.set(key, { position: event.position, lines: [line], event });
    }
  }
  return [...changes, ...events.values()].sort((a, b) => b.position - a.position);
}

/** Returns what happened to one line at one subject, in short. */
export function happeningWords(analysis: Analysis, line: Line, position: number): string[] {
  const found = Object.hasOwn(analysis, line.one.series.id) ? analysis[line.one.series.id] : undefined;
  const changes = (found?.changes ?? []).filter((change) => change.position === position && change.effect !== null);
  const events = (found?.events ?? []).filter((event) => event.position === position);
  const spikes = (found?.spikes ?? []).includes(position) ? ["a spike"] : [];
  return [...changes.map((change) => `${change.state} change: ${percent(1 + change.effect!)}`), ...events.map((event) => `◆ ${eventWords(event)}`), ...spikes];
}

function eventWords({ fields }: SeriesEvent): string {
  return fields.map(({ field, before, after }) => `${cut(field, 60)}: ${cut(before ?? "–", 60)} → ${cut(after ?? "–", 60)}`).join(", ");
}

function intervalWords({ lower, upper }: ChangePoint): string {
  return lower === null || upper === null ? "" : `${percent(1 + lower)} to ${percent(1 + upper)}`;
}
