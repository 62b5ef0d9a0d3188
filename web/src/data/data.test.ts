import { expect, test } from "vitest";
import { aligned } from "../chart/aligned";
import { parseNorm } from "../chart/choice";
import { type Line, lastIndex } from "../chart/lines";
import { dateTexts, labelled, logTicks, spaced } from "../chart/ticks";
import { sparkPath } from "../chart/spark";
import { rowsOnScreen } from "../table/windowed";
import { runs } from "./bytes";
import { rawFile } from "./files";
import { doOverlap, ratioOf, type Pair } from "./pairs";
import { bySeries } from "./results";
import { sparkValues } from "./spark";
import { placed } from "./subjects";

test("columns become series, and what has no position is left out", () => {
  const found = bySeries([[7n, 7n, 9n, 9n], [0n, 2n, 1n, null], [1, null, 3, 4], [0.9, null, null, 1], [1.1, null, null, 1], [20n, 0n, 5n, 5n], ["measured", "failed", "measured", "measured"]], 100);
  expect([...found.keys()]).toEqual([7, 9]);
  expect(found.get(7)).toEqual({ series: 7, positions: [0, 2], values: [1, null], lowers: [0.9, null], uppers: [1.1, null], n_samples: [20, 0], outcomes: ["measured", "failed"], rows: [100, 101] });
  expect(found.get(9)!.positions).toEqual([1]);
});

test("an infinite value has no place in a chart", () => {
  expect(bySeries([[1], [0], [Infinity], [null], [null], [0], ["measured"]], 0).get(1)!.values).toEqual([null]);
});

test("ranges that lie near each other are one request", () => {
  const found = runs([{ start: 500_000, end: 500_100 }, { start: 0, end: 100 }, { start: 150, end: 300 }]);
  expect(found.map((run) => run.map(({ start }) => start))).toEqual([[0, 150], [500_000]]);
});

test("subjects are found by hash, its beginning, tag and name", () => {
  const commit = (position: number, subject: string, tags: string[] = []) => ({ position, kind: "commit" as const, subject, time: position === 1 ? null : `2026-01-0${position + 1}T00:00:00Z`, title: null, tags });
  const subjects = placed([commit(0, "aaaa1111"), commit(1, "aaaa2222", ["v1"]), commit(2, "__proto__")]);
  expect([subjects.find("aaaa1"), subjects.find("aaaa"), subjects.find("v1"), subjects.find("__proto__"), subjects.find("constructor")].map((one) => one?.position)).toEqual([0, undefined, 1, 2, undefined]);
  expect(subjects.times_s[1]).toBe(subjects.times_s[0]);
});

const line = (places: number[], values: (number | null)[]): Line => ({ places, values }) as Line;

test("lines share an axis; what one does not have is no gap", () => {
  const found = aligned([line([1, 3], [10, null]), line([2], [-1])], (place) => place, true, false);
  expect(found.xs).toEqual([1, 2, 3]);
  expect(found.values).toEqual([[10, undefined, null], [undefined, null, undefined]]);
  expect([...found.points[0]!]).toEqual([0, -1, 1]);
});

test("places of one date stay apart", () => {
  expect(aligned([line([0, 1], [1, 2])], () => 5, false, false)).toMatchObject({ xs: [5, 5], places: [0, 1] });
});

test("the last point that was measured counts", () => {
  const points = { positions: [1, 4, 6], values: [1, 2, null] } as never;
  expect([lastIndex(points, null), lastIndex(points, 3), lastIndex(points, 4), lastIndex(points, 0)]).toEqual([1, 0, 1, -1]);
});

test("a logarithmic axis has its marks", () => {
  expect(logTicks(0.5, 60)).toEqual([0.5, 0.6, 0.7, 0.8, 0.9, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20, 30, 40, 50, 60]);
  expect(logTicks(1, 2)).toEqual([1, 1.2, 1.4, 1.6, 1.8, 2]);
  expect(labelled([1, 2, 10, 100, 1e5], 1, 1e5)).toEqual([1, null, 10, 100, 1e5]);
  expect(spaced([1, 2, 30], (value) => value, 10)).toEqual([1, 30]);
});

test("an axis of moments tells the day or the year where it changes", () => {
  const texts = (step_s: number, ...moments: string[]): string[] => dateTexts(moments.map((moment) => Date.parse(moment) / 1000), step_s);
  expect(texts(86400 * 31, "2025-11-01Z", "2025-12-01Z", "2026-01-01Z")).toEqual(["Nov\n2025", "Dec", "Jan\n2026"]);
  expect(texts(86400, "2026-06-30Z", "2026-07-01Z")).toEqual(["30 Jun\n2026", "1 Jul"]);
  expect(texts(21600, "2026-06-30T18:00Z", "2026-07-01T00:00Z")).toEqual(["18:00\n30 Jun 2026", "00:00\n1 Jul 2026"]);
  expect(texts(86400 * 366, "2025-01-01Z")).toEqual(["2025"]);
});

test("norms are read from addresses", () => {
  expect(parseNorm("subject:v1.0")).toEqual({ kind: "subject", subject: "v1.0" });
  expect(parseNorm("axis.flags=-O2=x")).toEqual({ kind: "value", dimension: "axis.flags", value: "-O2=x" });
  expect([parseNorm(""), parseNorm(null), parseNorm("nonsense")]).toEqual([null, null, null]);
});

test("ratios and intervals of pairs", () => {
  const side = (value: number, half: number | null) => ({ value, lower: half === null ? null : value - half, upper: half === null ? null : value + half, isEarlier: false });
  const pair = (a: Pair["a"], b: Pair["b"]) => ({ a, b }) as Pair;
  expect([ratioOf(pair(side(2, 1), side(3, 1))), ratioOf(pair(side(0, 1), side(3, 1))), ratioOf(pair(null, side(3, 1)))]).toEqual([1.5, null, null]);
  expect([doOverlap(pair(side(2, 1), side(3, 1))), doOverlap(pair(side(1, 0.1), side(3, 1))), doOverlap(pair(side(1, null), side(3, 1)))]).toEqual([true, false, null]);
});

test("a record is found by its digest, or by its path", () => {
  const file = (path: string, sha256: string) => ({ path, sha256, bytes: 1, schema: null });
  const files = [file("data/lab/a.json", "1"), file("raw/records/lab/a.jsonl.zst", "2"), file("raw/asv/lab/b.json", "3")];
  expect(rawFile(files, "elsewhere", "2")?.path).toBe("raw/records/lab/a.jsonl.zst");
  expect(rawFile(files, ".asv/results/lab/b.json", null)?.path).toBe("raw/asv/lab/b.json");
  expect(rawFile(files, "lab/c.json", "9")).toBeUndefined();
});

test("rows on the screen", () => {
  expect(rowsOnScreen(-100, 900, 5000, 36)).toMatchObject({ first: 0 });
  const { first, end } = rowsOnScreen(36_000, 900, 5000, 36);
  expect(first <= 1000 && first >= 985 && end >= 1025 && end <= 1045).toBe(true);
  expect(rowsOnScreen(1e9, 900, 0, 36)).toEqual({ first: 0, end: 0 });
});

test("a sparkline may be a text", () => {
  expect(sparkValues("0-z")).toEqual([0, null, 1]);
  expect(sparkValues([0.5, null])).toEqual([0.5, null]);
});

test("a sparkline leaves long gaps open", () => {
  expect(sparkPath([0, null, 1, null, null, null, 0.5]).path.match(/M/g)).toHaveLength(2);
  expect(sparkPath([]).last).toBeNull();
});
