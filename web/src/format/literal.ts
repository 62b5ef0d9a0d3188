// Values of parameters and axes: Python literals, or texts of an environment.

/** Returns the number that a literal stands for, or null. */
export function literalNumber(text: string): number | null {
  if (!/^[-+]?[\d_]*\.?\d[\d_]*(e[-+]?\d+)?$/i.test(text.trim())) return null;
  const value = Number(text.replaceAll("_", ""));
  return Number.isFinite(value) ? value : null;
}

/** Returns a literal as people read it: a text without its quotes. */
export function literalText(text: string): string {
  const quoted = /^'((?:[^'\\]|\\['\\])*)'$|^"((?:[^"\\]|\\["\\])*)"$/.exec(text);
  if (!quoted) return text;
  return (quoted[1] ?? quoted[2] ?? "").replace(/\\(['"\\])/g, "$1");
}

/** Orders numbers by their size, versions part by part, and texts as a reader expects. */
export function compareTexts(a: string, b: string): number {
  const [x, y] = [literalNumber(a), literalNumber(b)];
  const areVersions = /^\d+\.\d+$/.test(a) && /^\d+\.\d+$/.test(b);
  if (x !== null && y !== null && !areVersions) return x - y;
  return COLLATOR.compare(a, b);
}

const COLLATOR = new Intl.Collator("en", { numeric: true });
