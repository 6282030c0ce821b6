import { fillPlaceholders, sql, type SQL } from "drizzle-orm";
import type { Database } from "./client.ts";
import type { InBatch, Preparable, Statement } from "./statement.ts";

/** Parameters of a statement by placeholder name, as D1 accepts them. */
type ValuesOf<Places> = { readonly [Name in keyof Places]: string | number | null };

/** A statement with placeholders. */
interface Made {
  text: string;
  params: unknown[];
  query: ReturnType<Preparable["_prepare"]>;
}

/**
 * Prepares a statement of the send path, so that an isolate generates its SQL only once. `build`
 * receives the placeholders and a condition. A call with its own condition builds the SQL again.
 * The statement can only run in a batch.
 */
export function prepared<Places extends Record<string, SQL>, Built extends Statement>(
  build: (db: Database, at: Places, when: SQL) => Built,
): (db: Database, values: ValuesOf<Places>, when?: SQL) => InBatch<Built> {
  let made: Made | undefined;
  return (db, values, when) => {
    const places = (of: (name: string) => unknown) =>
      Object.fromEntries(Object.keys(values).map((name) => [name, sql`${of(name)}`])) as Places; // `values` has every name
    if (when)
      return build(
        db,
        places((name) => values[name]),
        when,
      );
    made ??= make(
      build(
        db,
        places((name) => sql.placeholder(name)),
        sql`true`,
      ),
    );
    const { text, params, query } = made;
    const filled = {
      getQuery: () => ({ sql: text, params: fillPlaceholders(params, values) }),
      mapResult: (result: unknown, isBatch?: boolean) => query.mapResult(result, isBatch),
    };
    return { _prepare: () => filled } as unknown as InBatch<Built>; // a batch uses nothing else
  };
}

function make(statement: Statement): Made {
  const query = (statement as Statement & Preparable)._prepare(); // every drizzle statement has this method
  const { sql: text, params } = query.getQuery();
  return { text, params, query };
}
