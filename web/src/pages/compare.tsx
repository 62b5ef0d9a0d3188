// Not drawn yet.
export function Compare(_: { site: unknown; theme: string }) { return <h1>Compare</h1>; }
