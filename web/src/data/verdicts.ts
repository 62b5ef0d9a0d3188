// What the data says of each series' last month: the verdict of the newest change in it.
import type { Site } from "./site";

const MONTH_MS = 30 * 86400e3;
const found = new WeakMap<Site, Map<number, string>>();

/** Returns `slower` or `faster` by series, for those that changed lastingly within 30 days before the newest subject. */
export function monthVerdicts(site: Site): Map<number, string> {
  let verdicts = found.get(site);
  if (!verdicts) found.set(site, (verdicts = verdictsOf(site)));
  return verdicts;
}

function verdictsOf(site: Site): Map<number, string> {
  const newest_ms = Date.parse(site.newest?.time ?? "");
  const recent = site.groups.filter((group) => group.time !== null && newest_ms - Date.parse(group.time) <= MONTH_MS);
  const ordered = recent.sort((a, b) => a.position - b.position);
  return new Map(ordered.flatMap((group) => group.changes.map((change) => [change.series, change.verdict] as const)));
}
