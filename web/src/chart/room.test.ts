import { expect, test } from "vitest";
import type { Line } from "./lines";
import { withIntervals } from "./room";

function line(lowers: (number | null)[], uppers: (number | null)[]): Line {
  return { lowers, uppers } as Line;
}

test("intervals have room", () => {
  expect(withIntervals([line([9, null], [12, 10.5])], 10, 11)).toEqual([9, 12]);
  expect(withIntervals([], 10, 11)).toEqual([10, 11]);
});

test("a wild interval does not flatten the values", () => {
  expect(withIntervals([line([-1000], [1000])], 10, 12)).toEqual([8, 14]);
});

test("one value alone has room for its interval", () => {
  expect(withIntervals([line([99], [105])], 100, 100)).toEqual([99, 102]);
});
