// A JSON file below `data/`, with the schema that this page can read.

/** What kept a file from being read, in words for the reader of the page. */
export class DataError extends Error {}

/** Fetches `path` and checks its schema: another number after the slash is another meaning. */
export async function json<T extends { schema: string }>(path: string, schema: string): Promise<T> {
  const response = await fetch(path).catch((cause: unknown) => {
    throw new DataError(`cannot fetch ${path}: ${String(cause)}`);
  });
  if (!response.ok) throw new DataError(`cannot fetch ${path}: the host answered ${response.status}`);
  const document = (await response.json().catch(() => {
    throw new DataError(`${path} is not JSON`);
  })) as T;
  if (document.schema !== schema) {
    throw new DataError(`${path} is ${document.schema}, and this page reads ${schema}: reload it, or publish anew`);
  }
  return document;
}
