/* The rules of the builder of conditions: what the service reads as text becomes rules, and back. */
import { describe, expect, it } from "vitest";
import {
  newGroup,
  newRule,
  textOf,
  treeOf,
} from "../../dashboard/src/parts/segments/condition-tree.ts";
import { withField, withOperator } from "../../dashboard/src/parts/segments/field-kinds.ts";

describe("the rules of a condition", () => {
  it.each([
    "tag:vip and opened:90d and not country:DE",
    "email:*@example.com or (tag:vip,gold and not mailed:7d)",
    "(city:Köln or city:Bonn) and age>=18 and (name:* or not (tag:a or tag:b))",
    "event:bought>=2 in 30d or not event:seen in 1w or (event:left and event.total>100)",
    'metadata.status:"to do" and city:"" and created<2026-01-31',
    "metadata.and:x or (a:1 and (b:2 or (c:3 and d:4)))",
  ])("keep %s", (text) => {
    expect(textOf(treeOf(text))).toBe(text);
  });

  it.each([
    ["not (tag:a and tag:b)", "not tag:a or not tag:b"],
    ["not not tag:a", "tag:a"],
    ["not (tag:a or not tag:b)", "not (tag:a or not tag:b)"],
    ["a != b", "not a:b"],
  ])("write %s without a negated group of all", (text, written) => {
    expect(textOf(treeOf(text))).toBe(written);
  });

  it("leave out what is unfinished", () => {
    const [vip] = treeOf("tag:vip").parts;
    if (!vip) throw new Error("there is no rule");
    const unfinished = [
      newRule(),
      { ...newRule(), field: "tag" },
      { ...newRule(), field: "metadata.", values: ["x"] },
      { ...newRule(), field: "event:", op: ">=" as const, values: ["1", "30d"] },
    ];
    expect(textOf(newGroup("any", [...unfinished, newGroup("none", unfinished)]))).toBe("");
    expect(textOf(newGroup("any", [...unfinished, vip]))).toBe("tag:vip");
  });

  it("take the operator of a new field, and keep values that still fit", () => {
    const field = (name: string, kind: "text" | "activity" | "event") =>
      ({ name, label: name, kind, choices: [] }) as const;
    const opened = withField(newRule(), field("opened", "activity"));
    expect(opened).toMatchObject({ op: "within", isNot: false, values: ["30d"] });
    expect(withOperator(opened, "not-exists")).toMatchObject({
      op: "exists",
      isNot: true,
      values: [],
    });
    const bought = withField(newRule(), field("event:", "event"));
    expect(bought).toMatchObject({ op: ">=", values: ["1", "30d"] });
    expect(withOperator(bought, "<=").values).toEqual(["1", "30d"]);
    expect(withOperator(withOperator(bought, "within"), ">=").values).toEqual(["1", "30d"]);
    const city = { ...withField(newRule(), field("metadata.city", "text")), values: ["a", "b"] };
    expect(withOperator(city, "not-is").values).toEqual(["a", "b"]);
    expect(withOperator(city, "contains").values).toEqual(["a"]);
  });
});
