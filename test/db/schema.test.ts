import { sql, SQL } from "drizzle-orm";
import { getTableConfig, SQLiteTable, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { describe, expect, expectTypeOf, it } from "vitest";
import { isNotNullViolation, isUniqueViolation } from "../../src/db/constraint-violation.ts";
import { openDatabase, optionalRead, runBatch, runBatchAfter } from "../../src/db/client.ts";
import { prepared } from "../../src/db/prepared.ts";
import * as schema from "../../src/db/schema/index.ts";
import { allRows, type Row } from "../support/rows.ts";
import { CAPTURING, createService, unique } from "../support/service.ts";

const exported: unknown[] = Object.values(schema);
const tables = exported.filter((value) => value instanceof SQLiteTable).map(getTableConfig);
const byName = tables.map((table) => [table.name, table] as const);
const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const defaultOf = ({ hasDefault, default: value }: SQLiteColumn) =>
  hasDefault && value !== undefined ? literalOf(value) : null;

const literalOf = (value: unknown) => {
  if (typeof value === "string") return `'${value}'`;
  return value instanceof Object ? `'${JSON.stringify(value)}'` : String(value);
};

describe("the migrations", () => {
  it("create the tables of the schema and no others", async () => {
    const made = await allRows("select name from sqlite_master where type = 'table'");
    const ours = made
      .map(({ name }) => String(name))
      .filter((name) => !/^(?:_|d1_|sqlite_)/.test(name));
    expect(ours.toSorted()).toEqual(tables.map(({ name }) => name).toSorted());
  });

  it.each(byName)("create %s with the columns of the schema", async (name, table) => {
    const made = await allRows(
      `select name, type, "notnull", dflt_value, pk from pragma_table_info(?)`,
      name,
    );
    const compound = table.primaryKeys.flatMap(({ columns }) =>
      columns.map((column) => column.name),
    );
    const wanted = table.columns.map((column) => ({
      name: snake(column.name),
      type: column.getSQLType(),
      notnull: column.notNull ? 1 : 0,
      dflt_value: defaultOf(column),
      pk: column.primary ? 1 : compound.indexOf(column.name) + 1,
    }));
    const shape = (column: Row) => ({ ...column, type: String(column["type"]).toLowerCase() });
    expect(made.map(shape)).toEqual(wanted);
  });

  it.each(byName)("create %s with the indexes of the schema", async (name, table) => {
    const made = await allRows(
      "select name, \"unique\", partial from pragma_index_list(?) where origin = 'c'",
      name,
    );
    const columnsOf = async (index: string) =>
      (await allRows("select name from pragma_index_info(?) order by seqno", index)).map(
        (row) => row["name"],
      );
    const found = await Promise.all(
      made.map(async (index) => ({ ...index, columns: await columnsOf(String(index["name"])) })),
    );
    const declared = table.indexes.map(({ config }) => ({
      name: config.name,
      unique: config.unique ? 1 : 0,
      partial: config.where ? 1 : 0,
      // An expression has no name.
      columns: config.columns.map((column) => (column instanceof SQL ? null : snake(column.name))),
    }));
    const ofColumns = table.columns
      .filter(({ isUnique }) => isUnique)
      .map((column) => ({
        name: `${name}_${snake(column.name)}_unique`,
        unique: 1,
        partial: 0,
        columns: [snake(column.name)],
      }));
    const sorted = (indexes: Row[]) =>
      indexes.toSorted((a, b) => (String(a["name"]) < String(b["name"]) ? -1 : 1));
    expect(sorted(found)).toEqual(sorted([...declared, ...ofColumns]));
  });

  // Hand-written SQL that drizzle-kit cannot generate: it saves a row written per insert.
  it("create these tables WITHOUT ROWID, and no others", async () => {
    const made = await allRows("select name, sql from sqlite_master where type = 'table'");
    const without = made.filter(({ sql }) => /\) WITHOUT ROWID$/i.test(String(sql)));
    expect(without.map(({ name }) => String(name)).toSorted()).toEqual([
      "api_keys",
      "auth_hooks",
      "automation_counts",
      "automation_runs",
      "automation_versions",
      "automations",
      "batch_failures",
      "bounce_imap",
      "bounce_tokens",
      "broadcast_chunks",
      "broadcast_counts",
      "broadcast_links",
      "consent_events",
      "device_logins",
      "email_clicks",
      "erased_addresses",
      "fields",
      "forms",
      "idempotent_responses",
      "imports",
      "ip_retention",
      "log_entries",
      "log_retention",
      "log_subjects",
      "mailed_tokens",
      "open_hours",
      "owner_notices",
      "pending_mails",
      "project_counters",
      "project_imports",
      "project_purges",
      "rollups",
      "segments",
      "sender_signatures",
      "service_settings",
      "sessions",
      "soft_bounces",
      "storage",
      "subscriber_mailings",
      "subscriber_tags",
      "subscribers",
      "suppressions",
      "template_versions",
      "topic_consents",
      "topic_purges",
      "topics",
      "unsubscription_counts",
      "unverified_bounces",
      "webhook_deliveries",
      "webhook_purges",
      "workspace_invitations",
      "workspace_members",
    ]);
  });
});

