/* The parts in which the dashboard imports a long file (API reference §12.11). */
import { expect, it } from "vitest";
import { cellReader, splitCsv } from "../../dashboard/src/pages/audience/split-csv.ts";

it("keeps the rows of an address in one part, also beside a column whose name has commas", () => {
  const rows = ["ann@a.test;x;active", "bob@a.test;x;active", "ann@a.test;x;unsubscribed"];
  const parts = splitCsv(['email;"Town, village, or land";status', ...rows].join("\n"), 1, 0);
  expect(parts.map(({ text }) => text.split("\n").slice(1))).toEqual([
    [rows[0], rows[2]],
    [rows[1]],
  ]);
});

it("reads every column of a row, also of one whose first cell is empty", () => {
  const row = ';"a; ""b""";;ann@a.test';
  const cells = [0, 1, 2, 3, 4].map((column) => cellReader("a;b;c;email", column)(row));
  expect(cells).toEqual(["", 'a; "b"', "", "ann@a.test", ""]);
});
