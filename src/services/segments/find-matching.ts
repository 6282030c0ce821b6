import { sql, type SQL } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { takeHeavyRead } from "../limits/index.ts";
import { stretchOf } from "./audience.ts";
import type { Condition } from "./condition.ts";
import { requireKnownTopics, selectUnknownTopics, topicsOf } from "./unknown-topics.ts";

/** The number of subscribers that a call may check without counting as an expensive read. */
export const LIGHT = 1_001;

/** The number of subscribers per statement. Other statements can run in between. */
export const STEP = 5_000;

/** A search for subscribers who match a condition. */
export interface Search {
  /** An additional condition on them. */
  also?: SQL;
  /** The number of matches after which the search ends. */
  most: number;
  /** The path of the condition in the request. */
  field?: string;
}

/**
 * Returns the ids of subscribers who match a condition, at least `most` of them if there are as
 * many. A search that must check more than 1,000 is an expensive read: a project runs one at a
 * time, and ten per minute.
 * Throws 400 for a topic that the project does not have, and rate_limited.
 */
export async function findMatching(
  ctx: Ctx,
  projectId: string,
  condition: Condition,
  { also = sql`true`, most, field }: Search,
): Promise<string[]> {
  const { db, now } = ctx.deps;
  const setting = { projectId, now: now() };
  const step = (after: string, limit: number) =>
    db.all<Step>(stretchOf(condition, setting, { after, limit }, also));
  const [unknown, [first]] = await runBatch(db, [
    selectUnknownTopics(db, projectId, topicsOf(condition)),
    step("", LIGHT),
  ]);
  requireKnownTopics(unknown, field);
  const ids = idsOf(first);
  if (!first?.last || first.looked < LIGHT || ids.length >= most) return ids;
  let after: string | null = first.last;
  await takeHeavyRead(ctx, projectId, async () => {
    while (after !== null && ids.length < most) {
      const [next] = await step(after, STEP);
      ids.push(...idsOf(next));
      after = next?.looked === STEP ? next.last : null;
    }
  });
  return ids;
}

/** A checked stretch: its size, its last key, and the ids of those who match, as JSON. */
interface Step {
  looked: number;
  last: string | null;
  found: string;
}

const idsOf = (step: Step | undefined): string[] =>
  step ? (JSON.parse(step.found) as string[]) : []; // the statement builds it from ids
