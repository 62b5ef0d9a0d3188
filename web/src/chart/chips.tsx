// Which values of each dimension are drawn: a row of switches for each.
import { type Dimension, dimensionName, valueLabel } from "../data/dimensions";
import type { Site } from "../data/site";
import { literalText } from "../format/literal";
import { cut } from "../frame/name";
import { useNavigation } from "../state/navigation";

interface ChipsProps {
  site: Site;
  varying: { dimension: Dimension; values: string[] }[];
  filters: Map<string, Set<string>>;
}

export function Chips({ site, varying, filters }: ChipsProps) {
  const { change } = useNavigation();
  const toggle = (dimension: Dimension, values: string[], value: string): void => {
    const chosen = filters.get(dimension);
    // The first click on a value shows it alone; more add to it, and all of them are no filter.
    const next = chosen ? (chosen.has(value) ? [...chosen].filter((one) => one !== value) : [...chosen, value]) : [value];
    change({ [dimension]: next.length === 0 || next.length === values.length ? null : next });
  };
  return (
    <div class="chips">
      {varying.filter(({ dimension }) => dimension !== "benchmark").map(({ dimension, values }) => (
        <div class="chip-row" role="group" aria-label={dimensionName(dimension)} key={dimension}>
          <span class="field-label">{dimensionName(dimension)}</span>
          <button type="button" class="chip" aria-pressed={!filters.has(dimension)} onClick={() => change({ [dimension]: null })}>all</button>
          {values.map((value) => (
            <button type="button" class="chip" key={value} aria-pressed={filters.get(dimension)?.has(value) ?? false} onClick={() => toggle(dimension, values, value)}>
              {cut(dimension === "metric" ? valueLabel(site, dimension, value) : literalText(value) || "(none)", 40)}
            </button>
          ))}
        </div>
      ))}
    </div>
  );
}
