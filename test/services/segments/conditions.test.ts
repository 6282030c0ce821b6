/* Conditions of segments: their text, their JSON form, and the SQL that they become. */
import { env } from "cloudflare:test";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { openDatabase, runBatch } from "../../../src/db/client.ts";
import { AppError } from "../../../src/errors.ts";
import {
  audienceOf,
  orderedAudiencesOf,
  compileWhere,
  formatCondition,
  parseCondition,
  type Condition,
} from "../../../src/services/segments/index.ts";
import { fits, type ModelSubscriber } from "../../support/condition-model.ts";
import { insertRow } from "../../support/rows.ts";

const db = openDatabase(env.DB);
const NOW = Date.UTC(2026, 10, 22, 12);
const DAY = 86_400_000;
const PROJECT = "01900000-0000-7000-8000-0000000005e9";
const OTHER = "01900000-0000-7000-8000-0000000005ea";

const TEXTS = [
  "DE",
  ">5",
  "=x",
  "!=",
  "de",
  "Köln",
  "KÖLN",
  "köln",
  "Ärger",
  "ß",
  "SS",
  "İ",
  "100%",
  "%",
  "_",
  "a_b",
  "it's",
  'say "hi"',
  "back\\slash",
  "a,b",
  "(x)",
  "x y",
  "42",
  "42.0",
  "042",
  "-1.5",
  "1e2",
  "true",
  "null",
  "and",
  "not",
  "__proto__",
  "2026-01-31",
  "2026-02-30",
  "2026-01-31T10:00:00.500+02:00",
  "👩‍🚀",
];
const KEYS = [
  "country",
  "age",
  "Status",
  "tag",
  "__proto__",
  "constructor",
  'q"k',
  "b\\k",
  "ö",
  "a b",
  "$",
  "0",
  "x.y",
  "$.age",
  "not",
];
const EMAILS = ["ann@example.com", "bob_1@köln.test", "a%b@example.com"];
const TOPICS = ["Weekly digest", "Ärger"];
const topicIdOf = (name: string) => `01900000-0000-7000-8000-00000000070${TOPICS.indexOf(name)}`;
const TAGS = ["vip", "two words", "köln", "100%", "a_b"];
const DAYS = [
  "2026-01-31",
  "2026-11-15",
  "2026-11-22",
  "2026-11-15T12:00:00Z",
  "2026-01-31T08:00:00.500Z",
];
const SPANS = ["1h", "7d", "4w", "90d"];

const pick = <T>(...values: T[]) => fc.constantFrom(...values);
const text = pick(...TEXTS);
const value = fc.oneof(
  { weight: 6, arbitrary: text },
  { weight: 2, arbitrary: fc.integer({ min: -3, max: 50 }) },
  {
    weight: 1,
    arbitrary: pick<unknown>(42, 42.5, true, false, null, "", {}, { country: "DE" }, 1e21),
  },
);
const metadata = fc.dictionary(
  pick(...KEYS),
  fc.oneof(
    { weight: 3, arbitrary: value },
    { weight: 1, arbitrary: fc.array(value, { maxLength: 3 }) },
  ),
);
const pastTime = pick(
  NOW,
  NOW - 1,
  NOW - 3_600_000,
  NOW - 7 * DAY,
  NOW - 7 * DAY - 1,
  NOW - 80 * DAY,
  Date.UTC(2026, 0, 31),
  Date.UTC(2026, 0, 31, 23, 59, 59, 999),
  Date.UTC(2026, 1, 1),
);
const subscriber = fc.record<ModelSubscriber>({
  status: pick("active", "pending", "unsubscribed"),
  tags: fc.uniqueArray(pick(...TAGS), { maxLength: 3 }),
  topics: fc.uniqueArray(pick(...TOPICS), { maxLength: 2 }),
  email: pick(...EMAILS),
  name: fc.oneof(pick("", "Ann", "ANN Lee"), text),
  metadata: fc.oneof(
    metadata,
    metadata.map((rest) => ({ ...rest, source: "blog" })),
  ),
  createdAt: pastTime,
  openedAt: fc.option(pastTime),
  clickedAt: fc.option(pastTime),
  mailedAt: fc.array(pastTime, { maxLength: 2 }),
});