describe("a batch", () => {
  const service = createService();
  const db = openDatabase(service.d1.database);
  const user = (change: Partial<typeof schema.users.$inferInsert> = {}) => ({
    id: unique("user"),
    email: `${unique("email")}@people.test`,
    name: "U",
    passwordHash: "",
    createdAt: 1,
    updatedAt: 2,
    verifiedAt: null,
    createdBy: null,
    ...change,
  });

  it("is one round trip and returns the results in order, in the schema's types", async () => {
    const one = user();
    service.d1.reset();
    const results = await runBatch(db, [
      db.insert(schema.users).values(one).returning(),
      db
        .select({ at: schema.users.updatedAt, name: schema.users.name })
        .from(schema.users)
        .limit(1),
      db.all("select 1 as n union all select 2"),
      db
        .insert(schema.webhooks)
        .values({
          id: one.id,
          projectId: one.id,
          url: "",
          secretSealed: "",
          events: ["email.sent"],
          active: true,
          createdAt: 1,
        })
        .returning(),
    ]);
    expect(service.d1.roundTrips).toBe(1);
    expect(results).toEqual([
      [one],
      [{ at: 2, name: "U" }],
      [{ n: 1 }, { n: 2 }],
      [expect.objectContaining({ events: ["email.sent"], active: true })],
    ]);
    expectTypeOf(results[1]).toEqualTypeOf<{ at: number; name: string }[]>();
    expectTypeOf(results[2]).toEqualTypeOf<unknown[]>();
  });

  it("gives a prepared statement the values and the condition of each call", async () => {
    let built = 0;
    const pair = prepared((database, at: { n: SQL; word: SQL }, when) => {
      built += 1;
      return database.all<{ n: number }>(
        sql`select ${at.n} as n, ${at.word} as word, ${at.n} + 1 as next where ${when}`,
      );
    });
    const results = await runBatch(db, [
      pair(db, { n: 1, word: "a" }),
      pair(db, { n: 2, word: "b" }),
      pair(db, { n: 3, word: "c" }, sql`${3} < ${2}`),
      pair(openDatabase(createService().d1.database), { n: 4, word: "d" }, sql`${1} < ${2}`),
    ]);
    expectTypeOf(results[0]).toEqualTypeOf<{ n: number }[]>();
    const [one, two, none, four] = results;
    expect([one, two, none]).toEqual([
      [{ n: 1, word: "a", next: 2 }],
      [{ n: 2, word: "b", next: 3 }],
      [],
    ]);
    expect(four).toEqual([{ n: 4, word: "d", next: 5 }]);
    expect(built).toBe(3); // once for all calls without a condition
  });

  it("returns the results of the last statements alone, after any number of others", async () => {
    const count = (n: number) => db.all<{ n: number }>(sql`select ${n} as n`);
    for (const before of [[], [count(1)], [count(1), count(2)]]) {
      service.d1.reset();
      const results = await runBatchAfter(db, before, [count(3), count(4)]);
      expectTypeOf(results[1]).toEqualTypeOf<{ n: number }[]>();
      expect(results).toEqual([[{ n: 3 }], [{ n: 4 }]]);
      expect(service.d1.roundTrips).toBe(1);
    }
  });

  it("asks D1 for no read without a value, and finds no rows for it", async () => {
    const text = (given?: string) =>
      optionalRead(given, (value) => db.all<{ text: string }>(sql`select ${value} as text`));
    const asked: string[][] = [];
    service.d1.before = (statements) => void asked.push(statements);
    const results = await runBatch(db, [text(), text("a"), text(), text("b")]);
    expect(await runBatch(db, [text(), text()])).toEqual([[], []]);
    service.d1.before = undefined;
    expectTypeOf(results[0]).toEqualTypeOf<{ text: string }[]>();
    expect(results).toEqual([[], [{ text: "a" }], [], [{ text: "b" }]]);
    expect(asked).toEqual([Array(2).fill("select ? as text")]);
  });

  it("costs nothing when it is empty", async () => {
    service.d1.reset();
    expect(await runBatch(db, [])).toEqual([]);
    expect(service.d1.roundTrips).toBe(0);
  });

  it("is undone as a whole when one statement fails, and the failure names the column", async () => {
    const [first, second] = [user(), user()];
    const failure = async (third: ReturnType<typeof user>) => {
      const work = runBatch(db, [
        db.insert(schema.users).values(first),
        db.insert(schema.users).values({ ...second, ...third }),
      ]);
      return work.then(
        () => undefined,
        (error: unknown) => error,
      );
    };
    const taken = await failure({ ...second, email: first.email });
    expect(isUniqueViolation(taken, "users.email")).toBe(true);
    expect(isUniqueViolation(taken, "users.id")).toBe(false);
    expect(isNotNullViolation(taken, "users.email")).toBe(false);
    const without = await failure({ ...second, name: null as unknown as string });
    expect(isNotNullViolation(without, "users.name")).toBe(true);
    expect(isUniqueViolation(without, "users.name")).toBe(false);
    expect(await allRows("select id from users where id in (?, ?)", first.id, second.id)).toEqual(
      [],
    );
  });

  it("names the column of a violation outside of a batch too", async () => {
    const one = user();
    await db.insert(schema.users).values(one);
    const again = await db
      .insert(schema.users)
      .values({ ...one, id: unique("user") })
      .then(
        () => undefined,
        (error: unknown) => error,
      );
    expect(isUniqueViolation(again, "users.email")).toBe(true);
  });
});

