// Not drawn yet.
export function Benchmark(_: { site: unknown; theme: string }) { return <h1>Benchmark</h1>; }
