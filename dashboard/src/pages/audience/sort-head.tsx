import type { Sort } from "./statuses.ts";

interface SortHead {
  /** The order of the list; undefined for newest first. */
  sort: Sort | undefined;
  onSort: (sort: Sort | undefined) => void;
  /** The orders by this column: the first click gives the first, the next one the other. */
  orders: readonly [Sort, Sort];
}

/** Returns the head of a column that sorts the list. */
export function sortHead(label: string, { sort = "-created_at", onSort, orders }: SortHead) {
  const [first, second] = orders;
  const isSorted = sort === first || sort === second;
  const isDown = sort.startsWith("-");
  return {
    ...(isSorted ? { sorted: isDown ? ("descending" as const) : ("ascending" as const) } : {}),
    head: (
      <button
        type="button"
        className="font-medium hover:text-ink"
        onClick={() => onSort(sort === first ? second : first)}
      >
        {label} <span aria-hidden>{isSorted ? (isDown ? "↓" : "↑") : "↕"}</span>
      </button>
    ),
  };
}
