// Finding benchmarks by parts of their names.
import type { Benchmark } from "./site";

/** Returns the benchmarks whose name, label or tags hold every word of a text; those whose own name begins with it come first. */
export function searched(benchmarks: Benchmark[], text: string): Benchmark[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return benchmarks;
  const found = benchmarks.filter((benchmark) => words.every((word) => searchText(benchmark).includes(word)));
  const first = words[0]!;
  const rank = (benchmark: Benchmark): number => (benchmark.name.toLowerCase().split(".").pop()!.replace(/^(time|mem|peakmem|track)_/, "").startsWith(first) ? 0 : 1);
  return found.map((benchmark) => ({ benchmark, rank: rank(benchmark) })).sort((a, b) => a.rank - b.rank).map(({ benchmark }) => benchmark);
}

const texts = new WeakMap<Benchmark, string>();

function searchText(benchmark: Benchmark): string {
  let text = texts.get(benchmark);
  if (text === undefined) {
    const parameters = benchmark.parameters.map((axis) => axis.name);
    // What stands behind the dash is the statistic, the same in most labels.
    const [label = ""] = benchmark.label.split(" \u2014 ");
    text = [benchmark.name, label, ...benchmark.tags, ...parameters].join(" ").toLowerCase();
    texts.set(benchmark, text);
  }
  return text;
}
