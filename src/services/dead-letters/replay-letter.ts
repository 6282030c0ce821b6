import { sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { notFound, refusal } from "../../errors.ts";
import { errorText, logLine } from "../../lib/log-line.ts";
import { queueMessage } from "../../queues/messages.ts";
import type { UserActor } from "../access/index.ts";
import { auditStatement } from "../audit/index.ts";
import { sendToOwnQueue } from "./own-queue.ts";
import { selectLetter, type Letter } from "./queries.ts";

/** The time after which another replay may take over from one whose worker crashed. */
const CLAIM_MS = 60_000;

/**
 * Sends a dead letter to its own queue again. The route admits only the operator. A claim lets only
 * one of several concurrent replays send. A letter that was already replayed is returned unchanged.
 * If the worker crashes before it records the replay, the letter can be replayed again after a
 * minute. Its message may then arrive twice, which is harmless (own-queue.ts). Throws not_found,
 * dead_letter_of_other_version, dead_letter_in_replay while another replay holds it, and
 * queue_unavailable.
 */
export async function replayLetter(ctx: Ctx, actor: UserActor, id: string): Promise<Letter> {
  const { db } = ctx.deps;
  const [letter] = await selectLetter(db, id);
  if (!letter) throw notFound("dead letter");
  if (letter.replayedAt !== null) return letter;
  const parsed = queueMessage.safeParse(JSON.parse(letter.body ?? "null"));
  if (!parsed.success) throw refusal("dead_letter_of_other_version", {});
  const { isClaimed, present } = await claimLetter(ctx, actor, letter);
  if (!present) throw notFound("dead letter");
  if (present.replayedAt !== null) return present;
  if (!isClaimed) throw refusal("dead_letter_in_replay", {});
  try {
    await sendToOwnQueue(ctx.deps, parsed.data);
  } catch (error) {
    logLine("error", "dead_letter_replay_failed", { id, error: errorText(error) });
    await db.run(sql`update dead_letters set claimed_until = 0 where id = ${id}`);
    throw refusal("queue_unavailable", {});
  }
  const replayedAt = ctx.deps.now();
  await db.run(sql`update dead_letters set replayed_at = ${replayedAt} where id = ${id}`);
  return { ...letter, replayedAt };
}

/**
 * Claims an unreplayed letter and writes the audit entry; returns the letter's state afterwards.
 */
async function claimLetter(ctx: Ctx, actor: UserActor, { id, queue, type }: Letter) {
  const { db, now: clock } = ctx.deps;
  const now = clock();
  const isFree = sql`id = ${id} and replayed_at is null and claimed_until <= ${now}`;
  const [, claimed, [present]] = await runBatch(db, [
    auditStatement(
      ctx,
      {
        scopeId: actor.userId,
        action: "service.dead_letter_replay",
        targetId: id,
        metadata: { queue, type },
      },
      sql`exists (select 1 from dead_letters where ${isFree})`,
    ),
    db.run(sql`update dead_letters set claimed_until = ${now + CLAIM_MS} where ${isFree}`),
    selectLetter(db, id),
  ]);
  return { isClaimed: claimed.meta.changes > 0, present };
}
