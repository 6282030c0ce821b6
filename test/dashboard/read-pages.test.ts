/* The lists of the dashboard that have no cursors: it reads them to their end. */
import { describe, expect, it } from "vitest";
import { readPages } from "../../dashboard/src/api/read-pages.ts";

const entry = (n: number) => ({ id: String(n) });
const entries = (count: number) => Array.from({ length: count }, (_, n) => entry(n));

describe("a list without cursors", () => {
  it.each([0, 1, 199, 200, 201, 400, 555])("of %i entries is read to its end", async (count) => {
    const all = entries(count);
    const read = await readPages(({ limit, offset }) =>
      Promise.resolve(all.slice(offset, offset + limit)),
    );
    expect(read).toEqual(all);
  });

  it("has an entry once that moves to the next page meanwhile", async () => {
    let all = entries(201);
    const read = await readPages(({ limit, offset }) => {
      const page = all.slice(offset, offset + limit);
      all = [{ id: "new" }, ...all];
      return Promise.resolve(page);
    });
    expect(read).toEqual(entries(201));
  });
});
