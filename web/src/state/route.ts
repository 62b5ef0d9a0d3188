// Where the reader is: the page and its query. The address holds the whole state, so that a link shows what I saw.

export type PageName = "overview" | "benchmarks" | "benchmark" | "compare" | "machines" | "run";

export interface Place {
  page: PageName;
  query: URLSearchParams;
}

/** Values to set in a query; null takes a name away, a list repeats it. */
export type Patch = Record<string, string | string[] | null>;

const FILES: Record<PageName, string> = {
  overview: "index.html",
  benchmarks: "benchmarks.html",
  benchmark: "benchmark.html",
  compare: "compare.html",
  machines: "machines.html",
  run: "run.html",
};

/** What stays when the page changes. */
const LASTING = ["theme"];

/** Returns the place that an address of this site stands for, or null for another address. */
export function placeOf(address: URL, base: URL): Place | null {
  if (address.origin !== base.origin) return null;
  const folder = base.pathname.replace(/[^/]*$/, "");
  if (!address.pathname.startsWith(folder)) return null;
  const file = address.pathname.slice(folder.length) || "index.html";
  // Some hosts serve pages without their ending.
  const page = Object.entries(FILES).find(([, name]) => name === file || name === `${file}.html`)?.[0];
  return page === undefined ? null : { page: page as PageName, query: address.searchParams };
}

/** Returns the relative address of a page. */
export function hrefOf(page: PageName, patch: Patch = {}, lasting?: URLSearchParams): string {
  const query = new URLSearchParams();
  for (const name of LASTING) {
    const value = lasting?.get(name);
    if (value) query.set(name, value);
  }
  const text = patched(query, patch).toString();
  return FILES[page] + (text && `?${text}`);
}

/** Returns a query with some values changed; empty ones leave it, so that addresses stay short. */
export function patched(query: URLSearchParams, patch: Patch): URLSearchParams {
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(patch)) {
    next.delete(name);
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== null && (one !== "" || Array.isArray(value))) next.append(name, one);
    }
  }
  return next;
}

/** Returns one of some words from a query; the first is the default. */
export function choice<T extends string>(query: URLSearchParams, name: string, words: readonly T[]): T {
  return words.find((word) => word === query.get(name)) ?? words[0]!;
}

/** Returns the filters of a query: the names of dimensions with the values that are let through. */
export function filters(query: URLSearchParams): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const name of new Set(query.keys())) {
    if (/^(machine|metric)$|^(axis|param)\./.test(name)) found.set(name, new Set(query.getAll(name)));
  }
  return found;
}
