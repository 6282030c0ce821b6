/** Runs one SQL query and returns its rows. */
export type Query = <Row>(sql: string) => Promise<Row[]>;

export interface DatabaseFacts {
  waitingLetters: number;
  newest: number;
  hasAccounts: boolean;
}

/** Returns the names of applied migrations; none for an empty database. */
export async function readApplied(query: Query): Promise<string[]> {
  const tables = await query<{ name: string }>(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'd1_migrations'",
  );
  if (tables.length === 0) return [];
  const rows = await query<{ name: string }>("SELECT name FROM d1_migrations ORDER BY id");
  return rows.map(({ name }) => name);
}

/** Reads the facts of a database whose migrations are applied. */
export async function readFacts(query: Query): Promise<DatabaseFacts> {
  const [row] = await query<{ waiting: number; newest: number | null; accounts: number }>(
    `SELECT
       (SELECT count(*) FROM dead_letters WHERE replayed_at IS NULL) AS waiting,
       (SELECT max(created_at) FROM audit_entries) AS newest,
       EXISTS (SELECT 1 FROM users) AS accounts`,
  );
  if (!row) throw new Error("the database returned no row");
  return { waitingLetters: row.waiting, newest: row.newest ?? 0, hasAccounts: row.accounts !== 0 };
}
