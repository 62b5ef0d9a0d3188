// Changes that came together: what can be to blame, and which series moved how far.
import { useState } from "preact/hooks";
import { Spark } from "../chart/spark";
import { seriesKey, unitOf } from "../data/dimensions";
import { type ChangeGroup, type GroupedChange, type Site, seriesById } from "../data/site";
import { Change } from "../format/change";
import { rangeUrl, safeUrl, shortSubject } from "../format/subject";
import { date } from "../format/time";
import { counted, human, percent } from "../format/unit";
import { BenchmarkName, cut } from "../frame/name";
import { useNavigation } from "../state/navigation";
import { entryLabel } from "./benchmarks";

const N_FIRST = 4;

export function GroupCard({ site, group }: { site: Site; group: ChangeGroup }) {
  const { href } = useNavigation();
  const [isOpen, setOpen] = useState(false);
  const { changes } = group;
  const shown = isOpen ? changes : largest(changes).slice(0, N_FIRST);
  const machines = [...new Set(changes.map((change) => machineOf(site, change)))].filter(Boolean);
  const benchmarks = new Set(changes.map((change) => change.benchmark));
  return (
    <article class="group">
      <header>
        <div class="group-title">
          <h3>{group.title ? cut(group.title, 200) : shortSubject(group.to)}</h3>
          <time dateTime={group.time ?? undefined} class="muted">{date(group.time)}</time>
        </div>
        <p class="group-facts">
          <Counts changes={changes} />
          <span>{counted(benchmarks.size, "benchmark")}</span>
          <span>{machines.join(", ")}</span>
          <Range site={site} group={group} />
          {group.from !== null && <a href={href("compare", { a: group.from, b: group.to })}>compare</a>}
        </p>
        {group.machine_events.length > 0 && <p class="note">Most series of {group.machine_events.join(", ")} moved alike: more likely the machine than the code.</p>}
      </header>
      <div class="scroll-x">
        <table class="changes">
          <colgroup><col /><col class="c-shown" /><col class="c-spark" /><col class="c-pair" /><col class="c-effect" /></colgroup>
          <thead class="visually-hidden"><tr><th scope="col">Benchmark</th><th scope="col">Series</th><th scope="col">History</th><th scope="col">Before and after</th><th scope="col">Change</th></tr></thead>
          <tbody>{shown.map((change) => <ChangeRow key={change.series} site={site} group={group} change={change} n_more={isOpen ? 0 : changes.filter((other) => other.benchmark === change.benchmark).length - 1} />)}</tbody>
        </table>
      </div>
      {changes.length > shown.length || isOpen ? <button type="button" class="link more" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>{isOpen ? "Show fewer" : `Show all ${changes.length} series`}</button> : null}
    </article>
  );
}

/** Returns the largest change of each benchmark, in the order of the list. */
function largest(changes: GroupedChange[]): GroupedChange[] {
  const seen = new Set<number>();
  return changes.filter(({ benchmark }) => !seen.has(benchmark) && seen.add(benchmark));
}

function Counts({ changes }: { changes: GroupedChange[] }) {
  const n_slower = changes.filter((change) => change.verdict === "slower").length;
  const n_faster = changes.filter((change) => change.verdict === "faster").length;
  return (
    <>
      {n_slower > 0 && <span class="pill worse"><span aria-hidden="true">▲</span> {n_slower} slower</span>}
      {n_faster > 0 && <span class="pill better"><span aria-hidden="true">▼</span> {n_faster} faster</span>}
    </>
  );
}

/** The commits that can be to blame, linked to the forge where it is known. */
function Range({ site, group }: { site: Site; group: ChangeGroup }) {
  const text = group.from === null ? shortSubject(group.to) : `${shortSubject(group.from)}..${shortSubject(group.to)}`;
  const commit = site.project.commit_url && /^[0-9a-f]{40}/.test(group.to) ? safeUrl(site.project.commit_url.replace("{commit}", group.to)) : undefined;
  const url = group.n_candidates === 1 ? commit : (rangeUrl(site, group.from, group.to) ?? commit);
  const count = group.n_candidates === null || group.n_candidates === 1 ? "" : ` (${group.n_candidates} commits)`;
  const shown = group.n_candidates === 1 ? shortSubject(group.to) : text;
  return <span>{url ? <a href={url} rel="noreferrer" class="mono">{shown}</a> : <span class="mono">{shown}</span>}{count}</span>;
}

function ChangeRow({ site, group, change, n_more }: { site: Site; group: ChangeGroup; change: GroupedChange; n_more: number }) {
  const { href } = useNavigation();
  const benchmark = site.benchmarks[change.benchmark];
  const one = seriesById(site, change.series);
  if (!benchmark || !one) return null;
  const unit = unitOf(site, one);
  const ratio = change.effect === null ? null : 1 + change.effect;
  const interval = change.lower === null || change.upper === null ? "" : `${percent(1 + change.lower)} to ${percent(1 + change.upper)} (99 %)`;
  const link = href("benchmark", { name: benchmark.name, machine: machineOf(site, change), a: group.from, b: group.to, s: seriesKey(site, one) });
  return (
    <tr>
      <th scope="row"><a href={link}><BenchmarkName benchmark={benchmark} /></a></th>
      <td class="c-shown muted">{n_more > 0 && <span class="pill" title="More series of this benchmark changed here">+{n_more}</span>} {entryLabel(site, one)}</td>
      <td class="c-spark"><Spark values={one.series.spark} /></td>
      <td class="number c-pair">{change.before === null ? "–" : human(change.before, unit)} <span class="muted">→</span> {change.after === null ? "–" : human(change.after, unit)}</td>
      <td class="number c-effect" title={interval}>
        <Change ratio={ratio} verdict={change.verdict} />
        {change.state !== "confirmed" && <span class="pill state">{change.state}</span>}
      </td>
    </tr>
  );
}

function machineOf(site: Site, change: GroupedChange): string {
  const one = seriesById(site, change.series);
  return one ? (site.machines[one.series.machine]?.name ?? "") : "";
}
