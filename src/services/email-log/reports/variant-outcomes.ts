import { sql } from "drizzle-orm";
import type { Database } from "../../../db/client.ts";
import { idText, storedId, storedStatus } from "../stored-form.ts";

/** The tag that names the variant of a mail in the log. */
export const VARIANT_TAG = "variant";

/** The number of accepted mails of a variant, and of those opened or clicked by a person. */
interface VariantCounts {
  variant: string;
  mailed: number;
  opened: number;
  clicked: number;
}

/**
 * Selects the outcomes of the variants of an A/B test. Rows read: the accepted mails of the project
 * since the start of the broadcast.
 */
export function selectVariantOutcomes(
  db: Database,
  { projectId, broadcastId, from }: { projectId: string; broadcastId: string; from: number },
) {
  const human = sql`exists (select 1 from email_clicks k where k.log_id = ${idText(sql`l.id`)} and k.class = 'human')`;
  return db.all<VariantCounts>(
    sql`select l.tags ->> ${`$.${VARIANT_TAG}`} as variant, count(*) as mailed,
        sum(l.opened_at is not null and l.opened_class = 'human') as opened,
        sum(l.clicked_at is not null and ${human}) as clicked
      from log_entries l indexed by log_entries_by_status
      where l.project_id = ${storedId(projectId)} and l.status = ${storedStatus("sent")} and l.sent_at >= ${from}
        and l.broadcast_id = ${storedId(broadcastId)} and l.tags is not null
      group by variant`,
  );
}
