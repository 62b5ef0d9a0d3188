// The keys, in a dialog.
import { useEffect, useRef } from "preact/hooks";
import { KEYS } from "../state/keyboard";

export function Help({ onClose }: { onClose(): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title" onClose={onClose}>
      <h2 id="help-title">Keys</h2>
      <dl>
        {KEYS.map(([key, does]) => (
          <div key={key}>
            <dt><kbd>{key}</kbd></dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p class="muted">The address of the page holds all that you chose: copy it, and others see the same.</p>
      <form method="dialog" onSubmit={(event) => { event.preventDefault(); dialog.current?.close(); }}>
        <button type="submit" class="button">Close</button>
      </form>
    </dialog>
  );
}
