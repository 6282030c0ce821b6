import { Buffer } from "node:buffer";
import { sql, type SQL } from "drizzle-orm";
import { runBatch, type Database, type Statement } from "../../db/client.ts";
import {
  BROADCAST_KINDS,
  SUBSCRIBER_STATUSES,
  SUPPRESSION_REASONS,
} from "../../db/schema/index.ts";
import { TEXT_COLUMNS } from "../../db/subscriber-columns.ts";

/** Free text by members, forms and servers, in rows indexed by project. */
interface Texts {
  table: string;
  /** The project column, if it has another name. */
  scope?: string;
  columns: string[];
  /** The second column of the index and its value, if any. */
  part?: [column: string, value: string];
}

const parts = (values: readonly string[], column: string, texts: Texts): Texts[] =>
  values.map((value) => ({ ...texts, part: [column, value] }));

/** All free text of a project that may contain personal data, except the content of mails. */
const TEXTS: Texts[] = [
  { table: "audit_entries", scope: "scope_id", columns: ["metadata"] },
  { table: "segments", columns: ["name", "condition"] },
  { table: "imports", columns: ["name"] },
  { table: "topics", columns: ["name", "description"] },
  ...parts(SUBSCRIBER_STATUSES, "status", {
    table: "subscribers",
    columns: TEXT_COLUMNS,
  }),
  ...parts(SUPPRESSION_REASONS, "reason", { table: "suppressions", columns: ["source"] }),
  ...parts(BROADCAST_KINDS, "kind", {
    table: "broadcasts",
    columns: ["name", "source", "audience_where", "variables", "plan", "waiting_for", "reasons"],
  }),
];

/** The last id examined in each table; null once a table is done. */
export type TextPlaces = (string | null)[];

export const FIRST_TEXTS: TextPlaces = TEXTS.map(() => "");

/** The number of rows per step in each table, and of those that may change. */
const ROWS = 1_000;
const FOUND_MOST = 20;

type Row = Record<string, string | null> & { id: string };

/**
 * Returns the statements that replace an address in the next free texts of a project, and the
 * cursors after them; undefined at the end. `hash` is the project's hash of the address: the
 * replacement begins with it, so that different addresses stay distinguishable.
 */
export async function eraseTexts(
  db: Database,
  projectId: string,
  { email, hash }: { email: string; hash: string },
  places: TextPlaces,
): Promise<{ writes: Statement[]; next: TextPlaces | undefined }> {
  const work = TEXTS.flatMap((texts, index) => {
    const after = places[index];
    return typeof after === "string"
      ? [{ texts, index, page: pageAfter(texts, projectId, after) }]
      : [];
  });
  const results = await runBatch(
    db,
    work.flatMap(({ texts, page }) => [
      db.all<Row>(
        sql`select id, ${columnsOf(texts)} from (${page} limit ${ROWS}) where ${mayName(texts, email)} limit ${FOUND_MOST}`,
      ),
      db.all<Row>(sql`select id from (${page} limit 1 offset ${ROWS - 1})`),
    ]),
  );
  const next: TextPlaces = places.map(() => null);
  const writes: Statement[] = [];
  for (const [n, { texts, index }] of work.entries()) {
    const [found = [], [end] = []] = results.slice(2 * n, 2 * n + 2);
    next[index] = (found.length === FOUND_MOST ? found.at(-1) : end)?.id ?? null;
    for (const column of texts.columns)
      writes.push(...replaceIn(db, texts.table, column, found, replacerOf(email, hash)));
  }
  return { writes, next: next.some((place) => place !== null) ? next : undefined };
}

const columnsOf = ({ columns }: Texts): SQL =>
  sql.join(
    columns.map((column) => sql.raw(column)),
    sql`, `,
  );

function pageAfter(texts: Texts, projectId: string, after: string): SQL {
  const { table, scope = "project_id", part } = texts;
  const isPart = part ? sql`and ${sql.raw(part[0])} = ${part[1]}` : sql``;
  return sql`select id, ${columnsOf(texts)} from ${sql.raw(table)}
    where ${sql.raw(scope)} = ${projectId} ${isPart} and id > ${after} order by id`;
}

/** Returns a condition that rows without the address rarely meet. */
function mayName({ columns }: Texts, email: string): SQL {
  const at = email.lastIndexOf("@");
  const [local, domain] = [email.slice(0, at), email.slice(at + 1)].map((part) =>
    part.toLowerCase(),
  );
  const all = sql.join(
    columns.map((column) => sql`coalesce(lower(${sql.raw(column)}), '')`),
    sql` || ' ' || `,
  );
  return sql`instr(${all}, ${local}) > 0 and instr(${all}, ${domain}) > 0`;
}

/** Returns a function that replaces whole occurrences of an address, case-insensitively. */
function replacerOf(email: string, hash: string): (text: string) => string {
  const escaped = email.replace(/[$()*+.?[\\\]^{|}]/g, "\\$&").replace("@", "(?:@|%40)");
  const whole = new RegExp(
    String.raw`(?<![\p{L}\p{N}._+-])${escaped}(?![\p{L}\p{N}-]|\.[\p{L}\p{N}])`,
    "giu",
  );
  const word = `erased-${Buffer.from(hash, "base64url").toString("hex").slice(0, 8)}`;
  return (text) => text.replace(whole, word);
}

function replaceIn(
  db: Database,
  table: string,
  column: string,
  rows: Row[],
  replace: (text: string) => string,
): Statement[] {
  const changes = rows.flatMap(({ id, [column]: from }) => {
    const to = from == null ? from : replace(from);
    return to === from ? [] : [{ id, from, to }];
  });
  if (changes.length === 0) return [];
  const [name, text] = [sql.raw(table), sql.raw(column)];
  return [
    db.run(
      sql`update ${name} set ${text} = change.value ->> 'to' from json_each(${JSON.stringify(changes)}) change
        where ${name}.id = change.value ->> 'id' and ${name}.${text} = change.value ->> 'from'`,
    ),
  ];
}
