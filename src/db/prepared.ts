import { fillPlaceholders, sql, type SQL } from "drizzle-orm";
import type { Database } from "./client.ts";
import type { InBatch, Preparable, Statement } from "./statement.ts";

/** The values of a statement, as D1 takes them, by the names of their places. */
type ValuesOf<Places> = { readonly [Name in keyof Places]: string | number | null };

/** A statement with placeholders. */
interface Made {
  text: string;
  params: unknown[];
  query: ReturnType<Preparable["_prepare"]>;
}

/**
 * Prepares a statement that every send needs, so that an isolate writes its text once. `build` gets
 * the places of the values, and a condition. A call with a condition of its own builds anew. The
 * statement runs in batches alone.
 */
export function prepared<Places extends Record<string, SQL>, Built extends Statement>(
  build: (db: Database, at: Places, when: SQL) => Built,
): (db: Database, values: ValuesOf<Places>, when?: SQL) => InBatch<Built> {
  let made: Made | undefined;
  return (db, values, when) => {
    const places = (of: (name: string) => unknown) =>
      Object.fromEntries(Object.keys(values).map((name) => [name, sql`${of(name)}`])) as Places; // `values` has each name
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
  const query = (statement as Statement & Preparable)._prepare(); // every drizzle statement has it
  const { sql: text, params } = query.getQuery();
  return { text, params, query };
}
