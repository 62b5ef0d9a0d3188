// Ratios: the plain arithmetic of a chosen normalisation. The base's own interval is not carried over, which the page says.
import { valueIn } from "../data/dimensions";
import type { Site } from "../data/site";
import type { Subjects } from "../data/subjects";
import type { Norm } from "./choice";
import { type Line, lastIndex } from "./lines";

/** Returns lines divided by what a norm says; a line without a base is left out. */
export function normalised(site: Site, subjects: Subjects, lines: Line[], norm: Norm | null): Line[] {
  if (norm === null) return lines;
  if (norm.kind === "subject") {
    const position = subjects.find(norm.subject)?.position;
    return position === undefined ? lines : lines.flatMap((line) => bySubject(line, position));
  }
  const identity = (line: Line): string => otherValues(site, line, norm.dimension);
  const bases = new Map(lines.filter((line) => valueIn(site, line.one, norm.dimension) === norm.value).map((line) => [identity(line), line]));
  return lines.flatMap((line) => {
    const base = bases.get(identity(line));
    return base ? [byLine(line, base)] : [];
  });
}

/** Divides each point by its own series' value at or before a subject. */
function bySubject(line: Line, position: number): Line[] {
  const bases = line.places.map((_, k) => {
    const { points } = line.pick(k);
    const index = lastIndex(points, position);
    return index < 0 ? null : points.values[index]!;
  });
  if (bases.every((base) => base === null || base === 0)) return [];
  return [divided(line, bases, bases.every((base) => base === bases[0]) ? bases[0]! : null)];
}

/** Divides each point by another line's value at the same place, or the last one before it. */
function byLine(line: Line, base: Line): Line {
  let at = -1;
  let last: number | null = null;
  const bases = line.places.map((place) => {
    while (at + 1 < base.places.length && base.places[at + 1]! <= place) {
      at += 1;
      last = base.values[at] ?? last;
    }
    return last;
  });
  return divided(line, bases, null);
}

function divided(line: Line, bases: (number | null)[], divisor: number | null): Line {
  const divide = (values: (number | null)[]): (number | null)[] =>
    values.map((value, k) => {
      const base = bases[k] ?? null;
      return value === null || base === null || base === 0 ? null : value / base;
    });
  return { ...line, unit: "", values: divide(line.values), lowers: divide(line.lowers), uppers: divide(line.uppers), isRatio: true, divisor };
}

function otherValues(site: Site, line: Line, dimension: string): string {
  const { benchmark, series } = line.one;
  const axes = Object.keys(site.axes).filter((axis) => `axis.${axis}` !== dimension).map((axis) => valueIn(site, line.one, `axis.${axis}`));
  const parameters = benchmark.parameters.filter((axis) => `param.${axis.name}` !== dimension).map((axis) => [axis.name, valueIn(site, line.one, `param.${axis.name}`)]);
  const at = line.key.includes("@") ? line.key.slice(line.key.lastIndexOf("@")) : "";
  return JSON.stringify([dimension === "benchmark" ? "" : benchmark.name, dimension === "metric" ? "" : series.metric, dimension === "machine" ? "" : series.machine, axes, parameters, at]);
}
