// The page takes over what `tacho publish` wrote for readers without JavaScript.
import { render } from "preact";
import "./style/index.css";
import { App } from "./frame/app";
import type { PageName } from "./state/route";

const start = (document.body.dataset.page ?? "overview") as PageName;
const root = document.createElement("div");
root.className = "page";
render(<App start={start} onReady={takeOver} onFailure={tell} />, root);

/** Without its data the script has nothing better than the static page: it says why, and leaves the rest as it is. */
function tell(error: Error): void {
  const words = document.createElement("p");
  words.className = "note";
  words.setAttribute("role", "alert");
  words.textContent = `This page cannot be drawn: ${error.message}.`;
  document.querySelector("main")?.prepend(words);
}

/** The static page stays until there is something to show in its place. */
function takeOver(): void {
  if (root.isConnected) return;
  document.body.replaceChildren(root);
}
