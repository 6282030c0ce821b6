import type { ReactNode } from "react";
import { formatNumber } from "../lib/format.ts";
import { useSharedText } from "../text/shared/use-shared-text.ts";
import { Button } from "./button.tsx";

export interface Column<Row> {
  key: string;
  head: ReactNode;
  cell: (row: Row) => ReactNode;
  isNumber?: boolean;
  /** Hides the column below 640 px. */
  isMinor?: boolean;
  /** Makes the column as narrow as its content. */
  isNarrow?: boolean;
}

interface TableProps<Row> {
  /** Names the table for screen readers. */
  label: string;
  columns: Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
}

/**
 * A table. Below its width it scrolls sideways on its own, never the page, not even for hidden
 * words.
 */
export function Table<Row>({ label, columns, rows, keyOf }: TableProps<Row>) {
  const look = ({ isNumber, isMinor, isNarrow }: Column<Row>) =>
    `px-3 py-2 ${isNarrow ? "w-px" : "first:min-w-28"} ${isNumber ? "text-right whitespace-nowrap tabular-nums" : "text-left"} ${isMinor ? "hidden sm:table-cell" : ""}`;
  return (
    <div
      role="region"
      aria-label={label}
      tabIndex={0}
      className="relative overflow-x-auto rounded-lg border border-line bg-surface"
    >
      <table className="w-full text-sm">
        <thead className="border-b border-line text-muted">
          <tr>
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                className={`${look(column)} font-medium wrap-break-word`}
              >
                {column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} className="border-b border-line last:border-0 hover:bg-sunken">
              {columns.map((column) => (
                <td key={column.key} className={`${look(column)} align-top`}>
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
  /** The cursor of the page in the address; undefined on the first page. */
  after: string | undefined;
  /** The cursor of the next page, as the service returned it. */
  next: string | null | undefined;
  total?: number | undefined;
  /** Puts a cursor into the address; the back button leads to the page before. */
  onGo: (after: string | undefined) => void;
}

/** The page before, by the address of each page to which somebody went on. */
const before = new Map<string, string | undefined>();

/** Returns a name for a page of the list in the address. */
function pageName(after: string): string {
  const search = new URLSearchParams(location.search);
  search.delete("after");
  return `${location.pathname}?${search} ${after}`;
}

/**
 * Leads through the pages of a list by its cursors; back only to pages from which somebody came.
 */
export function Pager({ after, next, total, onGo }: PagerProps) {
  const text = useSharedText();
  const here = after === undefined ? undefined : pageName(after);
  if (after === undefined && !next && total === undefined) return null;
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
      {next && (
        <Button
          isBusy={next === after} // on the way there, the list is still the one before
          onClick={() => {
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
