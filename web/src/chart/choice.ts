// What the reader chose for the chart, as the address says it.
import type { Dimension } from "../data/dimensions";
import { choice } from "../state/route";

export interface ChartChoice {
  /** `date`, `commit` or a parameter, as `param.NAME`. */
  x: string;
  isXLog: boolean;
  /** Until the reader chooses: linear, or logarithmic where the last values lie decades apart. */
  y: "linear" | "zero" | "log";
  /** Dimensions; null where nothing was chosen, so that the page picks; empty for none. */
  color: Dimension | null;
  dash: Dimension | null;
  facet: Dimension | null;
  norm: Norm | null;
  hasIntervals: boolean;
  hasAnalysis: boolean;
  hasPoints: boolean;
  from: number | null;
  to: number | null;
}

/** What values are divided by: each series' own value at a subject, or the series that differs in one dimension only. */
export type Norm = { kind: "subject"; subject: string } | { kind: "value"; dimension: Dimension; value: string };

/** Returns the choice that a query holds; `parameters` are those that are numbers. */
export function chartChoice(query: URLSearchParams, parameters: string[], preset: ChartChoice["y"]): ChartChoice {
  const asked = query.get("x") ?? "date";
  return {
    x: asked === "commit" || parameters.includes(asked) ? asked : "date",
    isXLog: query.get("xlog") === "1",
    y: choice(query, "y", [preset, "linear", "zero", "log"]),
    color: query.get("color"),
    dash: query.get("dash"),
    facet: query.get("facet"),
    norm: parseNorm(query.get("norm")),
    hasIntervals: query.get("intervals") !== "0",
    hasAnalysis: query.get("changes") !== "0",
    hasPoints: query.get("points") === "1",
    from: number(query.get("from")),
    to: number(query.get("to")),
  };
}

/** Reads `subject:HASH` or `DIMENSION=VALUE`. */
export function parseNorm(text: string | null): Norm | null {
  if (!text) return null;
  if (text.startsWith("subject:")) return { kind: "subject", subject: text.slice(8) };
  const at = text.indexOf("=");
  return at > 0 ? { kind: "value", dimension: text.slice(0, at), value: text.slice(at + 1) } : null;
}

function number(text: string | null): number | null {
  return text === null || text === "" || !Number.isFinite(Number(text)) ? null : Number(text);
}
