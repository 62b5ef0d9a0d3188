// A small site: two machines, two parameters, a change of last week's.
import { expect, test } from "vitest";
import { type Line, linesOverParameter, linesOverTime } from "../chart/lines";
import { normalised } from "../chart/normalise";
import { dimensionsOf, passes, seriesKey, seriesLabel, unitOf, valuesIn, varying } from "./dimensions";
import { type Choice, entries, groupedRows } from "./listing";
import { pairsOf } from "./pairs";
import { noPoints } from "./results";
import { searched } from "./search";
import type { Benchmark, Site, SiteSeries } from "./site";
import { placed } from "./subjects";
import { monthVerdicts } from "./verdicts";

const series = (id: number, n: number, machine: number, last: number, month_ago: number): SiteSeries => ({ id, parameters: [n], metric: 0, machine, environment: 0, last, last_position: 2, month_ago, state: "measured", spark: [] });

const lu: Benchmark = {
  name: "linalg.Solve.time_lu", label: "LU \u2014 execution time", group: ["linalg", "Solve"], tags: ["slow"], index: 0,
  parameters: [{ name: "n", values: ["100", "20"] }], metrics: ["time"], unit: "seconds", direction: "lower", file: 0, first_row: 0, n_rows: 0, csv: null,
  series: [series(1, 0, 0, 2, 2), series(2, 1, 0, 1, 1), series(3, 0, 1, 4, 3), series(4, 1, 1, 3, 3)],
};
const rate: Benchmark = { ...lu, name: "core.track_rate", label: "track_rate", group: ["core"], tags: [], index: 1, parameters: [], metrics: ["value"], unit: "GFLOP/s", direction: "higher", series: [{ ...series(5, 0, 0, 50, 100), parameters: [], metric: 1 }] };

const site = {
  newest: { position: 2, subject: "c", short: "c", time: "2026-11-29T00:00:00Z" },
  machines: [{ name: "lab" }, { name: "arm" }], axes: { python: ["3.9", "3.12"] }, environments: [{ python: "3.12" }],
  metrics: [{ name: "time", unit: "seconds", label: "execution time" }, { name: "value", unit: "unit", label: "value" }],
  benchmarks: [lu, rate],
  groups: [
    { position: 2, time: "2026-11-22T00:00:00Z", changes: [{ series: 2, verdict: "slower" }] },
    { position: 1, time: "2026-11-20T00:00:00Z", changes: [{ series: 2, verdict: "faster" }] },
    { position: 0, time: "2026-01-01T00:00:00Z", changes: [{ series: 1, verdict: "slower" }] },
  ],
} as unknown as Site;

const all = lu.series.map((one) => ({ benchmark: lu, series: one }));
const choice = (more: Partial<Choice>): Choice => ({ text: "", tag: "", filters: new Map(), rows: "benchmarks", group: "none", sort: "name", isDescending: false, ...more });

test("series are told apart by what varies, in the order of numbers", () => {
  expect(varying(site, all, dimensionsOf(site, [lu]))).toEqual([{ dimension: "machine", values: ["lab", "arm"] }, { dimension: "param.n", values: ["20", "100"] }]);
  expect(valuesIn(site, all, "axis.python")).toEqual(["3.12"]);
  expect(seriesLabel(site, all[0]!, ["param.n", "machine", "axis.python"])).toBe("n 100 · lab · python 3.12");
});

test("filters let some values through", () => {
  const filters = new Map([["machine", new Set(["arm"])], ["param.n", new Set(["20"])]]);
  expect(all.filter((one) => passes(site, one, filters)).map(({ series }) => series.id)).toEqual([4]);
});

test("a key names one series", () => {
  expect(new Set(all.map((one) => seriesKey(site, one))).size).toBe(4);
});

test("a first metric has the benchmark's own unit", () => {
  expect(unitOf(site, { benchmark: rate, series: rate.series[0]! })).toBe("GFLOP/s");
});

test("every word is searched for, in names, labels and tags", () => {
  const found = (text: string): string[] => searched(site.benchmarks, text).map((one) => one.name);
  expect([found("LU solve"), found("slow"), found("execution"), found("track"), found("")].map((list) => list.length)).toEqual([1, 1, 0, 1, 2]);
});

