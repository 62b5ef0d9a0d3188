// Small controls: a choice from a list, a row of words of which one is chosen, a switch.
import { useId } from "preact/hooks";

export interface Option {
  value: string;
  text: string;
}

interface SelectProps {
  label: string;
  value: string;
  options: Option[];
  onChange(value: string): void;
}

export function Select({ label, value, options, onChange }: SelectProps) {
  const id = useId();
  return (
    <span class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map((option) => <option key={option.value} value={option.value}>{cutOption(option.text)}</option>)}
      </select>
    </span>
  );
}

interface SegmentsProps {
  label: string;
  value: string;
  options: Option[];
  onChange(value: string): void;
}

/** One of a few words, all of them in sight. */
export function Segments({ label, value, options, onChange }: SegmentsProps) {
  return (
    <span class="field">
      {label && <span class="field-label">{label}</span>}
      <span class="segments" role="group" aria-label={label || "Show as"}>
        {options.map((option) => (
          <button key={option.value} type="button" aria-pressed={option.value === value} onClick={() => onChange(option.value)}>{option.text}</button>
        ))}
      </span>
    </span>
  );
}

interface SwitchProps {
  label: string;
  isOn: boolean;
  onChange(isOn: boolean): void;
}

export function Switch({ label, isOn, onChange }: SwitchProps) {
  return (
    <label class="switch">
      <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>{label}</span>
    </label>
  );
}

function cutOption(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
