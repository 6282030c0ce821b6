import { and, asc, eq, sql, type SQL } from "drizzle-orm";
import type { Database, Statement } from "../../../db/client.ts";
import { broadcasts, broadcastVariants, type VariantOutcome } from "../../../db/schema/index.ts";
import { HOUR_MS } from "../../../lib/durations.ts";
import { NOT_YET } from "../canary.ts";
import { planningStart } from "../resends.ts";
import { HAS_BEGUN, stateInTurn } from "../turns/turn-order.ts";
import type { BroadcastRow } from "../queries.ts";

export type VariantRow = typeof broadcastVariants.$inferSelect;

/** Returns the statements that replace the variants of a broadcast if `when` is true. */
export function replaceVariants(
  db: Database,
  broadcastId: string,
  variants: Omit<VariantRow, "broadcastId">[],
  when: SQL,
): Statement[] {
  return [
    db.run(sql`delete from broadcast_variants where broadcast_id = ${broadcastId} and ${when}`),
    ...variants.map(
      ({ n, templateId, subject, fromName, htmlBody, textBody, preheader, tracking }) =>
        db.run(
          sql`insert into broadcast_variants (broadcast_id, n, template_id, subject, from_name, html_body, text_body,
            preheader, tracking)
          select ${broadcastId}, ${n}, ${templateId}, ${subject}, ${fromName}, ${htmlBody}, ${textBody},
            ${preheader}, ${JSON.stringify(tracking)} where ${when}`,
        ),
    ),
  ];
}

/** Selects one variant of a broadcast: at most one row. */
export function selectVariant(db: Database, broadcastId: string, n: number | SQL<number>) {
  return db
    .select()
    .from(broadcastVariants)
    .where(and(eq(broadcastVariants.broadcastId, broadcastId), eq(broadcastVariants.n, n)));
}

/** Selects the variants of a broadcast, in their order. */
export function selectVariants(db: Database, broadcastId: string) {
  return db
    .select()
    .from(broadcastVariants)
    .where(eq(broadcastVariants.broadcastId, broadcastId))
    .orderBy(asc(broadcastVariants.n));
}

/** Selects the subjects of the variants of a broadcast, in their order. */
export function selectVariantSubjects(db: Database, broadcastId: string) {
  return db
    .select({ n: broadcastVariants.n, subject: broadcastVariants.subject })
    .from(broadcastVariants)
    .where(eq(broadcastVariants.broadcastId, broadcastId))
    .orderBy(asc(broadcastVariants.n));
}

/**
 * Returns the statement that starts the wait for the winner of A/B tests whose variants have
 * reached all their recipients. A manual decision has no due time.
 */
export function awaitDecision(db: Database, now: number) {
  return db.run(
    sql`update broadcasts set decides_at = cast(${now} + (plan ->> '$.ab.waitHours') * ${HOUR_MS} as integer)
      where state = 'sending' and kind <> 'automation' and decides_at = ${NOT_YET} and planned_id >= cutoff_id
        and plan ->> '$.ab.by' <> 'manual'
        and not exists (select 1 from broadcast_chunks r where r.broadcast_id = broadcasts.id)`,
  );
}

/** Selects the A/B tests whose winner is due. */
export function selectUndecided(db: Database, now: number, limit: number) {
  return db
    .select()
    .from(broadcasts)
    .where(sql`state = 'sending' and kind <> 'automation' and decides_at between 1 and ${now}`)
    .limit(limit);
}

/**
 * Returns a condition for a batch: an A/B test awaits its winner, and this variant may be chosen.
 */
export const isOpen = (projectId: string, id: string, winner: number): SQL =>
  sql`exists (select 1 from broadcasts where id = ${id} and project_id = ${projectId} and ${waitsFor(winner)})`;

/** On the row `broadcasts`: all test recipients are planned, and no winner is chosen. */
const waitsFor = (
  winner: number,
): SQL => sql`(kind = 'broadcast' and state in ('queued', 'sending', 'paused')
  and winner is null and decides_at > 0 and planned_id >= cutoff_id
  and exists (select 1 from broadcast_variants v where v.broadcast_id = broadcasts.id and v.n = ${winner}))`;

/** The choice of a winner, based on the outcomes of the variants. */
interface Choice {
  winner: number;
  variantOutcomes: VariantOutcome[];
  now: number;
}

/**
 * Stores the winner of an A/B test. The winner's subject becomes that of the broadcast, whose
 * content stays the one that the variants share. Then starts planning the remaining recipients,
 * which may have to queue. Only the first choice has an effect, and only after all test recipients
 * are planned. Returns a row on success.
 */
export function storeWinner(
  db: Database,
  { id, projectId, plan, fromId }: Pick<BroadcastRow, "id" | "projectId" | "plan" | "fromId">,
  { winner, variantOutcomes, now }: Choice,
) {
  const { state, waitingFor } = stateInTurn({ id, projectId });
  return db
    .update(broadcasts)
    .set({
      winner,
      variantOutcomes,
      decidesAt: 0,
      plannedId: planningStart({ plan, fromId }),
      planDueAt: now,
      turnAt: sql`iif(state = 'sending', ${HAS_BEGUN}, turn_at)`,
      state: sql`iif(state = 'paused', state, ${state})`,
      waitingFor: sql`iif(state = 'paused', null, ${waitingFor})`,
      subject: sql<string>`(select v.subject from broadcast_variants v where v.broadcast_id = broadcasts.id and v.n = ${winner})`,
    })
    .where(and(eq(broadcasts.id, id), eq(broadcasts.projectId, projectId), waitsFor(winner)))
    .returning({
      id: broadcasts.id,
      projectId: broadcasts.projectId,
      state: broadcasts.state,
      waitingFor: broadcasts.waitingFor,
    });
}
