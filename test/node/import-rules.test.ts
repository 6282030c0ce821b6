import { globSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  findBreaches,
  importsOf,
  packageOf,
  readText,
  checkedFiles,
} from "../../scripts/import-rules/find-breaches.ts";
import project from "../../package.json" with { type: "json" };
import { findTableBreaches } from "../../scripts/import-rules/find-table-breaches.ts";

const breachesOf = (file: string, text: string) => findBreaches([file], () => text);

describe("the import rules", () => {
  it.each([
    ["src/services/tags/add-tag.ts", ""],
    ["src/helpers/text.ts", ""],
    ["src/new-file.ts", ""],
  ])("reject %s until the table lists its folder", (file, text) => {
    expect(breachesOf(file, text)).toEqual([
      `${file}: its folder has no place in scripts/import-rules/layers.ts`,
    ]);
  });

  it.each([
    ["src/services/keys/a.ts", 'import { b } from "../access/index.ts";'],
    ["src/services/keys/a.ts", 'export { b } from "./queries.ts";'],
    ["src/services/broadcasts/a.ts", 'import type { B } from "../email-log/index.ts";'],
    ["src/services/tracking/a.ts", 'import { b } from "../email-log/visits/index.ts";'],
    ["src/http/a.ts", 'import { Hono } from "hono";'],
    ["src/lib/a.ts", 'import p from "../../package.json" with { type: "json" };'],
  ])("allow in %s: %s", (file, text) => expect(breachesOf(file, text)).toEqual([]));

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
  ])("reject in %s: %s", (file, text, fault) => {
    expect(breachesOf(file, text)).toEqual([expect.stringContaining(fault)]);
  });
});

describe("npm start", () => {
  it("needs no package that is only for checks and tests", () => {
    const files = [...checkedFiles(), ...globSync("dashboard/**/*.{ts,tsx}")].filter(
      (file) => !/^scripts\/(openapi|import-rules|screenshots|record(ing)?)\b/.test(file),
    );
    const specifiers = new Set(files.flatMap((file) => importsOf(file, readText(file))));
    const packages = [...specifiers].filter((name) => !/^(\.|node:|cloudflare:)/.test(name));
    expect(packages.map(packageOf)).toContain("vite");
    for (const name of packages.map(packageOf)) expect(project.dependencies).toHaveProperty([name]);
  });
});

describe("the tables of the email log", () => {
  const breachesOf = (file: string, text: string) => findTableBreaches([file], () => text);

  it.each([
    ["src/services/tracking/a.ts", "sql`update log_entries set opened_at = 1`", "log_entries"],
    ["src/services/bounces/a.ts", 'db.run("select 1 from email_clicks")', "email_clicks"],
    ["src/services/analytics/a.ts", "sql`select 1 from Rollups r`", "rollups"],
    ["src/http/a.ts", 'import { logEntries } from "../db/schema/index.ts";', "log_entries"],
    ["src/cron/a.ts", "db.delete(schema.emailClicks);", "email_clicks"],
    ["scripts/a.ts", 'const TABLES = ["rollups"];', "rollups"],
  ])("may not be named in %s by %s", (file, text, table) => {
    expect(breachesOf(file, text)).toEqual([
      `${file}: only src/services/email-log may say "${table}"`,
    ]);
  });

  it.each(["insert into rollups", "update  rollups", "delete\n from rollups"])(
    "may not be changed by `%s` outside the rollups module",
    (text) => {
      const sql = `sql\`${text}\``;
      expect(breachesOf("src/services/email-log/a.ts", sql)).toHaveLength(1);
      expect(breachesOf("src/services/email-log/rollups/a.ts", sql)).toEqual([]);
    },
  );

  it.each([
    ["src/services/email-log/a.ts", "sql`select 1 from log_entries, email_clicks, rollups`"],
    ["src/db/schema/log.ts", 'export const rollups = sqliteTable("rollups", {});'],
    ["src/services/tracking/a.ts", "/* log_entries */ // and rollups"],
    ["scripts/a.ts", 'import { addBuckets } from "../src/services/email-log/rollups/index.ts";'],
  ])("may be named in %s by %s", (file, text) => expect(breachesOf(file, text)).toEqual([]));

  it("are named in no other file of the project", () => {
    expect(findTableBreaches(checkedFiles())).toEqual([]);
  });
});
