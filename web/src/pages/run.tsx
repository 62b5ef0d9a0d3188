// Not drawn yet.
export function Run(_: { site: unknown; theme: string }) { return <h1>Run</h1>; }
