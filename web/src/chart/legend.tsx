// The lines by name, with their colour and dash; each can be looked at alone or hidden.
import { human } from "../format/unit";
import { significant } from "../format/unit";
import { unitOf } from "../data/dimensions";
import type { Site } from "../data/site";
import type { Theme } from "../state/theme";
import { cut } from "../frame/name";
import type { Line } from "./lines";
import { lineColour, lineDash } from "./palette";

interface LegendProps {
  site: Site;
  lines: Line[];
  theme: Theme;
  hidden: Set<string>;
  onFocus(key: string | null): void;
  onToggle(key: string): void;
}

export function Legend({ site, lines, theme, hidden, onFocus, onToggle }: LegendProps) {
  return (
    <ul class="legend" aria-label="Lines" onMouseLeave={() => onFocus(null)}>
      {lines.map((line) => (
        <li key={line.key}>
          <button type="button" aria-pressed={!hidden.has(line.key)} title={hidden.has(line.key) ? "Show this line" : "Hide this line"} onMouseEnter={() => onFocus(line.key)} onFocus={() => onFocus(line.key)} onBlur={() => onFocus(null)} onClick={() => onToggle(line.key)}>
            <Swatch line={line} theme={theme} />
            <span class="ellipsis">{cut(line.label || line.one.benchmark.name, 120)}</span>
            <span class="muted number">{lastText(site, line)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

export function Swatch({ line, theme }: { line: Line; theme: Theme }) {
  return (
    <svg class="swatch" viewBox="0 0 28 10" aria-hidden="true">
      <path d="M1 5H27" stroke={lineColour(theme, line.color)} stroke-dasharray={lineDash(line.dash).join(" ")} />
    </svg>
  );
}

function lastText(site: Site, line: Line): string {
  for (let k = line.values.length - 1; k >= 0; k--) {
    const value = line.values[k];
    if (value !== null && value !== undefined) return line.isRatio ? `${significant(value)}×` : human(value, unitOf(site, line.one));
  }
  return "–";
}