const term = (field: string, op: string, values: fc.Arbitrary<string[]>) =>
  values.map((given) => ({ field, op, values: given }) as Condition);
const one = (arbitrary: fc.Arbitrary<string>) => arbitrary.map((only) => [only]);
const some = (arbitrary: fc.Arbitrary<string>) =>
  fc.array(arbitrary, { minLength: 1, maxLength: 3 });
const comparison = pick("<", "<=", ">", ">=");
const pattern = pick("begins", "ends", "contains");
const key = pick(...KEYS).map((name) => `metadata.${name}`);
const chained = (
  field: fc.Arbitrary<string>,
  op: fc.Arbitrary<string>,
  values: fc.Arbitrary<string[]>,
) =>
  fc
    .tuple(field, op, values)
    .map(([name, operator, given]) => ({ field: name, op: operator, values: given }) as Condition);

const anyTerm = fc.oneof(
  term("status", "is", some(pick("active", "pending", "unsubscribed"))),
  term("tag", "is", some(pick(...TAGS))),
  term("source", "is", some(pick("blog", "Blog", "x"))),
  term("topic", "is", some(pick(...TOPICS, "WEEKLY DIGEST", "ärger", "other"))),
  term("source", "exists", fc.constant([])),
  term("email", "is", some(pick("ann@example.com", "bob_1@köln.test", "_@x"))),
  chained(fc.constant("email"), pattern, one(pick("ann", "%", "_", "@example.com", "köln.test"))),
  chained(
    fc.constant("name"),
    fc.oneof(pattern, pick("is")),
    one(fc.oneof(text, pick("ann", "lee"))),
  ),
  term("name", "exists", fc.constant([])),
  chained(pick("created", "opened", "clicked"), comparison, one(pick(...DAYS))),
  chained(pick("created", "opened", "clicked", "mailed"), pick("within"), one(pick(...SPANS))),
  chained(pick("opened", "clicked"), pick("exists"), fc.constant([])),
  { weight: 6, arbitrary: chained(key, pick("is"), some(fc.oneof(text, pick("", "7", "-1.5")))) },
  { weight: 3, arbitrary: chained(key, pattern, one(text)) },
  { weight: 4, arbitrary: chained(key, comparison, one(pick("0", "42", "-1.5", "7", ...DAYS))) },
  { weight: 2, arbitrary: chained(key, pick("exists"), fc.constant([])) },
);

const condition = fc.letrec<{ any: Condition }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { weight: 2, arbitrary: anyTerm },
    { weight: 1, arbitrary: tie("any").map((not) => ({ not })) },
    {
      weight: 1,
      arbitrary: fc.array(tie("any"), { minLength: 2, maxLength: 3 }).map((and) => ({ and })),
    },
    {
      weight: 1,
      arbitrary: fc.array(tie("any"), { minLength: 2, maxLength: 3 }).map((or) => ({ or })),
    },
  ),
})).any;

const idOf = (index: number) =>
  `01900000-0000-7000-8000-0000000005${String(index).padStart(2, "0")}`;

/** Subscribers with all kinds of values, each with an address of its own. */
const people = fc
  .sample(subscriber, { numRuns: 16, seed: 19 })
  .map((who, index) => ({ ...who, email: index < 3 ? (EMAILS[index] ?? "") : index + who.email }));

