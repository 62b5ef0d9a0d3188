// The points of a chart as a table: for readers who hear the page, and for exact figures.
import { useMemo, useState } from "preact/hooks";
import { seriesKey, unitOf } from "../data/dimensions";
import type { Line } from "../chart/lines";
import type { Site } from "../data/site";
import type { Subjects } from "../data/subjects";
import { shortSubject } from "../format/subject";
import { date } from "../format/time";
import { human, humanRange, significant } from "../format/unit";
import { cut } from "../frame/name";
import { useNavigation } from "../state/navigation";
import { type Column, Table } from "./table";

const COLUMNS: Column[] = [
  { id: "date", title: "Date", className: "p-date" },
  { id: "subject", title: "Commit", className: "p-subject" },
  { id: "line", title: "Line" },
  { id: "value", title: "Value", className: "p-value number" },
  { id: "interval", title: "Interval (99 %)", className: "p-interval number" },
  { id: "samples", title: "Samples", className: "p-samples number" },
  { id: "run", title: "Run", className: "p-run" },
];

export function PointTable({ site, subjects, lines }: { site: Site; subjects: Subjects; lines: Line[] }) {
  const [isOpen, setOpen] = useState(false);
  const rows = useMemo(() => (isOpen ? rowsOf(lines) : []), [lines, isOpen]);
  return (
    <section class="below" aria-labelledby="points-title">
      <h2 id="points-title"><button type="button" class="disclosure" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}><span aria-hidden="true">{isOpen ? "▾" : "▸"}</span> The points as a table</button></h2>
      {isOpen && <Table label="Points" columns={COLUMNS} count={rows.length} rowHeight_px={30} cells={(k) => rows[k] && <Cells site={site} subjects={subjects} row={rows[k]} />} />}
    </section>
  );
}

interface PointRow {
  line: Line;
  k: number;
  position: number;
}

/** Newest first; at one subject in the order of the lines. */
function rowsOf(lines: Line[]): PointRow[] {
  const rows = lines.flatMap((line) => line.places.map((_, k) => ({ line, k, position: positionOf(line, k) })));
  return rows.sort((a, b) => b.position - a.position);
}

function positionOf(line: Line, k: number): number {
  const { points, index } = line.pick(k);
  return points.positions[index]!;
}

function Cells({ site, subjects, row }: { site: Site; subjects: Subjects; row: PointRow }) {
  const { href } = useNavigation();
  const { line, k, position } = row;
  const { one, points, index } = line.pick(k);
  const subject = subjects.list[position];
  const unit = unitOf(site, one);
  const value = points.values[index] ?? null;
  const [lower, upper] = [points.lowers[index] ?? null, points.uppers[index] ?? null];
  const shown = line.values[k] ?? null;
  return (
    <>
      <td class="p-date">{date(subject?.time ?? null)}</td>
      <th scope="row" class="p-subject mono" title={subject?.title ?? undefined}>{subject ? shortSubject(subject.subject) : "–"}</th>
      <td>{cut(line.label || one.benchmark.name, 120)}</td>
      <td class="p-value number">{value === null ? points.outcomes[index]?.replace("_", " ") : line.isRatio ? `${shown === null ? "–" : significant(shown)}× (${human(value, unit)})` : human(value, unit)}</td>
      <td class="p-interval number muted">{lower === null || upper === null ? "–" : humanRange(lower, upper, unit)}</td>
      <td class="p-samples number muted">{points.n_samples[index] || "–"}</td>
      <td class="p-run">{subject && <a href={href("run", { name: one.benchmark.name, s: seriesKey(site, one), at: subject.subject })}>run</a>}</td>
    </>
  );
}
