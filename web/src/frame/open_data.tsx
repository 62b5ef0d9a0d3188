// How to take the data away: the CSV, the Parquet file's address, and what to type to read it.
import { useState } from "preact/hooks";
import { Copy } from "../chart/held";
import { parquetPath } from "../data/results";
import type { Benchmark } from "../data/site";
import { snippets } from "../format/snippet";
import { Segments } from "./controls";

export function OpenData({ benchmark }: { benchmark: Benchmark }) {
  const [tool, setTool] = useState("DuckDB");
  const url = new URL(parquetPath(benchmark), document.baseURI).href;
  const all = snippets(url, benchmark.name);
  const text = all.find((snippet) => snippet.tool === tool)?.text ?? "";
  const csv = benchmark.csv && /^data\/csv\/[^:]*$/.test(benchmark.csv) ? benchmark.csv : undefined;
  return (
    <section class="below" aria-labelledby="data-title">
      <h2 id="data-title">Take the data</h2>
      <p class="data-links">
        {csv && <a href={csv} download>CSV of this benchmark</a>}
        <a href={parquetPath(benchmark)} download>Parquet file that holds it</a>
        <span class="mono muted ellipsis">{url}</span>
      </p>
      <div class="snippet-head">
        <Segments label="" value={tool} options={all.map((snippet) => ({ value: snippet.tool, text: snippet.tool }))} onChange={setTool} />
        <Copy text={text} />
      </div>
      <pre class="snippet" tabIndex={0} aria-label={`How ${tool} reads it`}><code>{text.length > 3000 ? `${text.slice(0, 3000)}…` : text}</code></pre>
    </section>
  );
}
