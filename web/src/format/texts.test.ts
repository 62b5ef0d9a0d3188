import { expect, test } from "vitest";
import type { Site } from "../data/site";
import type { Subject } from "../data/subjects";
import { compareTexts, literalNumber, literalText } from "./literal";
import { snippets } from "./snippet";
import { commitUrl, logCommand, rangeUrl, safeUrl, shortSubject } from "./subject";
import { ago, date } from "./time";

const HASH = "0123456789abcdef0123456789abcdef01234567";
const site = (commit_url: string | null): Site => ({ project: { name: "p", url: null, commit_url, range_url: "https://forge.example/{from}...{to}" } }) as Site;

test("only addresses of the web are followed", () => {
  expect(safeUrl("https://example.org/a b")).toBe("https://example.org/a%20b");
  for (const bad of ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "//example.org", "", null]) expect(safeUrl(bad)).toBeUndefined();
});

test("a commit has an address, a version has none", () => {
  const commit = { kind: "commit", subject: HASH } as Subject;
  expect(commitUrl(site("https://forge.example/commit/{commit}"), commit)).toBe(`https://forge.example/commit/${HASH}`);
  expect(commitUrl(site("javascript:alert('{commit}')"), commit)).toBeUndefined();
  expect(commitUrl(site("https://forge.example/{commit}"), { ...commit, kind: "version" })).toBeUndefined();
  expect(rangeUrl(site(null), HASH, "numpy==2.1")).toBeUndefined();
});

test("a command holds hashes and nothing else", () => {
  expect(logCommand(HASH, HASH)).toBe("git log --oneline 0123456789ab..0123456789ab");
  expect(logCommand(HASH, "$(rm -rf ~)")).toBeNull();
});

test("subjects are short", () => {
  expect([shortSubject(HASH), shortSubject("numpy==2.1.0")]).toEqual(["01234567", "numpy==2.1.0"]);
});

test("literals are read as Python writes them", () => {
  expect([literalText("'f8'"), literalText('"a\'b"'), literalText("'it\\'s'"), literalText("100")]).toEqual(["f8", "a'b", "it's", "100"]);
  expect([literalNumber("1_000"), literalNumber("-2.5e3"), literalNumber("'3'"), literalNumber("None"), literalNumber("")]).toEqual([1000, -2500, null, null, null]);
});

test("numbers and versions are in their order", () => {
  expect(["4096", "16", "256"].sort(compareTexts)).toEqual(["16", "256", "4096"]);
  expect(["3.12", "3.9", "3.11"].sort(compareTexts)).toEqual(["3.9", "3.11", "3.12"]);
});

test("names are quoted for each language", () => {
  const [sql, pandas] = snippets("https://x.example/data/results/results-00.parquet", "a'b\"c\\d");
  expect(sql!.text).toContain("benchmark = 'a''b\"c\\d'");
  expect(pandas!.text).toContain('"a\'b\\"c\\\\d"');
});

test("moments", () => {
  const now = Date.parse("2026-11-30T12:00:00Z");
  expect(["2026-11-30T11:59:40Z", "2026-11-30T09:00:00Z", "2026-11-18T12:00:00Z", "2024-01-01T00:00:00Z"].map((time) => ago(time, now))).toEqual(["just now", "3 hours ago", "12 days ago", "3 years ago"]);
  expect([ago(null), date(null), date("nonsense"), date("2026-01-02T03:04:05Z")]).toEqual(["never", "–", "–", "2026-01-02"]);
});
