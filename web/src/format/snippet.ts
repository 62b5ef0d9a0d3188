// How other programs read the site's data: a few lines for each, with the names of a benchmark quoted for their language.

export interface Snippet {
  tool: string;
  text: string;
}

/** Returns what to type to read a benchmark's rows from the Parquet file at `url`. */
export function snippets(url: string, benchmark: string): Snippet[] {
  const python = JSON.stringify(benchmark);
  const address = JSON.stringify(url);
  return [
    {
      tool: "DuckDB",
      text: `SELECT subject_time, "commit", machine, parameters, value, lower, upper\nFROM read_parquet(${sql(url)})\nWHERE benchmark = ${sql(benchmark)}\nORDER BY position;`,
    },
    {
      tool: "pandas",
      text: `import pandas as pd\n\nresults = pd.read_parquet(${address},\n                          filters=[("benchmark", "==", ${python})])`,
    },
    {
      tool: "Polars",
      text: `import polars as pl\n\nresults = (pl.scan_parquet(${address})\n             .filter(pl.col("benchmark") == ${python})\n             .collect())`,
    },
  ];
}

function sql(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
