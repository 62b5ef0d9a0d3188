// Every page at two widths and in two themes: nothing is complained of, nothing sticks out, nothing shuts readers out.
import { join } from "node:path";
import { accessible, close, expect, open } from "./page.mjs";

const PAGES = {
  overview: "index.html",
  list: "benchmarks.html?group=module",
  grid: "benchmarks.html?view=grid",
  hostile: "benchmarks.html?q=hostile",
  chart: "benchmark.html?name=linalg.Eigen.time_add",
  facets: "benchmark.html?name=linalg.Eigen.time_lu&axis.python=3.12&facet=param.dtype",
  parameter: "benchmark.html?name=linalg.Eigen.time_lu&axis.python=3.12&x=param.n&xlog=1&y=log",
  several: "benchmark.html?name=linalg.Eigen.time_add&name=core.Ufunc.time_lu&machine=lab&axis.python=3.12",
  long: `benchmark.html?name=hostile.Names.time_${"long".repeat(1000)}`,
  image: `benchmark.html?name=${encodeURIComponent("hostile.Names.<img src=x onerror=alert(1)>")}`,
  proto: "benchmark.html?name=hostile.Names.__proto__",
  compare: "compare.html",
  machines: "machines.html",
  run: `run.html?name=linalg.Eigen.time_add&s=${encodeURIComponent(JSON.stringify(["linalg.Eigen.time_add", "time", "lab", ["axis.python", "3.12"], ["axis.req.numpy", "2.1"]]))}&at=v2.1.0`,
};

export function visits(shots) {
  const kinds = [[1280, "light"], [1280, "dark"], [390, "light"], [390, "dark"]];
  return Object.entries(PAGES).flatMap(([name, path]) => kinds.map(([width, scheme]) => [`${name} at ${width} px, ${scheme}`, (site) => visit(site, path, width, scheme, join(shots, `${name}-${width}-${scheme}.png`))]));
}

async function visit(site, path, width, scheme, shot) {
  const page = await open(site, path, { width, scheme });
  await page.waitForTimeout(300);
  await page.screenshot({ path: shot });
  const [wide, bad] = await page.evaluate(() => [document.documentElement.scrollWidth - innerWidth, document.querySelectorAll("main img, main script, main b, main u, main i").length]);
  expect(wide <= 0, `the page is ${wide} px wider than the screen`);
  expect(bad === 0, "a text became elements");
  await accessible(page);
  await close(page);
}
