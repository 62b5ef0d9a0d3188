// A benchmark, or several, over time or over a parameter.
import { useEffect, useMemo, useState } from "preact/hooks";
import { Chips } from "../chart/chips";
import { Controls } from "../chart/controls";
import { Facet } from "../chart/facet";
import { Happenings } from "../chart/happenings";
import { Held } from "../chart/held";
import { Legend } from "../chart/legend";
import type { Line, PointPick } from "../chart/lines";
import { type Picture, usePicture } from "../chart/picture";
import type { Analysis } from "../data/analysis";
import { seriesKey } from "../data/dimensions";
import type { Benchmark as BenchmarkData, Site } from "../data/site";
import { counted } from "../format/unit";
import { Finder } from "../frame/finder";
import { BenchmarkName, cut, nameParts } from "../frame/name";
import { OpenData } from "../frame/open_data";
import { Problem, Waiting } from "../frame/problem";
import { useKeys } from "../state/keyboard";
import { useNavigation } from "../state/navigation";
import type { Theme } from "../state/theme";
import { PointTable } from "../table/points";

export function Benchmark({ site, theme }: { site: Site; theme: Theme }) {
  const { place } = useNavigation();
  const names = place.query.getAll("name");
  const benchmarks = useMemo(() => names.flatMap((name) => site.benchmarks.find((one) => one.name === name) ?? []), [site, names.join("\n")]);
  useEffect(() => {
    document.title = `${benchmarks.map((one) => cut(one.name, 80)).join(", ") || "Benchmark"} · ${site.project.name}`;
  }, [benchmarks]);
  if (benchmarks.length === 0) return <Missing name={names[0]} />;
  return <Chart site={site} theme={theme} benchmarks={benchmarks} />;
}

function Missing({ name }: { name: string | undefined }) {
  const { href } = useNavigation();
  return <div class="empty"><h1>Benchmark</h1><p>{name === undefined ? "No benchmark is chosen." : `There is no benchmark ${cut(name, 120)}.`} <a href={href("benchmarks")}>See all of them</a></p></div>;
}

function Chart({ site, theme, benchmarks }: { site: Site; theme: Theme; benchmarks: BenchmarkData[] }) {
  const { place, change } = useNavigation();
  const picture = usePicture(site, benchmarks, place.query);
  const [focus, setFocus] = useState<string | null>(null);
  const hidden = useMemo(() => new Set(place.query.getAll("hide")), [place.query.getAll("hide").join("\n")]);
  useKeys((key) => key === "Escape" && change({ a: null, b: null, s: null }));
  const visible = useMemo(() => picture.lines?.filter((line) => !hidden.has(line.key)) ?? [], [picture.lines, hidden]);
  const toggle = (key: string): void => {
    const next = new Set(hidden);
    if (!next.delete(key)) next.add(key);
    change({ hide: [...next] });
  };
  return (
    <>
      <Title benchmarks={benchmarks} site={site} />
      <Chips site={site} varying={picture.varying} filters={picture.filters} />
      {picture.subjects && <Controls site={site} subjects={picture.subjects} choice={picture.choice} parameters={picture.parameters} varying={picture.varyingShown} encoding={picture.encoding} />}
      {picture.error ? <Problem error={picture.error} /> : !picture.lines || !picture.subjects ? <div class="plot-space"><Waiting what="points" /></div> : (
        <div class="chart-area">
          <Facets site={site} theme={theme} picture={picture} lines={visible} focus={focus} />
          <Legend site={site} lines={picture.lines} theme={theme} hidden={hidden} onFocus={setFocus} onToggle={toggle} />
        </div>
      )}
      {picture.n_left_out > 0 && <p class="note">{counted(picture.n_left_out, "more series is", "more series are")} not drawn: choose values above, or <button type="button" class="link" onClick={() => change({ all: "1" })}>draw all</button>.</p>}
      {picture.choice.norm && <p class="muted small">Values and intervals are divided by the chosen base. The uncertainty of the base itself is not in these intervals.</p>}
      {picture.lines && picture.subjects && (
        <>
          <Held site={site} subjects={picture.subjects} line={picture.heldLine} lines={picture.lines} a={picture.a} b={picture.b} />
          {picture.analysis && !picture.choice.x.startsWith("param.") && <Happenings site={site} subjects={picture.subjects} analysis={picture.analysis} lines={picture.lines} />}
          <PointTable site={site} subjects={picture.subjects} lines={picture.lines} />
        </>
      )}
      {benchmarks.slice(0, 1).map((benchmark) => <OpenData key={benchmark.name} benchmark={benchmark} />)}
    </>
  );
}

