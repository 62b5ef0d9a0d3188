// What readers do: search, sort, filter, overlay, zoom, compare, go back; with keys alone, without JavaScript, on a poor host.
import { fileURLToPath } from "node:url";
import { serve } from "../fixtures/serve.mjs";
import { close, eventually, expect, open } from "./page.mjs";

const CHART = "benchmark.html?name=linalg.Eigen.time_add&axis.python=3.12";

export function journeys(shots) {
  return Object.entries({
    "search, sort and filter the list": list,
    "a long list scrolls": scrolling,
    "two machines on one plot": overlay,
    "a logarithmic axis": logAxis,
    "the address is the whole state": roundTrip,
    "back and forward": history,
    "two points are compared": (site) => points(site, shots),
    "zoom": zoom,
    "normalised to a machine": normalised,
    "keys": keys,
    "keys of the chart": chartKeys,
    "the points as a table": pointTable,
    "compare machines": compare,
    "the list is where it was": scrolledBack,
    "keys of the overview": overviewKeys,
    "a site without its data": broken,
    "the theme": theme,
    "without JavaScript": plain,
    "a host without ranges": withoutRanges,
    "a missing benchmark": missing,
  });
}

async function list(site) {
  const page = await open(site, "benchmarks.html");
  await page.fill("[data-search]", "linalg lu");
  await eventually(async () => /of 300/.test(await page.textContent(".title-row")), "the list is not shorter");
  const names = await page.locator("tbody .name").allTextContents();
  expect(names.length > 0 && names.every((name) => /linalg/.test(name) && /lu/.test(name)), `found ${names}`);
  await page.fill("[data-search]", "");
  await page.click("th button:has-text('In a month')");
  const changes = await page.locator("tbody .c-change .figure").allTextContents();
  expect(/times|\+\d\d/.test(changes[0]), `the worst is ${changes[0]}`);
  await page.selectOption("select:near(:text('Machine'))", "arm-box");
  expect(new URL(page.url()).searchParams.get("machine") === "arm-box", page.url());
  const shown = await page.locator("tbody .c-shown").allTextContents();
  expect(shown.every((text) => text.includes("arm-box")), `shown ${shown[0]}`);
  await close(page);
}

async function scrolling(site) {
  const page = await open(site, "benchmarks.html?rows=series");
  const [median, longest] = await page.evaluate(async () => {
    const steps = [];
    for (let y = 0; y < 60000; y += 1500) {
      const begun = performance.now();
      scrollTo(0, y);
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      steps.push(performance.now() - begun);
    }
    steps.sort((a, b) => a - b);
    return [steps[steps.length >> 1], steps[steps.length - 1]];
  });
  const n_rows = await page.locator("tbody tr").count();
  expect(n_rows < 80, `${n_rows} rows are in the document`);
  expect((await page.locator("tbody tr:not(.spacer)").count()) > 15, "the screen is empty");
  console.log(`  a step of scrolling by 1,500 px, two frames: median ${Math.round(median)} ms, longest ${Math.round(longest)} ms`);
  await close(page);
}

async function overlay(site) {
  const page = await open(site, CHART);
  await page.click(".chip:text-is('lab')");
  await page.click(".chip:text-is('arm-box')");
  await eventually(async () => (await page.locator(".legend li").count()) === 2, "there are not two lines");
  const machines = new URL(page.url()).searchParams.getAll("machine");
  expect(machines.join() === "lab,arm-box", machines.join());
  const dashes = await page.locator(".legend .swatch path").evaluateAll((paths) => paths.map((path) => path.getAttribute("stroke") + path.getAttribute("stroke-dasharray")));
  expect(dashes[0] !== dashes[1], "the lines look alike");
  await close(page);
}

async function logAxis(site) {
  const page = await open(site, "benchmark.html?name=linalg.Eigen.time_lu&machine=lab&axis.python=3.12&y=linear");
  const before = await picture(page);
  await page.click("button:text-is('log')");
  await eventually(async () => (await picture(page)) !== before, "the picture is the same");
  expect(new URL(page.url()).searchParams.get("y") === "log", page.url());
  await close(page);
}

