// A page under watch: whatever it says on the console, refuses by its policy or asks of another host fails the test.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Opens an address and waits for the page to have taken over. */
export async function open({ browser, url }, path, { width = 1280, height = 900, scheme = "light", ...more } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme, ...more });
  const page = await context.newPage();
  page.complaints = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && page.complaints.push(message.text()));
  page.on("pageerror", (error) => page.complaints.push(String(error.stack)));
  page.on("dialog", (dialog) => { page.complaints.push(`a dialog: ${dialog.message()}`); void dialog.dismiss(); });
  page.on("request", (request) => !request.url().startsWith(url) && !request.url().startsWith("data:") && page.complaints.push(`a request to ${request.url()}`));
  await page.goto(url + path, { waitUntil: "networkidle" });
  if (more.javaScriptEnabled !== false) await page.waitForSelector("#main");
  return page;
}

/** Closes a page that had nothing to complain of. */
export async function close(page) {
  const complaints = page.complaints;
  await page.context().close();
  if (complaints.length > 0) throw new Error(complaints.join("\n"));
}

/** Fails on serious faults of accessibility. The checker runs in an isolated world, which the page's policy does not bind. */
export async function accessible(page) {
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send("Page.getFrameTree");
  const { executionContextId: contextId } = await session.send("Page.createIsolatedWorld", { frameId: frameTree.frame.id, worldName: "axe" });
  await session.send("Runtime.evaluate", { expression: axeSource, contextId });
  const { result } = await session.send("Runtime.evaluate", { expression: "axe.run(document, { resultTypes: ['violations'] }).then((found) => JSON.stringify(found.violations.filter((one) => ['serious', 'critical'].includes(one.impact)).map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => node.html.slice(0, 160) + ' ' + (node.any[0]?.message ?? '')).join(' | ')}`)))", contextId, awaitPromise: true, returnByValue: true });
  const faults = JSON.parse(result.value);
  if (faults.length > 0) throw new Error(faults.join("\n"));
}

export function expect(isTrue, what) {
  if (!isTrue) throw new Error(what);
}

/** Waits until something holds; fails with its words after a while. */
export async function eventually(check, what) {
  for (let k = 0; k < 60; k++) {
    if (await check()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(what);
}
