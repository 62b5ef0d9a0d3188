// The pairs of a comparison, filled in as the points of their benchmarks arrive.
import { useEffect, useMemo, useState } from "preact/hooks";
import { type Pair, type Sides, pairsOf, withLast, withPoints } from "./pairs";
import { loadPoints, readPoints } from "./results";
import type { Benchmark, Site } from "./site";

export interface Compared {
  pairs: Pair[];
  n_done: number;
  n_all: number;
  error?: Error;
}

/** So many benchmarks are read at a time. */
const N_AT_ONCE = 8;
/** Points of larger histories are read anew for each comparison: to keep them all would fill the memory. */
const MAX_KEPT_POINTS = 2e6;
const REDRAW_MS = 250;

export function useCompared(site: Site, benchmarks: Benchmark[], sides: Sides | null, key: string): Compared {
  const bare = useMemo(() => (sides ? benchmarks.map((benchmark) => ({ benchmark, pairs: pairsOf(site, benchmark, sides) })).filter(({ pairs }) => pairs.length > 0) : []), [key]);
  const [found, setFound] = useState<{ key: string; filled: Map<string, Pair[]>; error?: Error }>({ key, filled: new Map() });
  useEffect(() => {
    let isWanted = true;
    const filled = new Map<string, Pair[]>();
    let drawn_ms = 0;
    const show = (error?: Error): void => {
      drawn_ms = performance.now();
      if (isWanted) setFound({ key, filled: new Map(filled), error });
    };
    const read = site.n_points > MAX_KEPT_POINTS ? readPoints : loadPoints;
    const queue = [...bare];
    const work = async (): Promise<void> => {
      for (let next = queue.shift(); next && isWanted; next = queue.shift()) {
        filled.set(next.benchmark.name, withPoints(next.pairs, await read(next.benchmark), sides!));
        if (performance.now() - drawn_ms > REDRAW_MS) show();
      }
    };
    Promise.all(Array.from({ length: N_AT_ONCE }, work)).then(() => show(), (error: Error) => show(error));
    return () => {
      isWanted = false;
    };
  }, [bare]);
  const filled = found.key === key ? found.filled : new Map<string, Pair[]>();
  const isNewest = sides !== null && sides.by !== "commit" && sides.aPosition === null;
  const pairs = useMemo(() => bare.flatMap(({ benchmark, pairs }) => filled.get(benchmark.name) ?? (isNewest ? withLast(pairs) : pairs)), [bare, found]);
  return { pairs, n_done: filled.size, n_all: bare.length, error: found.key === key ? found.error : undefined };
}
