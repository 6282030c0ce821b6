import { describe, expect, it } from "vitest";
import { findBreaches } from "../../scripts/walls/find-breaches.ts";

const breachesOf = (file: string, text: string) => findBreaches([file], () => text);

describe("the walls between folders", () => {
  it.each([
    ["src/services/tags/add-tag.ts", ""],
    ["src/helpers/text.ts", ""],
    ["src/new-file.ts", ""],
  ])("reject %s until the table lists its folder", (file, text) => {
    expect(breachesOf(file, text)).toEqual([
      `${file}: its folder has no place in scripts/walls/levels.ts`,
    ]);
  });

  it.each([
    ["src/services/keys/a.ts", 'import { b } from "../access/index.ts";'],
    ["src/services/keys/a.ts", 'export { b } from "./queries.ts";'],
    ["src/services/broadcasts/a.ts", 'import type { B } from "../email-log/index.ts";'],
    ["src/services/tracking/a.ts", 'import { b } from "../email-log/visits/index.ts";'],
    ["src/http/a.ts", 'import { Hono } from "hono";'],
    ["src/lib/a.ts", 'import p from "../../package.json" with { type: "json" };'],
  ])("let %s do %s", (file, text) => expect(breachesOf(file, text)).toEqual([]));

  it.each([
    ["src/services/keys/a.ts", 'import { b } from "../access/queries.ts";', "through an index.ts"],
    ["src/services/keys/a.ts", 'import { b } from "../email-log/index.ts";', "may not import"],
    ["src/services/keys/a.ts", 'import type { B } from "../email-log/index.ts";', "may not import"],
    ["src/services/keys/a.ts", 'export { b } from "../email-log/index.ts";', "may not import"],
    [
      "src/services/keys/a.ts",
      'const b = await import("../email-log/index.ts");',
      "may not import",
    ],
    ["src/services/keys/a.ts", 'let b: import("../email-log/index.ts").B;', "may not import"],
    ["src/services/keys/a.ts", 'import { c } from "../../http/server.ts";', "may not import"],
    ["src/services/keys/a.ts", 'import { Hono } from "hono";', "may not import hono"],
    ["src/mail/a.ts", 'import { db } from "../db/client.ts";', "may not import"],
    ["src/mail/a.ts", 'import { sql } from "drizzle-orm/d1";', "may not import drizzle-orm"],
    ["src/lib/a.ts", 'import { b } from "../errors.ts";', "may not import"],
  ])("keep %s from %s", (file, text, fault) => {
    expect(breachesOf(file, text)).toEqual([expect.stringContaining(fault)]);
  });
});
