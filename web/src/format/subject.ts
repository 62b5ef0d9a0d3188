// Subjects and their addresses at the forge.
import type { Subject } from "../data/subjects";
import type { Site } from "../data/site";

/** Returns a subject in few letters: eight digits of a commit, a name as it is. */
export function shortSubject(subject: string): string {
  return /^[0-9a-f]{40,64}$/.test(subject) ? subject.slice(0, 8) : subject;
}

/** Returns an address that may be followed: only `http` and `https`, whatever the data says. */
export function safeUrl(url: string | null | undefined): string | undefined {
  if (!url) return undefined;
  try {
    const { protocol, href } = new URL(url);
    return protocol === "https:" || protocol === "http:" ? href : undefined;
  } catch {
    return undefined;
  }
}

/** Returns where the forge shows a commit. */
export function commitUrl(site: Site, subject: Subject | undefined): string | undefined {
  if (subject?.kind !== "commit" || !site.project.commit_url) return undefined;
  return safeUrl(site.project.commit_url.replace("{commit}", encodeURIComponent(subject.subject)));
}

/** Returns where the forge shows what lies between two commits. */
export function rangeUrl(site: Site, from: string | null, to: string): string | undefined {
  if (from === null || !site.project.range_url || !isHash(from) || !isHash(to)) return undefined;
  return safeUrl(site.project.range_url.replace("{from}", encodeURIComponent(from)).replace("{to}", encodeURIComponent(to)));
}

/** Returns the command that lists the commits between two, or null where they are no commits. */
export function logCommand(from: string, to: string): string | null {
  return isHash(from) && isHash(to) ? `git log --oneline ${from.slice(0, 12)}..${to.slice(0, 12)}` : null;
}

function isHash(text: string): boolean {
  return /^[0-9a-f]{7,64}$/.test(text);
}
