// What could not be shown, and why.

export function Problem({ error }: { error: Error }) {
  return (
    <div class="problem" role="alert">
      <strong>This cannot be shown.</strong>
      <p>{error.message}</p>
    </div>
  );
}

/** Says that something is on its way; it appears only where that takes a while. */
export function Waiting({ what }: { what: string }) {
  return <p class="waiting" role="status">Loading {what} …</p>;
}
