import { sql, type SQL } from "drizzle-orm";
import { DAY_MS } from "../../lib/durations.ts";
import { audienceSettingsOf } from "./audience-settings.ts";

/** The retention in days of the IP addresses of visits in a project, row `p`: an SQL expression. */
export const clickIpDays: SQL = sql`coalesce(p.audience_settings ->> '$.clickIpDays',
  ${sql.raw(String(audienceSettingsOf(undefined).clickIpDays))})`;

/**
 * Returns the condition that a visit of this age in milliseconds exceeds the IP retention of the
 * project with this id.
 */
export function outlivesAddresses(age: SQL, projectId: SQL): SQL {
  return sql`(${age} > ${sql.raw(String(DAY_MS))} * (
    select ${clickIpDays} from projects p where p.id = ${projectId}))`;
}
