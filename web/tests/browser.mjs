// Opens every page of the fixture in Chromium and uses it as a reader does: `npm run build && npm run fixture && npm run test:browser`.
// `CHROMIUM` names the program; screenshots go to `tests/screenshots`.
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { serve } from "../fixtures/serve.mjs";
import { journeys } from "./journeys.mjs";
import { visits } from "./visits.mjs";

const shots = fileURLToPath(new URL("screenshots", import.meta.url));
mkdirSync(shots, { recursive: true });
const server = await serve(fileURLToPath(new URL("../fixtures/site", import.meta.url)));
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
let n_failed = 0;
const only = process.argv[2] ?? "";

for (const [name, test] of [...visits(shots), ...journeys(shots)].filter(([name]) => name.includes(only))) {
  const begun = performance.now();
  const failure = await test({ browser, url: server.url }).then(() => null, (error) => error);
  if (failure) n_failed += 1;
  console.log(`${failure ? "FAILED" : "ok"} ${name} (${Math.round(performance.now() - begun)} ms)`);
  if (failure) console.log(`  ${failure.message.split("\n").slice(0, 12).join("\n  ")}`);
}
await browser.close();
server.close();
console.log(n_failed === 0 ? "all ok" : `${n_failed} failed`);
process.exit(n_failed === 0 ? 0 : 1);