function Title({ benchmarks, site }: { benchmarks: BenchmarkData[]; site: Site }) {
  const { place, change, href } = useNavigation();
  const names = place.query.getAll("name");
  const [first] = benchmarks;
  const words = { lower: "lower is better", higher: "higher is better", none: "" }[first!.direction];
  return (
    <div class="chart-title">
      <div>
        {benchmarks.length === 1 ? <h1><BenchmarkTitle benchmark={first!} /></h1> : (
          <>
            <h1>{benchmarks.length} benchmarks</h1>
            <ul class="chosen">
              {benchmarks.map((benchmark) => (
                <li class="chip" key={benchmark.name}><BenchmarkName benchmark={benchmark} /><button type="button" class="link" aria-label={`Take ${cut(benchmark.name, 80)} away`} onClick={() => change({ name: names.filter((name) => name !== benchmark.name) })}>×</button></li>
              ))}
            </ul>
          </>
        )}
        <p class="muted">
          {benchmarks.length === 1 && <><span>{cut(first!.label, 160)}</span> · </>}
          {words && `${words} · `}{counted(benchmarks.reduce((sum, one) => sum + one.series.length, 0), "series", "series")}
          {first!.group.length > 0 && benchmarks.length === 1 && <> · <a href={href("benchmarks", { q: first!.group.join("."), group: "class" })}>its neighbours</a></>}
          {first!.tags.map((tag) => <a class="pill" key={tag} href={href("benchmarks", { tag })}>{tag}</a>)}
        </p>
      </div>
      <Finder site={site} label="Add a benchmark" onChoose={(name) => change({ name: [...new Set([...names, name])] })} />
    </div>
  );
}

function BenchmarkTitle({ benchmark }: { benchmark: BenchmarkData }) {
  const { prefix, own } = nameParts(benchmark);
  return <><span class="muted prefix">{cut(prefix, 80)}</span>{cut(own, 200)}</>;
}

interface FacetsProps {
  site: Site;
  theme: Theme;
  picture: Picture;
  lines: Line[];
  focus: string | null;
}

/** The same object each time, so that nothing is drawn anew for it. */
const NO_ANALYSIS: Analysis = {};

function Facets({ site, theme, picture, lines, focus }: FacetsProps) {
  const { change } = useNavigation();
  const facets = useMemo(() => picture.facetsOf(lines), [lines]);
  const { subjects, choice, analysis } = picture;
  const pick = (line: Line, { points, index, one }: PointPick): void => {
    const subject = subjects!.list[points.positions[index]!];
    if (!subject) return;
    const held = picture.b;
    // The point before becomes A, this one B.
    change({ a: held && held !== subject ? held.subject : null, b: subject.subject, s: seriesKey(site, choice.x.startsWith("param.") ? line.one : one) });
  };
  const side = (name: "a" | "b", _: Line, { points, index, one }: PointPick): void => change({ [name]: subjects!.list[points.positions[index]!]?.subject ?? null, s: seriesKey(site, one) });
  const marks = [...(picture.a ? [{ position: picture.a.position, label: "A" }] : []), ...(picture.b ? [{ position: picture.b.position, label: picture.a ? "B" : "held" }] : [])];
  if (lines.length === 0) return <p class="empty plot-space">Nothing to draw: no series passes.</p>;
  const height_px = facets.length === 1 ? 440 : 280;
  return (
    <div class={facets.length > 1 ? "facets" : "facets single"}>
      {facets.map((facet) => (
        <Facet key={facet.key} site={site} subjects={subjects!} analysis={analysis ?? NO_ANALYSIS} lines={facet.lines} title={facet.title} choice={choice} theme={theme} height_px={height_px} marks={marks} focus={focus} onPick={pick} onSide={side} onZoom={(from, to) => change({ from: from === null ? null : String(from), to: to === null ? null : String(to) })} />
      ))}
    </div>
  );
}
