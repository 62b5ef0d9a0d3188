// A file on the host, read by ranges; whole where the host does not know ranges.
import type { AsyncBuffer } from "hyparquet";
import { DataError } from "./json";

/** How much of a file's end the first request takes: with luck all of its metadata. */
const TAIL_BYTES = 1 << 18;
/** Ranges with no more than this between them are one request: a round trip costs more than the bytes. */
const GAP_BYTES = 1 << 16;

interface Wanted {
  start: number;
  end: number;
  resolve(bytes: ArrayBuffer): void;
  reject(cause: unknown): void;
}

/** Opens `path` with one request for its end, which tells its length too. */
export async function openRanged(path: string): Promise<AsyncBuffer> {
  const response = await get(path, `bytes=-${TAIL_BYTES}`);
  const bytes = await response.arrayBuffer();
  if (response.status !== 206) return whole(bytes);
  const length = Number(/\/(\d+)$/.exec(response.headers.get("content-range") ?? "")?.[1] ?? Number.NaN);
  if (!Number.isFinite(length)) return whole(await (await get(path)).arrayBuffer());
  if (bytes.byteLength >= length) return whole(bytes);
  return ranged(path, length, bytes);
}

function whole(bytes: ArrayBuffer): AsyncBuffer {
  return { byteLength: bytes.byteLength, slice: (start, end) => bytes.slice(start, end) };
}

function ranged(path: string, length: number, tail: ArrayBuffer): AsyncBuffer {
  const tailStart = length - tail.byteLength;
  let queue: Wanted[] = [];
  const flush = (): void => {
    const wanted = queue;
    queue = [];
    for (const run of runs(wanted)) void fetchRun(path, run);
  };
  const slice = (start: number, end = length): ArrayBuffer | Promise<ArrayBuffer> => {
    if (start >= tailStart) return tail.slice(start - tailStart, end - tailStart);
    return new Promise((resolve, reject) => {
      if (queue.length === 0) setTimeout(flush);
      queue.push({ start, end, resolve, reject });
    });
  };
  return { byteLength: length, slice };
}

/** Puts ranges that lie near each other together, in the order of the file. */
export function runs<T extends { start: number; end: number }>(wanted: T[]): T[][] {
  const sorted = [...wanted].sort((a, b) => a.start - b.start);
  const found: T[][] = [];
  let end = -Infinity;
  for (const range of sorted) {
    if (range.start - end > GAP_BYTES) found.push([]);
    found[found.length - 1]!.push(range);
    end = Math.max(end, range.end);
  }
  return found;
}

async function fetchRun(path: string, run: Wanted[]): Promise<void> {
  const start = run[0]!.start;
  const end = Math.max(...run.map((range) => range.end));
  try {
    const response = await get(path, `bytes=${start}-${end - 1}`);
    const bytes = await response.arrayBuffer();
    const offset = response.status === 206 ? start : 0;
    for (const range of run) range.resolve(bytes.slice(range.start - offset, range.end - offset));
  } catch (cause) {
    for (const range of run) range.reject(cause);
  }
}

async function get(path: string, range?: string): Promise<Response> {
  const response = await fetch(path, range === undefined ? {} : { headers: { Range: range } }).catch((cause: unknown) => {
    throw new DataError(`cannot fetch ${path}: ${String(cause)}`);
  });
  // 416: the file is shorter than the tail that was asked for, which some hosts refuse.
  if (response.status === 416 && range !== undefined) return get(path);
  if (!response.ok) throw new DataError(`cannot fetch ${path}: the host answered ${response.status}`);
  return response;
}
