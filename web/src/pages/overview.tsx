// What changed lately, how the machines stand, and how much is measured.
import { useMemo, useState } from "preact/hooks";
import { type ChangeGroup, type GroupedChange, type Site, seriesById } from "../data/site";
import { GroupCard } from "../table/group";
import { MachineList } from "../table/machines";
import { Segments, Select } from "../frame/controls";
import { ago, moment } from "../format/time";
import { counted, rough } from "../format/unit";
import { useKeys } from "../state/keyboard";
import { useNavigation } from "../state/navigation";
import { choice } from "../state/route";

const N_FIRST = 12;

export function Overview({ site }: { site: Site }) {
  const { place, change } = useNavigation();
  const { query } = place;
  const [n_shown, setShown] = useState(N_FIRST);
  const machine = query.get("machine") ?? "";
  const way = choice(query, "way", ["all", "slower", "faster"]);
  useKeys((key, event) => {
    const isInList = document.activeElement?.closest(".changes") !== null;
    const step = key === "j" || (key === "ArrowDown" && isInList) ? 1 : key === "k" || (key === "ArrowUp" && isInList) ? -1 : 0;
    if (step !== 0 && focusNext(step)) event.preventDefault();
  });
  const groups = useMemo(() => chosenGroups(site, machine, way), [site, machine, way]);
  return (
    <>
      <div class="title-row">
        <h1>{site.project.name}</h1>
        <p class="muted">{counted(site.benchmarks.length, "benchmark")} on {counted(site.machines.length, "machine")}</p>
      </div>
      <Figures site={site} />
      <div class="columns">
        <section aria-labelledby="changed">
          <div class="section-head">
            <h2 id="changed">What changed lately</h2>
            <span class="bar-space" />
            {site.machines.length > 1 && <Select label="Machine" value={machine} options={[{ value: "", text: "any" }, ...site.machines.map(({ name }) => ({ value: name, text: name }))]} onChange={(value) => change({ machine: value })} />}
            <Segments label="Show" value={way} options={["all", "slower", "faster"].map((word) => ({ value: word, text: word }))} onChange={(value) => change({ way: value === "all" ? null : value })} />
          </div>
          {groups.length === 0 && <p class="empty">No lasting change was found{machine || way !== "all" ? " among these" : " in this history"}.</p>}
          {groups.slice(0, n_shown).map((group) => <GroupCard key={`${group.position}-${group.to}`} site={site} group={group} />)}
          {groups.length > n_shown && <button type="button" class="button wide" onClick={() => setShown(n_shown + 24)}>Show older ({groups.length - n_shown} more)</button>}
        </section>
        <section aria-labelledby="machines" class="aside">
          <div class="section-head"><h2 id="machines">Machines</h2></div>
          <MachineList site={site} />
        </section>
      </div>
    </>
  );
}

/** Moves the focus through the changes; the arrows scroll as long as none has it. */
function focusNext(step: number): boolean {
  const links = [...document.querySelectorAll<HTMLElement>(".changes tbody a")];
  const at = links.indexOf(document.activeElement as HTMLElement);
  const next = links[Math.max(0, at + step)];
  next?.focus();
  return next !== undefined;
}

function Figures({ site }: { site: Site }) {
  const figures: [string, string, string?][] = [
    [rough(site.n_series), "series"],
    [rough(site.n_points), "points"],
    [rough(site.n_subjects), site.newest && /^[0-9a-f]{40}/.test(site.newest.subject) ? "commits" : "subjects"],
    ...(site.newest ? [[site.newest.short, `newest, ${ago(site.newest.time)}`, moment(site.newest.time)] as [string, string, string]] : []),
  ];
  return (
    <dl class="figures">
      {figures.map(([value, name, title]) => (
        <div key={name} title={title}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Returns the groups with the changes that were asked for, newest first; a group without any is left out. */
function chosenGroups(site: Site, machine: string, way: string): ChangeGroup[] {
  const isWanted = (change: GroupedChange): boolean => {
    const one = seriesById(site, change.series);
    const isHere = machine === "" || (one !== undefined && site.machines[one.series.machine]?.name === machine);
    return isHere && (way === "all" || change.verdict === way);
  };
  return site.groups
    .map((group) => ({ ...group, changes: group.changes.filter(isWanted) }))
    .filter((group) => group.changes.length > 0)
    .sort((a, b) => b.position - a.position);
}
