/* SQL against the database of a test. */
import { env } from "cloudflare:test";

export type Row = Record<string, unknown>;

/** Runs a statement and returns its rows. */
export const allRows = async <T = Row>(sql: string, ...values: unknown[]) =>
  (
    await env.DB.prepare(sql)
      .bind(...values)
      .all<T>()
  ).results;
