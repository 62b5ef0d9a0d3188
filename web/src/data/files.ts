// Every published file: where a run's record lies below `raw/`.
import { json } from "./json";

export interface PublishedFile {
  path: string;
  bytes: number;
  sha256: string;
  schema: string | null;
}

let files: Promise<PublishedFile[]> | undefined;

/** Returns the list of published files; it is fetched once. */
export function loadFiles(): Promise<PublishedFile[]> {
  files ??= json<{ schema: string; files: PublishedFile[] }>("data/index.json", "tacho.files/1").then((file) => file.files);
  return files;
}

/** Returns the published file that a run was read from, where raw files are published. */
export function rawFile(files: PublishedFile[], source: string, record: string | null): PublishedFile | undefined {
  const raw = files.filter((file) => file.path.startsWith("raw/"));
  const bySum = record === null ? undefined : raw.find((file) => file.sha256 === record.replace(/^sha256:/, ""));
  const tail = source.split("/").slice(-2).join("/");
  return bySum ?? raw.find((file) => file.path.endsWith(`/${tail}`));
}