async function roundTrip(site) {
  const path = `${CHART}&machine=lab&x=commit&y=log&color=machine&dash=&facet=machine&points=1&intervals=0&norm=subject%3Av2.1.0`;
  const page = await open(site, path);
  const before = await picture(page);
  await page.reload({ waitUntil: "networkidle" });
  await eventually(async () => (await picture(page)) === before, "a link shows something else");
  expect((await page.locator("button:text-is('commit')").getAttribute("aria-pressed")) === "true", "x");
  expect((await page.locator(".legend .number").first().textContent()).endsWith("×"), "no ratio");
  await close(page);
}

async function history(site) {
  const page = await open(site, "benchmarks.html");
  await page.fill("[data-search]", "time_lu");
  await page.click("tbody a >> nth=0");
  await page.waitForSelector(".u-over");
  await page.click(".chip:text-is('lab')");
  await page.goBack();
  await page.goBack();
  await eventually(async () => (await page.inputValue("main [data-search]").catch(() => "")) === "time_lu", "the search is lost");
  await page.goForward();
  await page.waitForSelector(".u-over");
  await close(page);
}

async function points(site, shots) {
  const page = await open(site, `${CHART}&machine=lab`);
  await clickPoint(page, 0.15);
  await page.waitForSelector(".held");
  await clickPoint(page, 0.9);
  await page.waitForSelector("text=A to B");
  const command = await page.textContent(".command code");
  expect(/^git log --oneline [0-9a-f]{12}\.\.[0-9a-f]{12}$/.test(command), command);
  const link = await page.getAttribute("a:text('commits between them')", "href");
  expect(/^https:\/\/example.org\/numerics\/compare\/[0-9a-f]{40}\.\.\.[0-9a-f]{40}$/.test(link), link);
  await page.screenshot({ path: `${shots}/held.png` });
  await page.click("text=where it comes from >> nth=0");
  await page.waitForSelector("h2:text('Setup')");
  expect((await page.textContent("main")).includes("gcc 13.2.0"), "no setup");
  await close(page);
}

async function zoom(site) {
  const page = await open(site, `${CHART}&machine=lab`);
  const box = await page.locator(".u-over").boundingBox();
  await page.mouse.move(box.x + box.width * 0.3, box.y + 100);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, box.y + 120, { steps: 5 });
  await page.mouse.up();
  await eventually(() => new URL(page.url()).searchParams.has("from"), "the zoom is not in the address");
  expect(!new URL(page.url()).searchParams.has("b"), "a drag held a point");
  await page.click("text=Whole range");
  expect(!new URL(page.url()).searchParams.has("from"), "the zoom stays");
  await close(page);
}

async function normalised(site) {
  const page = await open(site, `${CHART}&norm=machine%3Dlab`);
  const texts = await page.locator(".legend button").allTextContents();
  const own = texts.find((text) => text.startsWith("lab"));
  expect(own.endsWith("1.00×"), own);
  expect(texts.find((text) => text.startsWith("arm-box")).endsWith("×"), texts.join());
  await close(page);
}

async function keys(site) {
  const page = await open(site, "benchmarks.html");
  await page.keyboard.press("/");
  await page.keyboard.type("fft plan");
  await page.keyboard.press("Escape");
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("k");
  expect((await page.locator("tr.marked").count()) === 1, "no row is marked");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".u-over");
  await page.keyboard.press("?");
  await page.waitForSelector("dialog[open]");
  await page.keyboard.press("Escape");
  await page.keyboard.press("g");
  await page.keyboard.press("m");
  await page.waitForSelector("h1:text('Machines')");
  await page.keyboard.press("/");
  await page.keyboard.type("linalg time_add");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".u-over");
  await close(page);
}

async function chartKeys(site) {
  const page = await open(site, CHART);
  await page.focus(".plot");
  await page.keyboard.press("ArrowLeft");
  await page.waitForSelector(".tooltip");
  const first = await page.textContent("[aria-live=polite]");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowDown");
  expect((await page.textContent("[aria-live=polite]")) !== first, "the keys do not move");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".held");
  await close(page);
}