async function store(projectId: string, id: string, who: ModelSubscriber) {
  const { source } = who.metadata;
  await insertRow("subscribers", {
    id,
    project_id: projectId,
    email: who.email,
    name: who.name,
    status: who.status,
    metadata: JSON.stringify(who.metadata),
    source: typeof source === "string" ? source : "",
    tags: JSON.stringify(who.tags),
    subscribed_at: 1,
    created_at: who.createdAt,
    updated_at: 1,
    last_opened_at: who.openedAt,
    last_clicked_at: who.clickedAt,
  });
  for (const tag of who.tags)
    await insertRow("subscriber_tags", { project_id: projectId, tag, subscriber_id: id });
  for (const name of TOPICS)
    await insertRow("topic_consents", {
      topic_id: topicIdOf(name),
      subscriber_id: id,
      state: who.topics.includes(name) ? "subscribed" : "unsubscribed",
      since: 1,
      by: "api",
    });
  for (const at of who.mailedAt)
    await env.DB.prepare(
      `insert into subscriber_mailings values (?1, ?2, ?3, ?3, json_array(?3)) on conflict do nothing`,
    )
      .bind(projectId, at, id)
      .run();
}

beforeAll(async () => {
  for (const name of TOPICS)
    for (const [project_id, id] of [
      [PROJECT, topicIdOf(name)],
      [OTHER, `${topicIdOf(name)}-other`],
    ])
      await insertRow("topics", {
        id,
        project_id,
        name,
        description: "",
        created_at: 1,
        updated_at: 1,
      });
  for (const [index, who] of people.entries()) {
    await store(PROJECT, idOf(index), who);
    await store(OTHER, idOf(50 + index), who);
  }
});

const sized = (given: Condition): number =>
  "and" in given || "or" in given
    ? ("and" in given ? given.and : given.or).reduce((sum, part) => sum + sized(part), 0)
    : "not" in given
      ? sized(given.not)
      : 1;

/** Returns the numbers of the subscribers that D1 finds for each condition, as bits. */
async function foundBy(texts: { where: string; terms: number }[]): Promise<number[]> {
  const groups: string[][] = [];
  let terms = Infinity;
  for (const given of texts) {
    if (terms + given.terms > 30 || groups.at(-1)?.length === 40) {
      groups.push([]);
      terms = 0;
    }
    terms += given.terms;
    groups.at(-1)?.push(given.where);
  }
  const found: number[] = [];
  for (let at = 0; at < groups.length; at += 100) {
    const statements = groups.slice(at, at + 100).map((group) => {
      const columns = group.map((where, column) => {
        const bit = sql`1 << cast(substr(id, -2) as integer)`;
        return sql`total(iif(${compileWhere(PROJECT, where, NOW)}, ${bit}, 0)) as ${sql.raw(`c${column}`)}`;
      });
      return db.all<Record<string, number>>(
        sql`select ${sql.join(columns, sql`, `)} from subscribers where project_id = ${PROJECT}`,
      );
    });
    for (const [row = {}] of await runBatch(db, statements)) found.push(...Object.values(row));
  }
  return found;
}

