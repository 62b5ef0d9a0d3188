// The same known answers as the terminal's: `tacho-model`, `unit.rs`.
import { expect, test } from "vitest";
import { axisTexts, counted, human, humanRange, percent, rough, significant } from "./unit";

const check = (value: number, unit: string, expected: string): void => expect(human(value, unit)).toBe(expected);

test("times and sizes get prefixes", () => {
  check(1.2345, "seconds", "1.23 s");
  check(0.00123, "seconds", "1.23 ms");
  check(2.5e-5, "s", "25.0 μs");
  check(3e-10, "seconds", "0.300 ns");
  check(0.9996, "seconds", "1.00 s");
  check(4.5e9, "bytes", "4.50 GB");
  check(12, "bytes", "12.0 B");
  check(0, "seconds", "0 ns");
});

test("other units stay as they are", () => {
  check(12.5, "GFLOP/s", "12.5 GFLOP/s");
  check(12, "items", "12 items");
  check(-3, "", "-3");
  check(1234567, "unit", "1.23e6");
  check(-0.25, "score", "-0.250 score");
});

test("three digits, without an exponent between a thousandth and a million", () => {
  expect([0, 0.00123, 0.000123, 99.96, 999_999, 1e6].map(significant)).toEqual(["0", "0.00123", "1.23e-4", "100", "999999", "1.00e6"]);
});

test("an interval has one unit", () => {
  expect(humanRange(0.00098, 0.00102, "seconds")).toBe("0.980 to 1.02 ms");
  expect(humanRange(10, 12.5, "GFLOP/s")).toBe("10.0 to 12.5 GFLOP/s");
});

test("changes are per cent, or times where that is easier", () => {
  expect([1.12, 0.88, 1.003, 0.5, 3.57, 12.3, Infinity].map(percent)).toEqual(["+12 %", "-12 %", "+0.3 %", "-50 %", "3.6 times", "12 times", "without bound"]);
});

test("an axis has one unit, and marks that are decades apart their own", () => {
  expect(axisTexts([0, 0.001, 0.002], "seconds")).toEqual(["0 ms", "1 ms", "2 ms"]);
  expect(axisTexts([1e-6, null, 1], "seconds")).toEqual(["1 μs", "", "1 s"]);
  expect(axisTexts([0.5, 1], "")).toEqual(["0.5", "1"]);
});

test("counts", () => {
  expect([counted(1, "series", "series"), counted(12600, "point"), rough(7.4e6), rough(12_600)]).toEqual(["1 series", "12,600 points", "7.40 M", "12,600"]);
});
