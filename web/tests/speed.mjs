// How fast the page is, in Chromium on this machine: `node tests/speed.mjs [FOLDER]`. Prints one JSON object; judges nothing.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { serve } from "../fixtures/serve.mjs";

const N_TIMES = 5;
const folder = process.argv[2] ?? fileURLToPath(new URL("../fixtures/site", import.meta.url));
const site = JSON.parse(readFileSync(join(folder, "data/site.json"), "utf8"));
const server = await serve(folder);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });

/** Runs something on a fresh page some times and returns the median of what it measured. */
async function median(measure) {
  const found = [];
  for (let k = 0; k < N_TIMES; k++) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    found.push(await measure(page));
    await page.close();
  }
  return Math.round(found.sort((a, b) => a - b)[N_TIMES >> 1]);
}

async function firstPaint(page, path) {
  await page.goto(server.url + path);
  await page.waitForSelector("#main");
  return page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN);
}

async function takenOver(page, path) {
  await page.goto(server.url + path);
  await page.waitForSelector("#main");
  return page.evaluate(() => performance.now());
}

/** From a click on a benchmark in the list until its lines are in the picture. */
async function clickToChart(page) {
  await page.goto(`${server.url}benchmarks.html?sort=series`, { waitUntil: "networkidle" });
  return page.evaluate(async () => {
    const begun = performance.now();
    document.querySelectorAll("tbody a")[6].click();
    while (performance.getEntriesByName("tacho-chart").length === 0) await new Promise((resolve) => requestAnimationFrame(resolve));
    return performance.now() - begun;
  });
}

/** Draws so many points on one plot; returns the milliseconds that drawing alone took, and moves the pointer over it. */
async function manyPoints(page, wanted) {
  const mean = site.n_points / site.n_series;
  const names = [];
  let n_series = 0;
  for (const benchmark of site.benchmarks.filter((one) => one.unit === "seconds" && one.name.length < 100)) {
    if (n_series * mean >= wanted) break;
    names.push(benchmark.name);
    n_series += benchmark.series.length;
  }
  const query = new URLSearchParams([["all", "1"], ["y", "log"], ...names.map((name) => ["name", name])]);
  await page.goto(`${server.url}benchmark.html?${query}`, { waitUntil: "networkidle" });
  await page.waitForSelector(".u-over");
  const drawn_ms = await page.evaluate(() => performance.getEntriesByName("tacho-chart")[0].duration);
  const box = await page.locator(".u-over").boundingBox();
  const frames = page.evaluate(async () => {
    const gaps = [];
    let last = performance.now();
    for (let k = 0; k < 60; k++) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      gaps.push(performance.now() - last);
      last = performance.now();
    }
    return gaps.sort((a, b) => a - b)[gaps.length >> 1];
  });
  for (let k = 0; k < 40; k++) await page.mouse.move(box.x + 20 + k * 20, box.y + 60 + k * 6);
  return { n_points: Math.round(n_series * mean), drawn_ms: Math.round(drawn_ms), frame_ms: Math.round(await frames) };
}

const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
console.log(JSON.stringify({
  n_benchmarks: site.benchmarks.length,
  n_subjects: site.n_subjects,
  n_points: site.n_points,
  first_contentful_paint_ms: await median((page) => firstPaint(page, "benchmarks.html")),
  taken_over_ms: await median((page) => takenOver(page, "benchmarks.html")),
  click_to_chart_ms: await median(clickToChart),
  many_points: await manyPoints(page, 100_000),
}, null, 2));
await browser.close();
server.close();
