// What the history of each series says: levels, change points, events, spikes. Found by `tacho`, only drawn here.
import { json } from "./json";

export interface Level {
  from: number;
  to: number;
  level: number;
  drift: number | null;
}

export interface ChangePoint {
  position: number;
  first: number;
  last: number;
  effect: number | null;
  lower: number | null;
  upper: number | null;
  state: "confirmed" | "provisional" | "weak";
}

export interface SeriesEvent {
  position: number;
  fields: { field: string; before: string | null; after: string | null }[];
}

export interface SeriesAnalysis {
  levels: Level[];
  changes: ChangePoint[];
  events: SeriesEvent[];
  spikes: number[];
}

export type Analysis = Record<string, Partial<SeriesAnalysis>>;

let analysis: Promise<Analysis> | undefined;

/** Returns the analysis of every series that has any; it is fetched once. */
export function loadAnalysis(): Promise<Analysis> {
  analysis ??= json<{ schema: string; series: Analysis }>("data/analysis.json", "tacho.analysis/1").then((file) => file.series);
  return analysis;
}
