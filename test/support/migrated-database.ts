/*
 * The database after all migrations. Applying them takes a request each, so only the first file of
 * a runtime does it: the others get the schema and the rows that it left, in one request.
 */
import { applyD1Migrations, env } from "cloudflare:test";

type D1Migration = Parameters<typeof applyD1Migrations>[1][number];

declare global {
  namespace Cloudflare {
    interface Env {
      TEST_MIGRATIONS: D1Migration[];
    }
  }
  /**
   * The statements that make the migrated database, once the first file of the runtime has them.
   */
  var migratedDatabase: Statement[] | undefined;
}

interface Statement {
  query: string;
  values: unknown[];
}

/** Tables, indexes and triggers of the project, in the order of their creation. */
const OWN_OBJECTS = `select name, type, sql from sqlite_master
  where sql is not null and name not like 'sqlite_%' and name not like '_cf_%' order by rowid`;

/** Brings an empty database to the state after the last migration. */
export async function migrateDatabase(db: D1Database): Promise<void> {
  if (globalThis.migratedDatabase) {
    const statements = globalThis.migratedDatabase;
    await db.batch(statements.map(({ query, values }) => db.prepare(query).bind(...values)));
    return;
  }
  await applyD1Migrations(db, env.TEST_MIGRATIONS);
  globalThis.migratedDatabase = await statementsOf(db);
}

async function statementsOf(db: D1Database): Promise<Statement[]> {
  const { results } = await db.prepare(OWN_OBJECTS).all<{
    name: string;
    type: string;
    sql: string;
  }>();
  const statements = results.map(({ sql }): Statement => ({ query: sql, values: [] }));
  for (const { name, type } of results) {
    if (type !== "table") continue;
    const { results: rows } = await db.prepare(`select * from "${name}"`).all();
    for (const row of rows) {
      const places = Object.keys(row).map(() => "?");
      statements.push({
        query: `insert into "${name}" (${Object.keys(row).join()}) values (${places.join()})`,
        values: Object.values(row),
      });
    }
  }
  return statements;
}
