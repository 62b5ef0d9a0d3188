// The name of a benchmark: what it is called, and where it stands.
import type { Benchmark } from "../data/site";

/** Longer names are cut where they are shown; the whole one is in the title. */
const MAX_LETTERS = 160;

export function BenchmarkName({ benchmark, isGrouped }: { benchmark: Benchmark; isGrouped?: boolean }) {
  const { prefix, own, label } = nameParts(benchmark);
  const [, outer = "", inner = ""] = /^(.*\.)?([^.]*\.)$/.exec(prefix) ?? [];
  return (
    <span class="name" title={cut(benchmark.name, 600)}>
      {!isGrouped && outer && <span class="prefix outer">{cut(outer, 60)}</span>}
      {!isGrouped && inner && <span class="prefix">{cut(inner, 60)}</span>}
      <span class="own">{cut(own, MAX_LETTERS)}</span>
      {label && <span class="label">{cut(label, MAX_LETTERS)}</span>}
    </span>
  );
}

/** Returns the parts of a name; `label` is there only where it says something that the name does not. */
export function nameParts(benchmark: Benchmark): { prefix: string; own: string; label: string } {
  const group = benchmark.group.join(".");
  const prefix = group !== "" && benchmark.name.startsWith(`${group}.`) ? `${group}.` : "";
  const own = benchmark.name.slice(prefix.length);
  const [title = ""] = benchmark.label.split(" \u2014 ");
  return { prefix, own, label: title === own || title === benchmark.name ? "" : title };
}

export function cut(text: string, letters: number): string {
  const signs = [...text.slice(0, letters * 2)];
  return signs.length > letters ? `${signs.slice(0, letters).join("")}…` : text;
}
