// A field for a subject: a hash, a tag or a name, with the newest tags to choose from.
import { useEffect, useId, useState } from "preact/hooks";
import type { Subject, Subjects } from "../data/subjects";
import { shortSubject } from "../format/subject";
import { date } from "../format/time";
import { cut } from "./name";

interface SubjectFieldProps {
  label: string;
  subjects: Subjects;
  value: Subject | undefined;
  onChoose(subject: string): void;
}

const N_OFFERED = 40;

export function SubjectField({ label, subjects, value, onChoose }: SubjectFieldProps) {
  const id = useId();
  const shown = value ? (value.tags[0] ?? shortSubject(value.subject)) : "";
  const [text, setText] = useState(shown);
  useEffect(() => setText(shown), [shown]);
  const found = subjects.find(text.trim());
  const choose = (typed: string): void => {
    const subject = subjects.find(typed.trim());
    if (subject && subject !== value) onChoose(subject.subject);
  };
  const offered = [...subjects.list.filter((subject) => subject.tags.length > 0).reverse().slice(0, N_OFFERED / 2), ...subjects.list.slice(-N_OFFERED / 2).reverse()];
  return (
    <span class="field">
      <label for={id}>{label}</label>
      <input id={id} type="text" list={`${id}-list`} class="subject mono" value={text} aria-invalid={text !== "" && !found} title={value ? `${value.subject} ${date(value.time)} ${cut(value.title ?? "", 120)}` : "hash, tag or name"} spellcheck={false} autocomplete="off" onInput={(event) => setText(event.currentTarget.value)} onChange={(event) => choose(event.currentTarget.value)} />
      <datalist id={`${id}-list`}>
        {offered.map((subject) => <option key={subject.subject} value={subject.tags[0] ?? shortSubject(subject.subject)}>{`${date(subject.time)} ${cut(subject.title ?? "", 60)}`}</option>)}
      </datalist>
    </span>
  );
}
