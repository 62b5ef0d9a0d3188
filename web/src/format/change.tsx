// How far a value moved, in figures, with a mark and a word: colour alone says nothing.
import type { Direction } from "../data/site";
import { percent } from "./unit";

export interface ChangeProps {
  ratio: number | null;
  direction: Direction;
  isTime: boolean;
  /** A verdict of the data's, where there is one. */
  verdict?: string;
}

export function Change({ ratio, direction, isTime, verdict }: ChangeProps) {
  if (ratio === null || !Number.isFinite(ratio)) return <span class="muted">–</span>;
  const tone = toneOf(ratio, direction, verdict);
  return (
    <span class={`change ${tone}`}>
      <span aria-hidden="true" class="sign">{ratio > 1 ? "▲" : ratio < 1 ? "▼" : "="}</span>
      <span class="figure">{percent(ratio)}</span>
      <span class="word">{verdict ?? toneWord(tone, isTime)}</span>
    </span>
  );
}

/** Below this many per cent a difference is shown without a tone: the page judges nothing, it only keeps quiet. */
const QUIET = 0.03;

function toneOf(ratio: number, direction: Direction, verdict?: string): string {
  if (verdict === "slower" || verdict === "faster") return verdict === "slower" ? "worse" : "better";
  if (Math.abs(ratio - 1) < QUIET || direction === "none") return "";
  return ratio > 1 === (direction === "lower") ? "worse" : "better";
}

function toneWord(tone: string, isTime: boolean): string {
  if (tone === "") return "";
  if (!isTime) return tone;
  return tone === "worse" ? "slower" : "faster";
}

/** Tells whether a unit is one of time: then worse is slower. */
export function isTimeUnit(unit: string): boolean {
  return ["seconds", "s", "second", "sec"].includes(unit);
}
