import type { ReactNode } from "react";
import { formatNumber } from "../lib/format.ts";
import { useSharedText } from "../text/shared/use-shared-text.ts";
import { Button } from "./button.tsx";

export interface Column<Row> {
  key: string;
  head: ReactNode;
  cell: (row: Row) => ReactNode;
  isNumber?: boolean;
  /** The order of the rows, if they are sorted by this column. */
  sorted?: "ascending" | "descending";
  /** True to hide the column below 640 px. */
  isMinor?: boolean;
  /** True to make the column as narrow as its content. */
  isNarrow?: boolean;
}

interface TableProps<Row> {
  /** Accessible label of the table. */
  label: string;
  columns: Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** Dense for many short rows to look over, roomy for a few with much in each. */
  density?: "dense" | "roomy";
}

const SPACES = { dense: "py-1.5", normal: "py-2.5", roomy: "py-4" };

/**
 * A table that scrolls horizontally if it does not fit, without making the page scroll, even for
 * visually hidden text.
 */
export function Table<Row>({ label, columns, rows, keyOf, density }: TableProps<Row>) {
  const space = SPACES[density ?? "normal"];
  const look = ({ isNumber, isMinor, isNarrow }: Column<Row>) =>
    `px-3 first:pl-0 last:pr-0 ${isNarrow ? "w-px" : "first:min-w-28"} ${isNumber ? "text-right whitespace-nowrap tabular-nums" : "text-left last:has-[.button]:text-right"} ${isMinor ? "hidden sm:table-cell" : ""}`;
  return (
    <div
      role="region"
      aria-label={label}
      tabIndex={0}
      className="relative -me-3 overflow-x-auto pe-3"
    >
      <table className="w-full text-sm">
        <thead className="border-b border-edge text-xs text-muted">
          <tr>
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                aria-sort={column.sorted}
                className={`${look(column)} py-2 font-medium wrap-break-word`}
              >
                {column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} className="border-b border-line last:border-0 hover:bg-sunken/50">
              {columns.map((column) => (
                <td
                  key={column.key}
                  className={`${look(column)} ${space} ${density === "roomy" ? "align-middle" : "align-baseline"}`}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface PagerProps {
  /** Cursor of the current page, from the URL; undefined on the first page. */
  after: string | undefined;
  /** Cursor of the next page, as returned by the service; undefined while the page loads. */
  next: string | null | undefined;
  total?: number | undefined;
  /** Puts a cursor into the URL; the back button then leads to the previous page. */
  onGo: (after: string | undefined) => void;
}

/** The previous page of each page that was reached by paging forward, by URL. */
const before = new Map<string, string | undefined>();

/** Returns a key for a page of the list in the URL. */
function pageName(after: string): string {
  const search = new URLSearchParams(location.search);
  search.delete("after");
  return `${location.pathname}?${search} ${after}`;
}

/** Pages through a list by its cursors; back only to pages that were visited. */
export function Pager({ after, next, total, onGo }: PagerProps) {
  const text = useSharedText();
  const here = after === undefined ? undefined : pageName(after);
  const isLoading = after !== undefined && next === undefined;
  if (after === undefined && !next && !total) return null;
  return (
    <nav className="flex flex-wrap items-center gap-2 text-sm">
      {total !== undefined && (
        <span className="text-muted">{text.rowsTotal(formatNumber(total))}</span>
      )}
      <span className="flex-1" />
      {after !== undefined && <Button onClick={() => onGo(undefined)}>{text.firstPage}</Button>}
      {here !== undefined && before.has(here) && (
        <Button onClick={() => onGo(before.get(here))}>{text.previousPage}</Button>
      )}
      {(next || isLoading) && (
        <Button
          // until the next page is loaded, some lists show the previous one; the others keep the
          // button, so that a double click does not hit the one beside it
          isBusy={isLoading || next === after}
          onClick={() => {
            if (!next) return;
            before.set(pageName(next), after);
            onGo(next);
          }}
        >
          {text.nextPage}
        </Button>
      )}
    </nav>
  );
}