async function pointTable(site) {
  const page = await open(site, `${CHART}&machine=lab`);
  await page.click("text=The points as a table");
  const rows = await page.locator("table[aria-label=Points] tbody tr:not(.spacer)").allTextContents();
  expect(rows.length > 5 && /\d{4}-\d\d-\d\d[0-9a-f]{8}/.test(rows[0]) && /\d (n|μ|m)?s/.test(rows[0]), rows[0]);
  await close(page);
}

async function compare(site) {
  const page = await open(site, "compare.html?by=machine&q=linalg");
  await eventually(async () => (await page.locator("progress").count()) === 0, "it never ends");
  await page.click("th button:text('B to A')");
  const ratios = await page.locator("tbody .c-change .figure").allTextContents();
  expect(/\+/.test(ratios[0]), ratios[0]);
  expect((await page.locator("td:has-text('apart')").count()) > 3, "no intervals");
  await page.click("button:text-is('Swap')");
  expect(new URL(page.url()).searchParams.get("a") === "arm-box", page.url());
  await close(page);
}

async function scrolledBack(site) {
  const page = await open(site, "benchmarks.html");
  await page.evaluate(() => scrollTo(0, 5000));
  await page.waitForTimeout(100);
  const box = await page.locator("tbody a").nth(20).boundingBox();
  await page.mouse.click(box.x + 20, box.y + 8);
  await page.waitForSelector(".u-over");
  await page.goBack();
  await eventually(() => page.evaluate(() => Math.abs(scrollY - 5000) < 5), "the list begins anew");
  await close(page);
}

async function overviewKeys(site) {
  const page = await open(site, "index.html");
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".held");
  expect((await page.textContent(".held")).includes("A to B"), "the change is not held");
  await page.keyboard.press("Escape");
  await eventually(async () => (await page.locator(".held").count()) === 0, "it is still held");
  await close(page);
}

async function broken(site) {
  const context = await site.browser.newContext();
  const page = await context.newPage();
  await page.route("**/data/site.json", (route) => route.fulfill({ status: 200, contentType: "application/json", body: '{"schema":"tacho.site/99"}' }));
  await page.goto(`${site.url}machines.html`);
  await page.waitForSelector("#static [role=alert]");
  expect((await page.textContent("#static")).includes("arm-box"), "the static page is gone");
  await context.close();
}

async function theme(site) {
  const page = await open(site, "index.html");
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const before = await ground();
  await page.click("[aria-label='Use dark colours']");
  expect((await ground()) !== before, "it is still light");
  await page.click("nav a:text('Benchmarks')");
  expect(new URL(page.url()).searchParams.get("theme") === "dark", "the theme is lost on the way");
  await close(page);
}

async function plain(site) {
  const page = await open(site, "benchmarks.html", { javaScriptEnabled: false });
  expect((await page.locator("#static tbody tr").count()) === 300, "the static table is not there");
  await close(page);
}

async function withoutRanges({ browser }) {
  const poor = await serve(fileURLToPath(new URL("../fixtures/site", import.meta.url)), 0, false);
  const page = await open({ browser, url: poor.url }, CHART);
  expect((await page.locator(".legend li").count()) === 3, "no lines");
  await close(page);
  poor.close();
}

async function missing(site) {
  const page = await open(site, "benchmark.html?name=nothing.like.this");
  expect((await page.textContent("main")).includes("There is no benchmark nothing.like.this"), "nothing is said");
  await close(page);
}

async function clickPoint(page, share) {
  const box = await page.locator(".u-over").first().boundingBox();
  for (let y = 0.05; y < 1; y += 0.05) {
    await page.mouse.move(box.x + box.width * share, box.y + box.height * y);
    if ((await page.locator(".tooltip").count()) > 0) break;
  }
  await page.mouse.down();
  await page.mouse.up();
  await page.waitForTimeout(100);
}

function picture(page) {
  return page.evaluate(() => document.querySelector(".u-wrap canvas")?.toDataURL() ?? "");
}
