// Two commits, two machines or two values of an axis, side by side. Values and ratios; no verdicts, since the data has none for a choice like this.
import { useMemo } from "preact/hooks";
import { useCompared } from "../data/compared";
import { dimensionName } from "../data/dimensions";
import type { Sides } from "../data/pairs";
import { searched } from "../data/search";
import type { Site } from "../data/site";
import { type Subject, type Subjects, loadSubjects } from "../data/subjects";
import { type Option, Segments, Select } from "../frame/controls";
import { Problem, Waiting } from "../frame/problem";
import { literalText } from "../format/literal";
import { rangeUrl, shortSubject } from "../format/subject";
import { date } from "../format/time";
import { counted } from "../format/unit";
import { useLoaded } from "../state/loaded";
import { useNavigation } from "../state/navigation";
import { filters } from "../state/route";
import { PairTable } from "../table/pairs";
import { SubjectField } from "../frame/subject_field";

export function Compare({ site }: { site: Site }) {
  const subjects = useLoaded(loadSubjects, "subjects");
  return (
    <>
      <div class="title-row"><h1>Compare</h1><p class="muted">B divided by A. Each side is a single point of its series with its interval, not a verdict.</p></div>
      {subjects.error ? <Problem error={subjects.error} /> : subjects.value ? <Comparison site={site} subjects={subjects.value} /> : <Waiting what="the history" />}
    </>
  );
}

function Comparison({ site, subjects }: { site: Site; subjects: Subjects }) {
  const { place } = useNavigation();
  const { query } = place;
  const kinds = kindsOf(site);
  const by = kinds.find((kind) => kind.value === query.get("by"))?.value ?? "commit";
  const sides = sidesOf(site, subjects, by, query);
  const key = ["by", "a", "b", "at", "q"].map((name) => query.get(name) ?? "").join("\n") + [...filters(query)].map(([name, values]) => `${name}${[...values]}`).join("\n");
  const benchmarks = useMemo(() => searched(site.benchmarks, query.get("q") ?? ""), [site, query.get("q")]);
  const compared = useCompared(site, benchmarks, sides, key);
  const isDone = compared.n_done === compared.n_all;
  return (
    <>
      <Toolbar site={site} subjects={subjects} kinds={kinds} by={by} sides={sides} />
      {!sides && <p class="empty">Choose two sides that the history has.</p>}
      {compared.error && <Problem error={compared.error} />}
      {sides && (
        <p class="muted progress" role="status">
          {counted(compared.pairs.length, "pair")}
          {!isDone && !compared.error && <> · reading {compared.n_done} of {counted(compared.n_all, "benchmark")} <progress max={compared.n_all} value={compared.n_done} aria-label="Benchmarks read" /></>}
        </p>
      )}
      {sides && <PairTable site={site} pairs={compared.pairs} sides={sides} names={by === "commit" ? [subjectName(subjects, sides.aPosition), subjectName(subjects, sides.bPosition)] : [literalText(sides.a), literalText(sides.b)]} />}
    </>
  );
}

interface ToolbarProps {
  site: Site;
  subjects: Subjects;
  kinds: Option[];
  by: string;
  sides: Sides | null;
}

function Toolbar({ site, subjects, kinds, by, sides }: ToolbarProps) {
  const { place, change } = useNavigation();
  const chosen = filters(place.query);
  const values = valuesOf(site, by);
  const filterable = [{ name: "machine", label: "Machine", values: site.machines.map((machine) => machine.name) }, ...Object.entries(site.axes).map(([axis, all]) => ({ name: `axis.${axis}`, label: axis, values: all }))].filter((one) => one.values.length > 1 && one.name !== by);
  const [a, b] = sides && by === "commit" ? [subjects.list[sides.aPosition!], subjects.list[sides.bPosition!]] : [];
  const url = a && b ? rangeUrl(site, a.subject, b.subject) : undefined;
  return (
    <div class="toolbar">
      <Segments label="" value={by} options={kinds} onChange={(value) => change({ by: value === "commit" ? null : value, a: null, b: null, [value]: null })} />
      {by === "commit" ? (
        <>
          <SubjectField label="A" subjects={subjects} value={a} onChoose={(subject) => change({ a: subject })} />
          <SubjectField label="B" subjects={subjects} value={b} onChoose={(subject) => change({ b: subject })} />
        </>
      ) : (
        <>
          <Select label="A" value={sides?.a ?? ""} options={values} onChange={(value) => change({ a: value })} />
          <Select label="B" value={sides?.b ?? ""} options={values} onChange={(value) => change({ b: value })} />
        </>
      )}
      <button type="button" class="button" onClick={() => sides && change({ a: b?.subject ?? sides.b, b: a?.subject ?? sides.a })}>Swap</button>
      {url && <a href={url} rel="noreferrer">commits between</a>}
      <span class="bar-space" />
      {filterable.map(({ name, label, values }) => <Select key={name} label={label} value={[...(chosen.get(name) ?? [])][0] ?? ""} options={[{ value: "", text: "any" }, ...values.map((value) => ({ value, text: literalText(value) }))]} onChange={(value) => change({ [name]: value })} />)}
      <input type="search" data-search aria-label="Search benchmarks" placeholder="Search   /" value={place.query.get("q") ?? ""} onInput={(event) => change({ q: event.currentTarget.value }, true)} />
    </div>
  );
}

function kindsOf(site: Site): Option[] {
  const axes = Object.keys(site.axes).filter((axis) => site.axes[axis]!.length > 1).map((axis) => `axis.${axis}`);
  return [{ value: "commit", text: "commits" }, ...(site.machines.length > 1 ? [{ value: "machine", text: "machines" }] : []), ...axes.map((axis) => ({ value: axis, text: dimensionName(axis) }))];
}

function valuesOf(site: Site, by: string): Option[] {
  const values = by === "machine" ? site.machines.map((machine) => machine.name) : (site.axes[by.slice(5)] ?? []);
  return values.map((value) => ({ value, text: literalText(value) }));
}

/** Returns the sides that an address asks for: a month ago and the newest, or the first two values, where it asks for none. */
function sidesOf(site: Site, subjects: Subjects, by: string, query: URLSearchParams): Sides | null {
  const chosen = filters(query);
  if (by === "commit") {
    const a = query.has("a") ? subjects.find(query.get("a")!) : monthAgo(subjects);
    const b = query.has("b") ? subjects.find(query.get("b")!) : subjects.list[subjects.list.length - 1];
    return a && b ? { by, a: a.subject, b: b.subject, aPosition: a.position, bPosition: b.position, filters: chosen } : null;
  }
  const values = valuesOf(site, by).map((option) => option.value);
  const a = query.get("a") ?? values[0];
  const b = query.get("b") ?? values.find((value) => value !== a);
  const at = query.has("at") ? (subjects.find(query.get("at")!)?.position ?? null) : null;
  return a !== undefined && b !== undefined ? { by, a, b, aPosition: at, bPosition: at, filters: chosen } : null;
}

function monthAgo(subjects: Subjects): Subject | undefined {
  const limit = (subjects.times_s[subjects.times_s.length - 1] ?? 0) - 30 * 86400;
  return [...subjects.list].reverse().find((subject) => subjects.times_s[subject.position]! <= limit) ?? subjects.list[0];
}

function subjectName(subjects: Subjects, position: number | null): string {
  const subject = position === null ? undefined : subjects.list[position];
  return subject ? `${subject.tags[0] ?? shortSubject(subject.subject)}, ${date(subject.time)}` : "";
}
