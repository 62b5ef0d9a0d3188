// A field that finds a benchmark by a part of its name: a combobox with a list below it.
import { useId, useMemo, useState } from "preact/hooks";
import { searched } from "../data/search";
import type { Site } from "../data/site";
import { BenchmarkName } from "./name";

interface FinderProps {
  site: Site;
  label: string;
  onChoose(benchmark: string): void;
  /** Called with the text where nothing in the list is marked. */
  onAll?(text: string): void;
}

const N_SHOWN = 10;
/** Set apart, since the types of elements know this role only beside a `datalist`. */
const COMBOBOX: object = { role: "combobox" };

export function Finder({ site, label, onChoose, onAll }: FinderProps) {
  const [text, setText] = useState("");
  const [marked, setMarked] = useState(-1);
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const found = useMemo(() => (text.trim() === "" ? [] : searched(site.benchmarks, text)), [text, site]);
  const shown = isOpen ? found.slice(0, N_SHOWN) : [];
  const choose = (name: string): void => {
    setText("");
    setOpen(false);
    onChoose(name);
  };
  const key = (event: KeyboardEvent): void => {
    if (event.key === "Escape") setOpen(false);
    else if (event.key === "ArrowDown") setMarked(Math.min(marked + 1, shown.length - 1));
    else if (event.key === "ArrowUp") setMarked(Math.max(marked - 1, -1));
    else if (event.key === "Enter") {
      const one = shown[marked] ?? (onAll ? undefined : shown[0]);
      if (one) choose(one.name);
      else if (onAll && text.trim() !== "") onAll(text);
    } else return;
    event.preventDefault();
  };
  return (
    <div class="finder">
      <input
        type="search"
        data-search
        {...COMBOBOX}
        aria-label={label}
        aria-expanded={shown.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={shown[marked] ? `${id}-${marked}` : undefined}
        autocomplete="off"
        spellcheck={false}
        placeholder={label}
        value={text}
        onInput={(event) => { setText(event.currentTarget.value); setOpen(true); setMarked(-1); }}
        onKeyDown={key}
        onBlur={() => setTimeout(() => setOpen(false), 150)}
      />
      <ul id={`${id}-list`} role="listbox" aria-label="Benchmarks" hidden={shown.length === 0}>
        {shown.map((one, k) => (
          <li key={one.name} id={`${id}-${k}`} role="option" aria-selected={k === marked} onPointerDown={(event) => { event.preventDefault(); choose(one.name); }}>
            <BenchmarkName benchmark={one} />
          </li>
        ))}
      </ul>
    </div>
  );
}
