import { sql, type SQL } from "drizzle-orm";
import { namesRecipients, stretch, type PlanStep } from "../plan-queries.ts";
import type { BroadcastRow } from "../queries.ts";
import { VARIANT_MARK, variantSql } from "./slices.ts";

/** Returns the members of an A/B test: one part for each variant. */
export const membersOfAbTest = (broadcast: BroadcastRow, { size, now }: PlanStep): SQL =>
  sql`select id, ${VARIANT_MARK} || variant || '/' as mark, variant, ${namesRecipients(broadcast) ? 1 : 0} as is_listed, ${now} as due
    from (select subscribers.id, ${variantSql(broadcast)} as variant from subscribers
      where subscribers.id in (${stretch(broadcast)} limit ${size}))
    where variant is not null`;
