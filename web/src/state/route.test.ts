import { expect, test } from "vitest";
import { filters, hrefOf, patched, placeOf } from "./route";

const base = new URL("https://host.example/a/prefix/benchmark.html?name=x");

test("pages of the site are told from other addresses", () => {
  const page = (address: string): string | undefined => placeOf(new URL(address, base), base)?.page;
  expect(["benchmarks.html?q=1", "./", "index.html", "machines", "run.html#x"].map(page)).toEqual(["benchmarks", "overview", "overview", "machines", "run"]);
  expect(["data/index.json", "../index.html", "https://other.example/a/prefix/index.html", "feed.xml"].map(page)).toEqual([undefined, undefined, undefined, undefined]);
});

test("a query survives its address", () => {
  const name = "hostile.<img src=x onerror=alert(1)>&a=b#c 🚀";
  const href = hrefOf("benchmark", { name: [name, "other"], "param.n": ["10", "100"] });
  const { query } = placeOf(new URL(href, base), base)!;
  expect(query.getAll("name")).toEqual([name, "other"]);
  expect(filters(query)).toEqual(new Map([["param.n", new Set(["10", "100"])]]));
});

test("the theme stays when the page changes, the rest does not", () => {
  expect(hrefOf("machines", {}, new URLSearchParams("theme=dark&q=x"))).toBe("machines.html?theme=dark");
});

test("empty values leave the address, unless they were chosen in a list", () => {
  expect(patched(new URLSearchParams("a=1&b=2&c=3"), { a: null, b: "", c: [""] }).toString()).toBe("c=");
});
