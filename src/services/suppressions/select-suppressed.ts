import { sql, type SQL } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import { isErased, withHashes } from "./erased.ts";

/** An address that gets no mail. */
export interface SuppressedAddress {
  email: string;
  /** 1 if the project erased it, so it must not be stored. */
  erased: number;
}

/**
 * Selects the given addresses that the project suppresses or erased: two index lookups each.
 */
export function selectSuppressed(deps: Deps, projectId: string | SQL, emails: string[]) {
  const { config } = deps;
  const rows = JSON.stringify(emails.map((email) => withHashes(config, { email })));
  return deps.db.all<SuppressedAddress>(
    sql`select email, erased from (
        select value ->> 'email' as email, ${isErased(config, projectId)} as erased, exists (
            select 1 from suppressions where project_id = ${projectId} and email = value ->> 'email') as listed
          from json_each(${rows}))
      where listed or erased`,
  );
}
