/* The parts in which the dashboard imports a long file (API reference §12.11). */
import { describe, expect, it } from "vitest";
import { lookAt } from "../../dashboard/src/pages/audience/import/run-import.ts";
import { cellOf, rowsOf, splitCsv } from "../../dashboard/src/pages/audience/import/split-csv.ts";

const at = (place: number) => ({ most: 1, place, writers: new Map() });

/** The cells of each row of each part, as the service reads them. */
const cellsOf = (csv: string, column: number) =>
  splitCsv(csv, at(column)).map(({ text }) => rowsOf(text).rows.map(({ cells }) => cells));

describe("a file in parts", () => {
  it("keeps the rows of an address in one part, also beside a column whose name has commas", () => {
    const rows = ["ann@a.test;x;active", "bob@a.test;x;active", "ann@a.test;x;unsubscribed"];
    const [ann, bob, optOut] = rows.map((row) => row.split(";"));
    const csv = ['email;"Town, village, or land";status', ...rows].join("\n");
    expect(cellsOf(csv, 0)).toEqual([[ann, optOut], [bob]]);
    expect(splitCsv(csv, at(0))[0]?.text).toMatch(/^"email","Town, village, or land","status"\n/);
  });

  it("has the separator that the file names, and no row without a text", () => {
    const csv = "sep=|\nname, first|email\n\n|\n=Ann, A|ann@a.test\n";
    expect(cellsOf(csv, 1)).toEqual([[["=Ann, A", "ann@a.test"]]]);
  });

  it("reads every cell, also behind an empty one, and knows the line of each row", () => {
    const csv = 'a;b;c;email\r\n;"a; ""b""\r\n\r!";;ann@a.test\r;;;bob@a.test\n;;;ann@a.test';
    const [first] = rowsOf(csv).rows;
    const cells = [0, 1, 2, 3, 4].map((column) => first && cellOf(first, column));
    expect(cells).toEqual(["", 'a; "b"\r\n\r!', "", "ann@a.test", ""]);
    const lines = splitCsv(csv, at(3)).map(({ text, lineOf }) =>
      rowsOf(text).rows.map(({ line }) => lineOf(line)),
    );
    expect(lines).toEqual([[2, 6], [5]]);
  });
});

describe("a file with an invalid line", () => {
  it("goes to the service as it is, which names the line", async () => {
    const file = 'email\na@a.test\n"b@a.test';
    const refused = new Error("line 3");
    const seen: unknown[] = [];
    const call = async (body: unknown) => {
      seen.push(body);
      throw refused;
    };
    await expect(lookAt(file, call)).rejects.toBe(refused);
    expect(seen).toEqual([{ file, dry_run: true }]);
  });
});
