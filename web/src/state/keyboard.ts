// Keys of the whole page. They rest while the reader types.
import { useEffect, useRef } from "preact/hooks";

/** The keys and what they do, as the help shows them. */
export const KEYS: [string, string][] = [
  ["/", "search benchmarks"],
  ["j, k, ↓, ↑", "move through a list"],
  ["Enter", "open what is marked"],
  ["g then o, b, c, m", "overview, benchmarks, compare, machines"],
  ["←, →", "move along a line of the chart (when it has the focus)"],
  ["↑, ↓", "change the line of the chart"],
  ["Enter, then a, b", "hold a point; take it as A or B of a comparison"],
  ["Esc", "let go; close"],
  ["d", "dark or light"],
  ["?", "this help"],
];

/** Calls `act` with each key that is meant for the page. */
export function useKeys(act: (key: string, event: KeyboardEvent) => void): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return;
      latest.current(event.key, event);
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  const element = target as HTMLElement | null;
  if (element?.tagName === "INPUT") return !["checkbox", "radio", "button"].includes((element as HTMLInputElement).type);
  return ["TEXTAREA", "SELECT"].includes(element?.tagName ?? "") || document.querySelector("dialog[open]") !== null;
}
