// The benchmarks as a grid of sparklines.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Spark } from "../chart/spark";
import { unitOf } from "../data/dimensions";
import type { Entry } from "../data/listing";
import type { Site } from "../data/site";
import { BenchmarkName } from "../frame/name";
import { Change } from "../format/change";
import { human } from "../format/unit";
import { useNavigation } from "../state/navigation";
import { entryLabel, linkOf } from "./benchmarks";
import { useMarked } from "./table";
import { useWindowed } from "./windowed";

const CARD_PX = 148;
const MIN_WIDTH_PX = 232;

export function BenchmarkGrid({ site, found, filters }: { site: Site; found: Entry[]; filters: Map<string, Set<string>> }) {
  const list = useRef<HTMLUListElement>(null);
  const n_columns = useColumns(list);
  const n_rows = Math.ceil(found.length / n_columns);
  const { first, end } = useWindowed(list, n_rows, CARD_PX);
  const { go, href } = useNavigation();
  const linkTo = (entry: Entry): string => href("benchmark", linkOf(site, entry, { filters, rows: entry.n_series === 1 ? "series" : "benchmarks" }));
  const marked = useMarked(list, found.length, CARD_PX / n_columns, (k) => found[k] && go(linkTo(found[k])));
  const shown = found.slice(first * n_columns, end * n_columns);
  return (
    <ul class="cards" ref={list} aria-label={`Benchmarks, ${found.length}`} style={{ paddingTop: `${first * CARD_PX}px`, paddingBottom: `${Math.max(0, n_rows - end) * CARD_PX}px`, gridTemplateColumns: `repeat(${n_columns}, minmax(0, 1fr))`, gridAutoRows: `${CARD_PX}px` }}>
      {shown.map((entry, k) => (
        <li key={entry.series.id}>
          <a class={`card${first * n_columns + k === marked ? " marked" : ""}`} href={linkTo(entry)}>
            <BenchmarkName benchmark={entry.benchmark} />
            <Spark values={entry.series.spark} />
            <span class="card-foot">
              <span class="value">{entry.series.last === null ? "–" : human(entry.series.last, unitOf(site, entry))}</span>
              <Change ratio={entry.ratio} verdict={entry.verdict} />
            </span>
            <span class="muted small ellipsis">{entryLabel(site, entry)}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

function useColumns(list: { current: HTMLElement | null }): number {
  const [n, setN] = useState(4);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => entry && setN(Math.max(1, Math.floor(entry.contentRect.width / MIN_WIDTH_PX))));
    if (list.current) observer.observe(list.current);
    return () => observer.disconnect();
  }, []);
  return n;
}
