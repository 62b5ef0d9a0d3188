// Which rows of a long list are on the screen: only those are in the document.
import { useLayoutEffect, useState } from "preact/hooks";

/** Rows above and below the screen that are kept ready. */
const N_SPARE = 8;

export interface Window {
  first: number;
  end: number;
}

/** Returns the rows to draw, as the page scrolls. All rows are `height_px` high; `list` is where the first begins. */
export function useWindowed(list: { current: HTMLElement | null }, count: number, height_px: number): Window {
  const [shown, setShown] = useState<Window>({ first: 0, end: Math.min(count, 40) });
  useLayoutEffect(() => {
    const measure = (): void => {
      if (!list.current) return;
      const top = list.current.getBoundingClientRect().top;
      const next = rowsOnScreen(-top, innerHeight, count, height_px);
      setShown((old) => (old.first === next.first && old.end === next.end ? old : next));
    };
    measure();
    addEventListener("scroll", measure, { passive: true });
    addEventListener("resize", measure);
    return () => {
      removeEventListener("scroll", measure);
      removeEventListener("resize", measure);
    };
  }, [count, height_px]);
  return { first: Math.min(shown.first, Math.max(0, count - 1)), end: Math.min(shown.end, count) };
}

/** Returns the rows between `scrolled_px` and a screen's height below it. */
export function rowsOnScreen(scrolled_px: number, screen_px: number, count: number, height_px: number): Window {
  const first = Math.max(0, Math.floor(scrolled_px / height_px) - N_SPARE);
  const end = Math.ceil((scrolled_px + screen_px) / height_px) + N_SPARE;
  // Steps of four rows, so that not every pixel of scrolling draws anew.
  return { first: Math.min(first - (first % 4), Math.max(0, count - 1)), end: Math.max(0, Math.min(count, end + 4 - (end % 4))) };
}
