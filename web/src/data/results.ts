// The points of a benchmark, read from the site's Parquet files: only its rows, only the columns that are drawn.
import { type AsyncBuffer, type FileMetaData, parquetMetadataAsync, parquetReadObjects, parquetScan } from "hyparquet";
import { openRanged } from "./bytes";
import { DataError } from "./json";
import type { Benchmark } from "./site";

/** One series: one entry in each list for each subject, in the order of history. */
export interface Points {
  series: number;
  positions: number[];
  values: (number | null)[];
  lowers: (number | null)[];
  uppers: (number | null)[];
  n_samples: number[];
  outcomes: string[];
  /** Rows in the file, to read the rest of a point. */
  rows: number[];
}

interface OpenFile {
  file: AsyncBuffer;
  metadata: FileMetaData;
}

const COLUMNS = ["series_id", "position", "value", "lower", "upper", "n_samples", "outcome"] as const;
const files = new Map<number, Promise<OpenFile>>();
const loaded = new Map<string, Promise<Map<number, Points>>>();

/** Returns the address of the Parquet file that holds a benchmark, relative to the page. */
export function parquetPath(benchmark: Benchmark): string {
  return `data/results/results-${String(benchmark.file).padStart(2, "0")}.parquet`;
}

/** Returns all points of a benchmark by series; they are fetched once. */
export function loadPoints(benchmark: Benchmark): Promise<Map<number, Points>> {
  const cached = loaded.get(benchmark.name);
  if (cached) return cached;
  const points = readPoints(benchmark);
  loaded.set(benchmark.name, points);
  points.catch(() => loaded.delete(benchmark.name));
  return points;
}

/** Returns everything the data set knows of one point. */
export async function loadRow(benchmark: Benchmark, row: number): Promise<Record<string, unknown>> {
  const { file, metadata } = await open(benchmark);
  const rows = await parquetReadObjects({ file, metadata, rowStart: row, rowEnd: row + 1 });
  if (!rows[0]) throw new DataError("the point is not in the data any more: reload the page");
  return rows[0];
}

/** Reads the points of a benchmark and keeps nothing of them. */
export async function readPoints(benchmark: Benchmark): Promise<Map<number, Points>> {
  const { file, metadata } = await open(benchmark);
  const { first_row: rowStart, n_rows } = benchmark;
  const rowEnd = rowStart + n_rows;
  checkPlace(metadata, benchmark);
  const scan = await parquetScan({ file, metadata, rowStart, rowEnd, columns: [...COLUMNS], useOffsetIndex: false });
  const read = async (column: string): Promise<ArrayLike<unknown>> => {
    const parts = await Promise.all(scan.ranges.map((range) => scan.readColumn({ ...range, column })));
    return parts.length === 1 ? parts[0]! : parts.flatMap((part) => Array.from(part as ArrayLike<unknown>));
  };
  const columns = await Promise.all(COLUMNS.map(read));
  return bySeries(columns, rowStart);
}

/** The site may have been published anew since its first file was read: then the rows are another benchmark's. */
function checkPlace(metadata: FileMetaData, benchmark: Benchmark): void {
  let start = 0;
  for (const group of metadata.row_groups) {
    const end = start + Number(group.num_rows);
    if (benchmark.first_row < end) {
      const column = group.columns.find((chunk) => chunk.meta_data?.path_in_schema[0] === "benchmark");
      const name = column?.meta_data?.statistics?.min_value;
      const isOther = typeof name === "string" && name.length < 256 && name !== benchmark.name && !benchmark.name.startsWith(name);
      if (isOther) throw new DataError("the site has been published anew: reload the page");
      return;
    }
    start = end;
  }
  if (benchmark.n_rows > 0) throw new DataError("the site has been published anew: reload the page");
}

function open(benchmark: Benchmark): Promise<OpenFile> {
  const cached = files.get(benchmark.file);
  if (cached) return cached;
  const opened = openRanged(parquetPath(benchmark)).then(async (file) => ({
    file,
    metadata: await parquetMetadataAsync(file, { geoparquet: false }),
  }));
  files.set(benchmark.file, opened);
  opened.catch(() => files.delete(benchmark.file));
  return opened;
}

/** Takes columns apart into series. Points without a position (no repository to place them) are left out. */
export function bySeries(columns: ArrayLike<unknown>[], firstRow: number): Map<number, Points> {
  const [ids, positions, values, lowers, uppers, counts, outcomes] = columns as [
    ArrayLike<number | bigint>,
    ArrayLike<number | bigint | null>,
    ...ArrayLike<unknown>[],
  ];
  const found = new Map<number, Points>();
  for (let row = 0; row < ids.length; row++) {
    const position = positions[row];
    if (position === null || position === undefined) continue;
    const id = Number(ids[row]);
    let points = found.get(id);
    if (!points) found.set(id, (points = noPoints(id)));
    points.positions.push(Number(position));
    points.values.push(number(values![row]));
    points.lowers.push(number(lowers![row]));
    points.uppers.push(number(uppers![row]));
    points.n_samples.push(Number(counts![row] ?? 0));
    points.outcomes.push(String(outcomes![row] ?? ""));
    points.rows.push(firstRow + row);
  }
  return found;
}

/** Returns a series without points. */
export function noPoints(series: number): Points {
  return { series, positions: [], values: [], lowers: [], uppers: [], n_samples: [], outcomes: [], rows: [] };
}

function number(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}