test("a verdict is the newest of the last month", () => {
  expect(monthVerdicts(site)).toEqual(new Map([[2, "slower"]]));
});

test("a row shows the series that changed, or else the one that moved most", () => {
  expect(entries(site, choice({})).map(({ series, verdict }) => [series.id, verdict])).toEqual([[2, "slower"], [5, undefined]]);
  expect(entries(site, choice({ filters: new Map([["machine", new Set(["arm"])]]) })).map(({ series, ratio }) => [series.id, ratio])).toEqual([[3, 4 / 3]]);
});

test("what got worse comes first, whichever way is better", () => {
  expect(entries(site, choice({ sort: "change", isDescending: true })).map(({ benchmark }) => benchmark.name)).toEqual(["core.track_rate", "linalg.Solve.time_lu"]);
  expect(entries(site, choice({ rows: "series", sort: "last", isDescending: true })).map(({ series }) => series.last)).toEqual([50, 4, 3, 2, 1]);
});

test("groups have headings, and closed ones nothing else", () => {
  const rows = groupedRows(entries(site, choice({})), choice({ group: "class" }), new Set(["core"]));
  expect(rows.map((row) => row.group?.group ?? row.entry?.benchmark.name)).toEqual(["linalg.Solve", "linalg.Solve.time_lu", "core"]);
  expect(rows[0]!.group).toMatchObject({ count: 1, n_slower: 1, n_faster: 0 });
});

test("sides are paired by all that they do not differ in", () => {
  const pairs = pairsOf(site, lu, { by: "machine", a: "lab", b: "arm", aPosition: null, bPosition: null, filters: new Map() });
  expect(pairs.map(({ one, other }) => [one.series.id, other.series.id])).toEqual([[1, 3], [2, 4]]);
});

const points = new Map(all.map(({ series: { id } }) => [id, { ...noPoints(id), positions: [0, 2], values: [id, id * 10], lowers: [id - 0.5, null], uppers: [id + 0.5, null], n_samples: [1, 1], outcomes: ["measured", "measured"], rows: [0, 1] }]));
const encoding = { color: "machine", dash: "param.n", facet: "", named: ["machine", "param.n"], values: new Map([["machine", ["lab", "arm"]], ["param.n", ["20", "100"]]]) };
const subjects = placed(["a", "b", "c"].map((subject, position) => ({ position, kind: "version" as const, subject, time: null, title: null, tags: [] })));
const shown = (lines: Line[]) => lines.map(({ label, places, values }) => [label, places, values]);

test("lines run along the history, with a face of their own", () => {
  const lines = linesOverTime(site, all, points, encoding);
  expect(lines.map(({ label, color, dash }) => [label, color, dash])).toEqual([["lab · n 100", 0, 1], ["lab · n 20", 0, 0], ["arm · n 100", 1, 1], ["arm · n 20", 1, 0]]);
});

test("lines run along a parameter, at the newest or at chosen subjects", () => {
  const newest = linesOverParameter(site, all, points, encoding, "param.n", [{ position: null, label: "newest" }]);
  expect(shown(newest)).toEqual([["lab", [20, 100], [20, 10]], ["arm", [20, 100], [40, 30]]]);
  const held = linesOverParameter(site, all.slice(0, 2), points, encoding, "param.n", [{ position: 0, label: "a" }, { position: 2, label: "c" }]);
  expect(shown(held)).toEqual([["lab · a", [20, 100], [2, 1]], ["lab · c", [20, 100], [20, 10]]]);
});

test("values are divided by their own at a subject", () => {
  const [line] = normalised(site, subjects, linesOverTime(site, all, points, encoding), { kind: "subject", subject: "b" });
  expect(line).toMatchObject({ values: [1, 10], lowers: [0.5, null], uppers: [1.5, null], divisor: 1 });
});

test("values are divided by the series that differs in one dimension", () => {
  const lines = normalised(site, subjects, linesOverTime(site, all, points, encoding), { kind: "value", dimension: "machine", value: "lab" });
  expect(lines.map(({ values }) => values)).toEqual([[1, 1], [1, 1], [3, 3], [2, 2]]);
});
