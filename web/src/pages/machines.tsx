// The machines: their facts, and when these changed.
import { loadSubjects, type Subjects } from "../data/subjects";
import type { Machine, Site } from "../data/site";
import { shortSubject } from "../format/subject";
import { ago, date, moment } from "../format/time";
import { counted, grouped } from "../format/unit";
import { useLoaded } from "../state/loaded";
import { useNavigation } from "../state/navigation";
import { MachineState } from "../table/machines";

export function Machines({ site }: { site: Site }) {
  const { place } = useNavigation();
  const subjects = useLoaded(loadSubjects, "subjects").value;
  const chosen = place.query.get("m");
  const facts = [...new Set(site.machines.flatMap((machine) => Object.keys(machine.facts)))];
  return (
    <>
      <div class="title-row"><h1>Machines</h1><p class="muted">{counted(site.machines.length, "machine")}</p></div>
      <div class="scroll-x" role="region" aria-label="Facts of the machines" tabIndex={0}>
        <table class="facts">
          <thead>
            <tr><td />{site.machines.map((machine) => <th scope="col" key={machine.name} class={machine.name === chosen ? "marked" : ""}>{machine.name} <MachineState machine={machine} /></th>)}</tr>
          </thead>
          <tbody>
            <FactRow name="last run" cells={site.machines.map((machine) => `${moment(machine.last_run)} (${ago(machine.last_run)})`)} />
            <FactRow name="last subject" cells={site.machines.map((machine) => subjectText(subjects, machine.last_position))} />
            <FactRow name="series" cells={site.machines.map((machine) => grouped(machine.n_series))} />
            <FactRow name="points" cells={site.machines.map((machine) => grouped(machine.n_points))} />
            {facts.map((fact) => <FactRow key={fact} name={fact} cells={site.machines.map((machine) => machine.facts[fact] ?? "–")} />)}
          </tbody>
        </table>
      </div>
      <h2>What changed about them</h2>
      {site.machines.map((machine) => <History key={machine.name} machine={machine} subjects={subjects} />)}
    </>
  );
}

function FactRow({ name, cells }: { name: string; cells: string[] }) {
  return <tr><th scope="row">{name}</th>{cells.map((cell, k) => <td key={k}>{cell}</td>)}</tr>;
}

function History({ machine, subjects }: { machine: Machine; subjects: Subjects | undefined }) {
  const { href } = useNavigation();
  return (
    <section class="machine-history">
      <h3>{machine.name} <a class="small" href={href("benchmarks", { machine: machine.name })}>its benchmarks</a></h3>
      {machine.facts_history.length === 0 ? <p class="muted">Nothing, as far as results tell.</p> : (
        <ol>
          {[...machine.facts_history].reverse().map((entry) => (
            <li key={entry.position}>
              <time class="muted">{date(subjects?.list[entry.position]?.time ?? null)}</time>
              <span class="mono muted">{subjectText(subjects, entry.position)}</span>
              <span>{Object.entries(entry.facts).map(([fact, value]) => `${fact}: ${value}`).join(", ")}</span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

function subjectText(subjects: Subjects | undefined, position: number | null): string {
  const subject = position === null ? undefined : subjects?.list[position];
  return subject ? shortSubject(subject.subject) : "–";
}
