import { sql, type SQL } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import { projectExists } from "../projects/index.ts";
import { isErased, withHashes } from "./erased.ts";
import { COUNTER_OF_REASON, type SuppressionReason } from "./queries.ts";
import { cutText } from "../../lib/cut-text.ts";

/** The maximum length of a suppression's source (API reference §4.2). */
export const MAX_SOURCE_CHARACTERS = 255;

export interface NewSuppression {
  email: string;
  reason: SuppressionReason;
  /** Free text of at most 255 characters. */
  source: string;
}

/**
 * Returns the statements that add addresses to the suppression list, for all callers. They skip
 * erased addresses, are idempotent and increase the counters by the number of new entries; of
 * several entries for one address, the first counts. They do nothing for a deleted project, or
 * unless `when` holds; with `each`, a condition on `value ->> 'email'`, they add only the entries
 * that meet it. The last statement's `meta.changes` is the number of new entries.
 */
export function suppressStatements(
  deps: Deps,
  projectId: string,
  entries: NewSuppression[],
  when: SQL = sql`true`,
  each: SQL = sql`true`,
) {
  if (entries.length === 0) return [] as const;
  const { db, newUlid, now, config } = deps;
  const isWanted = sql`${when} and ${projectExists(projectId)}`;
  const rows = JSON.stringify(
    firstOfEach(entries).map((entry) => ({ id: newUlid(), ...withHashes(config, entry) })),
  );
  const isStorable = sql`${each} and not ${isErased(config, projectId)}`;
  const counted = Object.entries(COUNTER_OF_REASON).map(
    ([reason, counter]) =>
      sql`${counter} = ${counter} + (
        select count(*) from json_each(${rows})
        where value ->> 'reason' = ${reason} and ${isStorable} and not exists (
          select 1 from suppressions where project_id = ${projectId} and email = value ->> 'email'))`,
  );
  return [
    db.run(
      sql`update project_counters set ${sql.join(counted, sql`, `)} where project_id = ${projectId} and ${isWanted}`,
    ),
    db.run(
      sql`insert into suppressions (id, project_id, email, reason, source, created_at, last_seen_at)
        select value ->> 'id', ${projectId}, value ->> 'email', value ->> 'reason', value ->> 'source', ${now()}, ${now()}
        from json_each(${rows}) where ${isWanted} and ${isStorable}
        on conflict (project_id, email) do nothing`,
    ),
  ] as const;
}

function firstOfEach(entries: NewSuppression[]): NewSuppression[] {
  const first = new Map<string, NewSuppression>();
  for (const entry of entries) if (!first.has(entry.email)) first.set(entry.email, entry);
  return [...first.values()];
}

/**
 * Returns the suppression of an address after a hard bounce; its source is `origin` with the
 * server's reply, if any.
 */
export function hardBounce(email: string, origin: string, words: string): NewSuppression {
  const source = cutText(words === "" ? origin : `${origin}: ${words}`, MAX_SOURCE_CHARACTERS);
  return { email, reason: "hard_bounce", source };
}
