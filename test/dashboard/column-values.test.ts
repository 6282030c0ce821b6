/* The types that the dashboard guesses for the columns of a file. */
import { describe, expect, it } from "vitest";
import { guessType, writerOf } from "../../dashboard/src/pages/audience/import/column-values.ts";

const TYPES: [string, ReturnType<typeof guessType>, string[], string[]][] = [
  ["German numbers", "number", ["1.234,50 \u20ac", "", "-7"], ["1234.50", "", "-7"]],
  ["English numbers", "number", ["1,234.5", "$20"], ["1234.5", "20"]],
  ["numbers in two readings", "text", ["1.234", "5.678"], ["1.234", "5.678"]],
  ["postal codes", "text", ["04109", "10115"], ["04109", "10115"]],
  ["German dates", "date", ["3.4.2021", "31.12.2020"], ["2021-04-03", "2020-12-31"]],
  ["dates with the day first", "date", ["3/4/2021", "31/12/2020"], ["2021-04-03", "2020-12-31"]],
  ["dates with the month first", "date", ["3/4/2021", "12/31/2020"], ["2021-03-04", "2020-12-31"]],
  ["dates in two readings", "text", ["3/4/2021"], ["3/4/2021"]],
  ["ISO dates", "date", ["2021-04-03"], ["2021-04-03"]],
  ["yes and no", "boolean", ["ja", "Nein"], ["true", "false"]],
  ["links", "url", ["https://a.test"], ["https://a.test"]],
  ["few values", "choice", Array(5).fill("K\u00f6ln"), Array(5).fill("K\u00f6ln")],
  ["other words", "text", ["Ann", "Ben"], ["Ann", "Ben"]],
  ["nothing", "text", ["", ""], ["", ""]],
];

describe("the values of a column", () => {
  it.each(TYPES)("have the type of %s", (_, type, values, written) => {
    expect(guessType(values)).toBe(type);
    expect(values.map(writerOf(type, values))).toEqual(written);
  });

  it("stay as they are if they do not have the chosen type", () => {
    expect(["1,5", "many"].map(writerOf("number", ["1,5", "many"]))).toEqual(["1,5", "many"]);
  });
});
