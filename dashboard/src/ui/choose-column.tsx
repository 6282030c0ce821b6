import type { ReactNode } from "react";
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
  const toggle = (key: string) => {
    const next = new Set(chosen);
    if (!next.delete(key)) next.add(key);
    onChoose(next);
  };
  return {
    key: "choose",
    isNarrow: true,
    head: <span className="sr-only">{head}</span>,
    cell: (row) => (
      <input
        type="checkbox"
        className="size-4 accent-accent"
        aria-label={labelOf(row)}
        checked={chosen.has(keyOf(row))}
        onChange={() => toggle(keyOf(row))}
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
