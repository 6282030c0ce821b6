import type { ReactNode } from "react";
import { toggled } from "../lib/toggled.ts";
import type { Column } from "./table.tsx";

interface ChooseColumnProps<Row> {
  head: ReactNode;
  /** Label of a row's checkbox. */
  labelOf: (row: Row) => string;
  keyOf: (row: Row) => string;
  chosen: ReadonlySet<string>;
  onChoose: (chosen: ReadonlySet<string>) => void;
}

/** Creates a column of checkboxes for row selection. */
export function chooseColumn<Row>(props: ChooseColumnProps<Row>): Column<Row> {
  const { head, labelOf, keyOf, chosen, onChoose } = props;
  return {
    key: "choose",
    isNarrow: true,
    head: <span className="sr-only">{head}</span>,
    cell: (row) => (
      <input
        type="checkbox"
        className="align-middle"
        aria-label={labelOf(row)}
        checked={chosen.has(keyOf(row))}
        onChange={() => onChoose(toggled(chosen, keyOf(row)))}
      />
    ),
  };
}

/** Removes processed rows from a selection, keeping those selected meanwhile. */
export function without(chosen: ReadonlySet<string>, done: readonly string[]): ReadonlySet<string> {
  const rest = new Set(chosen);
  for (const key of done) rest.delete(key);
  return rest;
}
