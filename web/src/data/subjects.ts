// What was measured, by position: commits, versions and dates in the order of history.
import { json } from "./json";

export interface Subject {
  position: number;
  kind: "commit" | "version" | "date";
  subject: string;
  time: string | null;
  title: string | null;
  tags: string[];
}

export interface Subjects {
  list: Subject[];
  /** Seconds since 1970 by position; what has no time takes its predecessor's, so that nothing is out of order for want of a date. */
  times_s: number[];
  find(text: string): Subject | undefined;
}

let subjects: Promise<Subjects> | undefined;

/** Returns all subjects; they are fetched once. */
export function loadSubjects(): Promise<Subjects> {
  subjects ??= json<{ schema: string; subjects: Subject[] }>("data/subjects.json", "tacho.subjects/1").then((file) =>
    placed(file.subjects),
  );
  return subjects;
}

/** Puts subjects at their positions, with their times, and finds them by hash, tag or name. */
export function placed(list: Subject[]): Subjects {
  const names = new Map<string, Subject>();
  for (const subject of list) {
    for (const tag of subject.tags) names.set(tag, subject);
  }
  for (const subject of list) names.set(subject.subject, subject);
  return { list, times_s: times(list), find: (text) => names.get(text) ?? byPrefix(list, text) };
}

/** A hash may be cut short, down to four digits, where only one begins so. */
function byPrefix(list: Subject[], text: string): Subject | undefined {
  if (text.length < 4) return undefined;
  const found = list.filter((subject) => subject.kind === "commit" && subject.subject.startsWith(text));
  return found.length === 1 ? found[0] : undefined;
}

function times(list: Subject[]): number[] {
  const known = list.map((subject) => (subject.time === null ? Number.NaN : Date.parse(subject.time) / 1000));
  let last = known.find(Number.isFinite) ?? 0;
  return known.map((time) => (last = Number.isFinite(time) ? time : last));
}
