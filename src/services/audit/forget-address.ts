import { sql } from "drizzle-orm";
import type { Database } from "../../db/client.ts";

/** Takes an address out of the entries of a project that name it. The entries stay. */
export function forgetAddressInAudit(db: Database, projectId: string, email: string) {
  return db.run(
    sql`update audit_entries set metadata = json_remove(metadata, '$.email')
      where scope_id = ${projectId} and action = 'suppression.delete' and metadata ->> '$.email' = ${email}`,
  );
}
