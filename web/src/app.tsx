// The page takes over what `tacho publish` wrote for readers without JavaScript.
import { render } from "preact";
import "./style/index.css";
import { App } from "./frame/app";
import type { PageName } from "./state/route";

const start = (document.body.dataset.page ?? "overview") as PageName;
const root = document.createElement("div");
root.className = "page";
render(<App start={start} onReady={takeOver} />, root);

/** The static page stays until there is something to show in its place. */
function takeOver(): void {
  if (root.isConnected) return;
  document.body.replaceChildren(root);
}
