import { sql, type SQL } from "drizzle-orm";
import { audienceSettingsOf } from "./audience-settings.ts";

/** The days for which visits of mails of a project, row `p`, keep IP addresses: an SQL expression. */
export const clickIpDays: SQL = sql`coalesce(p.audience_settings ->> '$.clickIpDays',
  ${sql.raw(String(audienceSettingsOf(undefined).clickIpDays))})`;
