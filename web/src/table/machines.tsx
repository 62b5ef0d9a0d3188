// How each machine stands, in short.
import type { Machine, Site } from "../data/site";
import { ago, moment } from "../format/time";
import { counted, rough } from "../format/unit";
import { useNavigation } from "../state/navigation";

export function MachineList({ site }: { site: Site }) {
  const { href } = useNavigation();
  return (
    <ul class="machine-list">
      {site.machines.map((machine) => (
        <li key={machine.name}>
          <div class="machine-head">
            <a href={href("machines", { m: machine.name })}>{machine.name}</a>
            <MachineState machine={machine} />
          </div>
          <div class="muted small">{machine.facts.cpu ?? "processor unknown"}</div>
          <div class="muted small">
            <span title={moment(machine.last_run)}>last run {ago(machine.last_run)}</span> · {counted(machine.n_series, "series", "series")} · {rough(machine.n_points)} points
          </div>
        </li>
      ))}
    </ul>
  );
}

export function MachineState({ machine }: { machine: Machine }) {
  return machine.is_stale ? <span class="pill stale"><span aria-hidden="true">○</span> stale</span> : <span class="pill fresh"><span aria-hidden="true">●</span> up to date</span>;
}
