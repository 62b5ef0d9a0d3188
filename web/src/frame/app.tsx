// The frame of all pages: header, the page, footer, help.
import { useEffect, useRef, useState } from "preact/hooks";
import { type Site, loadSite } from "../data/site";
import { Benchmark } from "../pages/benchmark";
import { Benchmarks } from "../pages/benchmarks";
import { Compare } from "../pages/compare";
import { Machines } from "../pages/machines";
import { Overview } from "../pages/overview";
import { Run } from "../pages/run";
import { useKeys } from "../state/keyboard";
import { useLoaded } from "../state/loaded";
import { NavigationContext, useAddress, useNavigation } from "../state/navigation";
import type { PageName } from "../state/route";
import { useTheme } from "../state/theme";
import { Header } from "./header";
import { Help } from "./help";

const PAGES = { overview: Overview, benchmarks: Benchmarks, benchmark: Benchmark, compare: Compare, machines: Machines, run: Run };
const TITLES = { overview: "Overview", benchmarks: "Benchmarks", benchmark: "Benchmark", compare: "Compare", machines: "Machines", run: "Run" };
const GOES: Record<string, PageName> = { o: "overview", b: "benchmarks", c: "compare", m: "machines" };

export function App({ start, onReady, onFailure }: { start: PageName; onReady(): void; onFailure(error: Error): void }) {
  const navigation = useAddress(start);
  const site = useLoaded(loadSite, "site");
  useEffect(() => {
    if (site.value) onReady();
    if (site.error) onFailure(site.error);
  }, [site.value, site.error]);
  if (!site.value) return null;
  return (
    <NavigationContext.Provider value={navigation}>
      <Frame site={site.value} />
    </NavigationContext.Provider>
  );
}

function Frame({ site }: { site: Site }) {
  const { place, go, href } = useNavigation();
  const { theme, toggle } = useTheme();
  const [isHelping, setHelping] = useState(false);
  const isGoing = useRef(false);
  useKeys((key, event) => {
    const target = isGoing.current ? GOES[key] : undefined;
    isGoing.current = key === "g";
    if (target) go(href(target));
    else if (key === "?") setHelping(true);
    else if (key === "d") toggle();
    else if (key === "/") focusSearch(event);
  });
  const Page = PAGES[place.page];
  useEffect(() => {
    if (place.page !== "benchmark") document.title = `${TITLES[place.page]} · ${site.project.name}`;
  }, [place.page]);
  return (
    <>
      <a class="skip" href="#main">Skip to the content</a>
      <Header site={site} theme={theme} onTheme={toggle} onHelp={() => setHelping(true)} />
      <main id="main" tabIndex={-1} class={`at-${place.page}`}>
        <Page site={site} theme={theme} />
      </main>
      <footer class="foot">
        <span>Drawn from open data: <a href="data/index.json">files</a>, <a href="feed.xml">feed</a>, <a href="summary.json">summary</a></span>
        <span>Tachograph {site.tool_version}</span>
      </footer>
      {isHelping && <Help onClose={() => setHelping(false)} />}
    </>
  );
}

function focusSearch(event: KeyboardEvent): void {
  const field = document.querySelector<HTMLInputElement>("main [data-search]") ?? document.querySelector<HTMLInputElement>("[data-search]");
  if (!field) return;
  event.preventDefault();
  field.focus();
  field.select();
}