/** Steps of a statement's plan that read a whole table of the service. */
async function scansOf(sql: string): Promise<string[]> {
  const parameters = Array.from(sql.matchAll(/\?/g), () => null);
  const plan = await allRows(`explain query plan ${sql}`, ...parameters);
  return plan
    .map(({ detail }) => String(detail))
    .filter((detail) => tables.some(({ name }) => new RegExp(`^SCAN ${name}\\b`).test(detail)));
}

describe("the statements of the service", () => {
  it("find their rows through a key or an index, never by a table scan", async () => {
    const service = createService();
    const statements = new Set<string>();
    service.d1.before = (sql) => sql.forEach((text) => statements.add(text));

    const owner = await service.newOwner();
    await service.anonymous.post("/auth/login", { email: owner.email, password: "correct horse" });
    const { id, key } = await owner.newProject(CAPTURING);
    const path = `/projects/${id}`;
    const template = await owner.post(`${path}/templates`, { name: "T", html_body: "Hi" });
    const templateId = String(template.body["id"]);
    const item = `${path}/templates/${templateId}`;
    const to = `${unique("to")}@any.test`;
    await service
      .withKey(key)
      .post(`${path}/send`, { to, template_id: templateId }, { "Idempotency-Key": unique("key") });
    await owner.post(`${path}/send`, { subscriber_id: id, template_id: templateId });
    const window = "from=2026-01-01T00:00:01Z&to=2026-05-01T00:00:01Z";
    for (const route of [
      "/auth/me",
      "/projects",
      path,
      `${path}/templates`,
      item,
      `${path}/api-keys`,
      `${path}/stats`,
      `${path}/logs`,
      `${path}/logs?status=sent`,
      `${path}/logs?${window}`,
      `${path}/logs?status=failed&${window}`,
    ])
      expect((await owner.get(route)).status).toBe(200);
    expect((await owner.put(item, { name: "U" })).status).toBe(200);
    expect((await owner.delete(item)).status).toBe(204);
    await owner.post("/auth/password", {
      current_password: "correct horse",
      new_password: "better battery",
    });
    expect((await owner.post("/auth/logout")).status).toBe(204);

    expect(statements.size).toBeGreaterThan(30);
    expect(await scansOf("select id from users where name = ?")).toEqual(["SCAN users"]);
    for (const sql of statements)
      expect({ sql, scans: await scansOf(sql) }).toEqual({ sql, scans: [] });
  });
});
