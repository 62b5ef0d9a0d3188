// The same two subjects in every line that is drawn.
import { unitOf } from "../data/dimensions";
import type { Site } from "../data/site";
import type { Subject } from "../data/subjects";
import { Change } from "../format/change";
import { human } from "../format/unit";
import { cut } from "../frame/name";
import { type Line, lastIndex } from "./lines";

const N_SHOWN = 24;

export function LineRatios({ site, lines, first, second }: { site: Site; lines: Line[]; first: Subject; second: Subject }) {
  const rows = lines.filter((line) => line.places.length > 0).map((line) => {
    const { points, one } = line.pick(0);
    const [a, b] = [first, second].map((subject) => points.values[lastIndex(points, subject.position)] ?? null);
    return { line, one, a: a ?? null, b: b ?? null };
  });
  return (
    <div class="line-ratios scroll-x">
      <table>
        <thead><tr><th scope="col">Line</th><th scope="col" class="number">A</th><th scope="col" class="number">B</th><th scope="col" class="number">B to A</th></tr></thead>
        <tbody>
          {rows.slice(0, N_SHOWN).map(({ line, one, a, b }) => {
            const unit = unitOf(site, one);
            return (
              <tr key={line.key}>
                <th scope="row">{cut(line.label, 100)}</th>
                <td class="number">{a === null ? "–" : human(a, unit)}</td>
                <td class="number">{b === null ? "–" : human(b, unit)}</td>
                <td class="number"><Change ratio={a && b !== null ? b / a : null} /></td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {rows.length > N_SHOWN && <p class="muted small">{rows.length - N_SHOWN} more lines</p>}
    </div>
  );
}
