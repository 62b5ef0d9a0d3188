// What goes where: the axes, colour, dash, facets, normalisation, and what is drawn beside the lines.
import { type Dimension, dimensionName } from "../data/dimensions";
import type { Site } from "../data/site";
import type { Subjects } from "../data/subjects";
import { type Option, Segments, Select, Switch } from "../frame/controls";
import { literalText } from "../format/literal";
import { shortSubject } from "../format/subject";
import { useNavigation } from "../state/navigation";
import type { ChartChoice } from "./choice";

interface ControlsProps {
  site: Site;
  subjects: Subjects;
  choice: ChartChoice;
  /** Parameters that are numbers: they can be the x axis. */
  parameters: Dimension[];
  varying: { dimension: Dimension; values: string[] }[];
  encoding: { color: Dimension; dash: Dimension; facet: Dimension };
}

export function Controls({ site, subjects, choice, parameters, varying, encoding }: ControlsProps) {
  const { change } = useNavigation();
  const dimensions = varying.filter(({ dimension }) => dimension !== choice.x).map(({ dimension }) => ({ value: dimension, text: dimensionName(dimension) }));
  const none = { value: "", text: "nothing" };
  const xs = [{ value: "date", text: "date" }, { value: "commit", text: "commit" }, ...parameters.map((one) => ({ value: one, text: dimensionName(one) }))];
  const isHistory = choice.x === "date" || choice.x === "commit";
  return (
    <div class="toolbar chart-controls">
      <Segments label="x" value={choice.x} options={xs} onChange={(x) => change({ x: x === "date" ? null : x, from: null, to: null, xlog: x.startsWith("param.") ? "1" : null })} />
      {!isHistory && <Switch label="log x" isOn={choice.isXLog} onChange={(isOn) => change({ xlog: isOn ? "1" : null })} />}
      <Segments label="y" value={choice.y} options={[{ value: "linear", text: "linear" }, { value: "zero", text: "from 0" }, { value: "log", text: "log" }]} onChange={(y) => change({ y })} />
      {dimensions.length > 0 && (
        <>
          <Select label="Colour" value={encoding.color} options={[none, ...dimensions]} onChange={(value) => change({ color: [value] })} />
          <Select label="Dash" value={encoding.dash} options={[none, ...dimensions]} onChange={(value) => change({ dash: [value] })} />
          <Select label="Facets" value={encoding.facet} options={[none, ...dimensions]} onChange={(value) => change({ facet: [value] })} />
        </>
      )}
      <Select label="Divide by" value={normText(choice)} options={normOptions(site, subjects, choice, varying)} onChange={(norm) => change({ norm })} />
      <span class="switches">
      <Switch label="intervals" isOn={choice.hasIntervals} onChange={(isOn) => change({ intervals: isOn ? null : "0" })} />
      {isHistory && <Switch label="changes" isOn={choice.hasAnalysis} onChange={(isOn) => change({ changes: isOn ? null : "0" })} />}
      <Switch label="points" isOn={choice.hasPoints} onChange={(isOn) => change({ points: isOn ? "1" : null })} />
      </span>
      {choice.from !== null && <button type="button" class="button" onClick={() => change({ from: null, to: null })}>Whole range</button>}
    </div>
  );
}

function normText({ norm }: ChartChoice): string {
  if (norm === null) return "";
  return norm.kind === "subject" ? `subject:${norm.subject}` : `${norm.dimension}=${norm.value}`;
}

function normOptions(site: Site, subjects: Subjects, choice: ChartChoice, varying: ControlsProps["varying"]): Option[] {
  const { norm } = choice;
  const first = subjects.list[0];
  const chosen = norm?.kind === "subject" ? subjects.find(norm.subject) : undefined;
  const commits = [chosen, first, ...subjects.list.filter((subject) => subject.tags.length > 0).reverse().slice(0, 12)];
  const named = [...new Set(commits)].filter((subject) => subject !== undefined);
  return [
    { value: "", text: "nothing" },
    ...named.map((subject) => ({ value: `subject:${subject === chosen && norm?.kind === "subject" ? norm.subject : subject.subject}`, text: `value at ${subject.tags[0] ?? shortSubject(subject.subject)}${subject === first ? " (first)" : ""}` })),
    ...varying.filter(({ dimension }) => dimension !== choice.x && !(dimension === "metric" || (dimension === "benchmark" && site.benchmarks.length < 2))).flatMap(({ dimension, values }) => values.slice(0, 30).map((value) => ({ value: `${dimension}=${value}`, text: `${dimensionName(dimension)} ${literalText(value)}` }))),
  ];
}
