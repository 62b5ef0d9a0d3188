// How far a value moved, in figures and with a mark. A word and a colour come only with a verdict of the data's: the page judges nothing.
import type { Direction } from "../data/site";
import { percent } from "./unit";

export interface ChangeProps {
  ratio: number | null;
  /** What the data says of it: `slower` is worse and `faster` is better, whatever the unit. */
  verdict?: string;
}

export function Change({ ratio, verdict }: ChangeProps) {
  if (ratio === null || !Number.isFinite(ratio)) return <span class="muted">–</span>;
  return (
    <span class={`change ${toneOf(verdict)}`}>
      <span aria-hidden="true" class="sign">{ratio > 1 ? "▲" : ratio < 1 ? "▼" : "="}</span>
      <span class="figure">{percent(ratio)}</span>
      <span class="word">{verdict}</span>
    </span>
  );
}

/** Returns the verdict that a change point of the data's amounts to: it is a finding already, only its direction is told. */
export function changeVerdict(effect: number | null, direction: Direction): string | undefined {
  if (effect === null || effect === 0 || direction === "none") return undefined;
  return effect > 0 === (direction === "lower") ? "slower" : "faster";
}

function toneOf(verdict: string | undefined): string {
  if (verdict === "slower") return "worse";
  return verdict === "faster" ? "better" : "";
}
