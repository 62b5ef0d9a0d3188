// One run: where a number comes from.
import type { ComponentChildren } from "preact";
import { seriesKey, seriesLabel, dimensionsOf, unitOf } from "../data/dimensions";
import { type PublishedFile, loadFiles, rawFile } from "../data/files";
import { loadPoints, loadRow } from "../data/results";
import type { SeriesOf, Site } from "../data/site";
import { type Subject, type Subjects, loadSubjects } from "../data/subjects";
import { commitUrl } from "../format/subject";
import { moment } from "../format/time";
import { human, humanRange } from "../format/unit";
import { BenchmarkName, cut } from "../frame/name";
import { Problem, Waiting } from "../frame/problem";
import { useLoaded } from "../state/loaded";
import { useNavigation } from "../state/navigation";

interface FoundRun {
  one: SeriesOf;
  subject: Subject;
  row: Record<string, unknown>;
  raw: PublishedFile | undefined;
}

export function Run({ site }: { site: Site }) {
  const { place } = useNavigation();
  const [name, series, at] = ["name", "s", "at"].map((key) => place.query.get(key) ?? "");
  const found = useLoaded(() => findRun(site, name!, series!, at!), [name, series, at].join("\n"));
  return (
    <>
      <div class="title-row"><h1>Run</h1><p class="muted">Where a number comes from</p></div>
      {found.error ? <Problem error={found.error} /> : found.value ? <Found site={site} run={found.value} /> : <Waiting what="the run" />}
    </>
  );
}

async function findRun(site: Site, name: string, key: string, at: string): Promise<FoundRun> {
  const benchmark = site.benchmarks.find((one) => one.name === name);
  if (!benchmark) throw new Error(name === "" ? "No run is chosen: click a point of a chart, then “where it comes from”." : "There is no such benchmark here.");
  const series = benchmark.series.find((one) => seriesKey(site, { benchmark, series: one }) === key);
  const subjects: Subjects = await loadSubjects();
  const subject = subjects.find(at);
  if (!series || !subject) throw new Error("There is no such point in the history any more.");
  const points = (await loadPoints(benchmark)).get(series.id);
  const index = points?.positions.indexOf(subject.position) ?? -1;
  if (!points || index < 0) throw new Error("This series was not measured at this subject.");
  const row = await loadRow(benchmark, points.rows[index]!);
  const files = await loadFiles().catch(() => []);
  return { one: { benchmark, series }, subject, row, raw: rawFile(files, text(row.source), row.record === null ? null : text(row.record)) };
}

function Found({ site, run }: { site: Site; run: FoundRun }) {
  const { href } = useNavigation();
  const { one, subject, row, raw } = run;
  const unit = unitOf(site, one);
  const url = commitUrl(site, subject);
  const rawPath = raw && /^raw\/[^:]*$/.test(raw.path) ? raw.path : undefined;
  return (
    <div class="run">
      <Facts title="What was measured" facts={[
        ["benchmark", <a href={href("benchmark", { name: one.benchmark.name, b: subject.subject, s: seriesKey(site, one) })}><BenchmarkName benchmark={one.benchmark} /></a>],
        ["series", seriesLabel(site, one, dimensionsOf(site, [one.benchmark]).filter((dimension) => dimension !== "benchmark"))],
        ["subject", url ? <a class="mono" href={url} rel="noreferrer">{subject.subject}</a> : <span class="mono">{cut(subject.subject, 120)}</span>],
        ["title", subject.title && cut(subject.title, 200)],
        ["date", moment(subject.time)],
        ["version of the benchmark", text(row.version)],
      ]} />
      <Facts title="What it gave" facts={[
        ["outcome", text(row.outcome).replace("_", " ")],
        ["value", typeof row.value === "number" ? human(row.value, unit) : ""],
        ["interval (99 %)", typeof row.lower === "number" && typeof row.upper === "number" ? humanRange(row.lower, row.upper, unit) : ""],
        ["spread", typeof row.spread === "number" ? human(row.spread, unit) : ""],
        ["samples", text(row.n_samples)],
        ["runs read as one", text(row.n_runs)],
        ["message", cut(text(row.message), 500)],
      ]} />
      <Facts title="Record" facts={[
        ["began", moment(text(row.started_at) || null)],
        ["method", text(row.method)],
        ["file", rawPath ? <a href={rawPath} class="mono">{rawPath}</a> : <span class="mono">{cut(text(row.source), 300)}</span>],
        ["digest", <span class="mono">{text(row.record)}</span>],
        ["branch", text(row.branch)],
        ["quick look", row.quick === true ? "yes" : ""],
        ["complete", row.complete === false ? "no" : ""],
        ["measured with", text(row.tool_version)],
      ]} />
      <Facts title="Machine" facts={[["name", text(row.machine)], ...pairsOf(row.machine_facts)]} />
      <Facts title="Environment" facts={pairsOf(row.environment)} />
      <Facts title="Setup" facts={pairsOf(row.setup)} />
      <Facts title="Packages" facts={pairsOf(row.packages)} />
    </div>
  );
}

function Facts({ title, facts }: { title: string; facts: [string, ComponentChildren][] }) {
  const told = facts.filter(([, value]) => value !== "" && value !== null && value !== undefined);
  if (told.length === 0) return null;
  return (
    <section class="fact-box">
      <h2>{title}</h2>
      <dl>{told.map(([name, value]) => <div key={name}><dt>{cut(name, 80)}</dt><dd>{value}</dd></div>)}</dl>
    </section>
  );
}

/** Reads a column that holds a JSON object of texts. */
function pairsOf(column: unknown): [string, string][] {
  try {
    const object: unknown = typeof column === "string" ? JSON.parse(column) : column;
    return object && typeof object === "object" ? Object.entries(object).map(([name, value]) => [name, cut(text(value), 600)]) : [];
  } catch {
    return [];
  }
}

function text(value: unknown): string {
  if (value === null || value === undefined) return "";
  return value instanceof Date ? value.toISOString() : String(value);
}
