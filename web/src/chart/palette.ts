// Colours and dashes of lines. They are told apart in both themes and by readers who see few colours; dashes say the same without any.
import type { Theme } from "../state/theme";

const COLOURS: Record<Theme, string[]> = {
  light: ["#0b5f8a", "#c2500c", "#1f8a5b", "#9c3587", "#8a6d00", "#5a50c8", "#7d4a34", "#4f6d7a"],
  dark: ["#6cb8e4", "#ff9b5c", "#5fd0a0", "#e58bd0", "#e3c34f", "#a8a1ff", "#d3a08a", "#a5bcc7"],
};

const DASHES: number[][] = [[], [7, 4], [2, 3], [10, 3, 2, 3], [14, 4], [5, 2, 1, 2, 1, 2]];

export interface ChartColours {
  text: string;
  muted: string;
  grid: string;
  ground: string;
  event: string;
}

export function lineColour(theme: Theme, rank: number): string {
  const list = COLOURS[theme];
  return list[rank % list.length]!;
}

/** Returns the dash of a line in CSS pixels; empty for a solid one. */
export function lineDash(rank: number): number[] {
  return DASHES[rank % DASHES.length]!;
}

export function chartColours(theme: Theme): ChartColours {
  return theme === "dark"
    ? { text: "#e6e7e9", muted: "#9aa1aa", grid: "#262b31", ground: "#1a1d21", event: "#e9c46a" }
    : { text: "#1c1d1f", muted: "#62656a", grid: "#ecece8", ground: "#ffffff", event: "#7a5600" };
}