describe("a condition", () => {
  it("finds the matching subscribers: 2,500 conditions on D1 against a model", async () => {
    const conditions = fc
      .sample(condition, { numRuns: 2_500, seed: Date.now() % 1e6 })
      .filter((given) => sized(given) <= 20)
      .map((given) => parseCondition(given));
    const texts = conditions.map((given) => ({
      where: formatCondition(given),
      terms: sized(given),
    }));
    const found = await foundBy(texts);
    const expected = conditions.map((given) =>
      people.reduce((bits, who, index) => bits + (fits(given, who, NOW) ? 2 ** index : 0), 0),
    );
    const wrong = texts.filter((_text, index) => found[index] !== expected[index]);
    expect(wrong.slice(0, 5).map(({ where }) => where)).toEqual([]);
    expect(found).toHaveLength(conditions.length);
    expect(new Set(found).size).toBeGreaterThan(250);
  });

  it("finds each of them once if a count or a scan starts at the tags or topics that it requires", async () => {
    const listed = fc.oneof(
      term("tag", "is", some(pick(...TAGS))),
      term("topic", "is", some(pick(...TOPICS, "ärger"))),
    );
    const least = fc.oneof(
      listed,
      fc.tuple(listed, anyTerm).map((and) => ({ and })),
    );
    const demanding = fc.oneof(
      least,
      fc.tuple(anyTerm, least).map((and) => ({ and })),
      fc.tuple(least, least).map((or) => ({ or })),
    );
    const conditions = fc.sample(demanding, { numRuns: 400, seed: Date.now() % 1e6 });
    const bitsOf = ({ from, where, id }: ReturnType<typeof audienceOf>) =>
      sql`(select total(1 << cast(substr(${id}, -2) as integer)) from ${from} where ${where})`;
    const statements = conditions.map((given) => {
      const setting = { projectId: PROJECT, now: NOW };
      const counted = audienceOf(parseCondition(given), { ...setting, inAnyOrder: true });
      const walked = orderedAudiencesOf(parseCondition(given), setting).map(bitsOf);
      return db.all<{ counted: number; walked: number }>(
        sql`select ${bitsOf(counted)} as counted, ${sql.join(walked, sql` + `)} as walked`,
      );
    });
    const found: ({ counted: number; walked: number } | undefined)[] = [];
    for (let at = 0; at < statements.length; at += 100)
      for (const [row] of await runBatch(db, statements.slice(at, at + 100))) found.push(row);
    const expected = conditions.map((given) =>
      people.reduce((bits, who, index) => bits + (fits(given, who, NOW) ? 2 ** index : 0), 0),
    );
    const wrong = conditions.filter(
      (_given, index) =>
        found[index]?.counted !== expected[index] || found[index]?.walked !== expected[index],
    );
    expect(wrong.slice(0, 5).map((given) => formatCondition(given))).toEqual([]);
    expect(new Set(found.map((row) => row?.counted)).size).toBeGreaterThan(20);
  });

  it("parses the same from its text as from its JSON, and its text is stable", () => {
    fc.assert(
      fc.property(condition, (given) => {
        const parsed = parseCondition(given);
        const written = formatCondition(parsed);
        expect(parseCondition(written)).toEqual(parsed);
        expect(parseCondition(JSON.parse(JSON.stringify(parsed)))).toEqual(parsed);
        expect(formatCondition(parseCondition(written))).toBe(written);
      }),
      { numRuns: 500 },
    );
  });

  it("is rejected or parsed without other effects, for any text or JSON", () => {
    const word = pick(
      "tag",
      "and",
      "or",
      "not",
      "(",
      ")",
      ":",
      "*",
      '"',
      "\\",
      ",",
      "<",
      ">=",
      "!=",
      " ",
      "vip",
      "metadata.",
      "opened",
      "90d",
      "é",
      "\u0000",
      "\ud800",
      "2026-02-30",
    );
    const garbled = fc
      .array(
        fc.oneof(
          { weight: 5, arbitrary: word },
          { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 4 }) },
        ),
        { maxLength: 20 },
      )
      .map((words) => words.join(""));
    const json = fc.oneof(
      garbled,
      fc.jsonValue({ maxDepth: 6 }),
      fc.object({
        key: pick("and", "or", "not", "field", "op", "values", "__proto__"),
        maxDepth: 5,
      }),
    );
    fc.assert(
      fc.property(json, (given) => {
        try {
          const parsed = parseCondition(given);
          expect(parseCondition(formatCondition(parsed))).toEqual(parsed);
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          expect(error.code).toBe("invalid_condition");
        }
      }),
      { numRuns: 3_000 },
    );
  });

  it.each([
    ["tag:", { code: "at_character", params: { position: 5 } }, "value_missing", { operator: ":" }],
    ["a:b and mailed:91d", { params: { position: 16 } }, "span_too_long", { max: "90d" }],
    [{ and: [] }, { code: "at_path", params: { path: "and" } }, "conditions_out_of_range", {}],
    [{ not: {} }, { code: "at_path", params: { path: "not" } }, "wrong_form", {}],
  ])(
    "that is invalid is rejected with codes for its position and its fault: %j",
    async (given, place, code, params) => {
      const fault = { code, params };
      const reason = { ...place, params: { ...place.params, fault } };
      const refused = await Promise.resolve()
        .then(() => parseCondition(given))
        .catch((error: unknown) => error);
      expect(refused).toMatchObject({ code: "invalid_condition", params: { reason } });
    },
  );
});
