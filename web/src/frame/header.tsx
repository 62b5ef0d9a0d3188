// The bar at the top: project, pages, search, theme, help.
import type { Site } from "../data/site";
import { useNavigation } from "../state/navigation";
import type { PageName } from "../state/route";
import type { Theme } from "../state/theme";
import { Finder } from "./finder";

const LINKS: [PageName, string][] = [
  ["overview", "Overview"],
  ["benchmarks", "Benchmarks"],
  ["compare", "Compare"],
  ["machines", "Machines"],
];

interface HeaderProps {
  site: Site;
  theme: Theme;
  onTheme(): void;
  onHelp(): void;
}

export function Header({ site, theme, onTheme, onHelp }: HeaderProps) {
  const { place, href, go } = useNavigation();
  const current = place.page === "benchmark" ? "benchmarks" : place.page;
  return (
    <header class="bar">
      <a class="brand" href={href("overview")}>
        <Mark />
        <span>{site.project.name}</span>
      </a>
      <nav aria-label="Pages">
        {LINKS.map(([page, name]) => (
          <a key={page} href={href(page)} aria-current={page === current ? "page" : undefined}>{name}</a>
        ))}
      </nav>
      <span class="bar-space" />
      {place.page !== "benchmarks" && (
        <Finder site={site} label="Find a benchmark" onChoose={(name) => go(href("benchmark", { name }))} onAll={(text) => go(href("benchmarks", { q: text }))} />
      )}
      <button type="button" class="icon" onClick={onTheme} aria-label={theme === "dark" ? "Use light colours" : "Use dark colours"} title="Dark or light (d)">
        <svg viewBox="0 0 20 20" aria-hidden="true"><circle cx="10" cy="10" r="6.5" /><path class="fill" d="M10 3.5a6.5 6.5 0 0 1 0 13z" /></svg>
      </button>
      <button type="button" class="icon" onClick={onHelp} aria-label="Keys and help" title="Help (?)">?</button>
    </header>
  );
}

/** A needle on a disc, the sign of a tachograph. */
function Mark() {
  return (
    <svg class="mark" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M4.2 17.5a9 9 0 1 1 15.6 0" />
      <path class="needle" d="M12 13.5 16.6 8" />
      <circle class="hub" cx="12" cy="13.5" r="1.7" />
    </svg>
  );
}
