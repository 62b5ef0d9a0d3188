// A long table: real table markup, rows drawn as they come on the screen, columns that sort, a row that is marked by keys.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useKeys } from "../state/keyboard";
import { useWindowed } from "./windowed";

export interface Column {
  id: string;
  title: string;
  className?: string;
  isSortable?: boolean;
  note?: string;
}

interface TableProps {
  label: string;
  columns: Column[];
  count: number;
  rowHeight_px: number;
  sort?: { column: string; isDescending: boolean };
  onSort?(column: string): void;
  cells(row: number): ComponentChildren;
  rowClass?(row: number): string;
  onOpen?(row: number): void;
}

export function Table({ label, columns, count, rowHeight_px, sort, onSort, cells, rowClass, onOpen }: TableProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  const { first, end } = useWindowed(body, count, rowHeight_px);
  const marked = useMarked(body, count, rowHeight_px, onOpen);
  const rows = Array.from({ length: Math.max(0, end - first) }, (_, k) => first + k);
  return (
    <table class="table" aria-label={label} aria-rowcount={count + 1}>
      <thead>
        <tr aria-rowindex={1}>
          {columns.map((column) => <Heading key={column.id} column={column} sort={sort} onSort={onSort} />)}
        </tr>
      </thead>
      <tbody ref={body}>
        {first > 0 && <Spacer height_px={first * rowHeight_px} />}
        {rows.map((row) => (
          <tr key={row} aria-rowindex={row + 2} class={`${rowClass?.(row) ?? ""}${row === marked ? " marked" : ""}`} style={{ height: `${rowHeight_px}px` }}>
            {cells(row)}
          </tr>
        ))}
        {end < count && <Spacer height_px={(count - end) * rowHeight_px} />}
      </tbody>
    </table>
  );
}

/** One cell only: more would bring columns back that a narrow screen leaves out. */
function Spacer({ height_px }: { height_px: number }) {
  return <tr class="spacer" aria-hidden="true"><td style={{ height: `${height_px}px` }} /></tr>;
}

interface HeadingProps {
  column: Column;
  sort: TableProps["sort"];
  onSort: TableProps["onSort"];
}

function Heading({ column, sort, onSort }: HeadingProps) {
  const isSorted = sort?.column === column.id;
  const order = isSorted ? (sort.isDescending ? "descending" : "ascending") : undefined;
  return (
    <th scope="col" class={column.className} aria-sort={order} title={column.note}>
      {column.isSortable && onSort ? (
        <button type="button" onClick={() => onSort(column.id)}>
          {column.title}
          <span class="arrow" aria-hidden="true">{order === "descending" ? "↓" : order === "ascending" ? "↑" : ""}</span>
        </button>
      ) : column.title}
    </th>
  );
}

/** Follows j, k and the arrows, and opens on Enter. Returns the marked row, -1 for none. */
export function useMarked(list: { current: HTMLElement | null }, count: number, height_px: number, onOpen?: (row: number) => void): number {
  const [marked, setMarked] = useState(-1);
  useKeys((key, event) => {
    if (!onOpen || count === 0) return;
    const isOwn = !event.target || event.target === document.body || (event.target as Element).id === "main";
    const step = key === "j" || (key === "ArrowDown" && isOwn) ? 1 : key === "k" || (key === "ArrowUp" && isOwn) ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      const next = Math.max(0, Math.min(count - 1, marked + step));
      setMarked(next);
      scrollToRow(list.current, next, height_px);
    } else if (key === "Enter" && isOwn && marked >= 0) onOpen(marked);
    else if (key === "Escape") setMarked(-1);
  });
  useEffect(() => setMarked(-1), [count]);
  return marked;
}

function scrollToRow(list: HTMLElement | null, row: number, height_px: number): void {
  if (!list) return;
  const top = list.getBoundingClientRect().top + row * height_px;
  const bar_px = 110;
  if (top < bar_px) scrollBy(0, top - bar_px);
  else if (top + height_px > innerHeight - 20) scrollBy(0, top + height_px - innerHeight + 20);
}
