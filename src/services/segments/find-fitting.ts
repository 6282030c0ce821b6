import { sql, type SQL } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { takeHeavyRead } from "../limits/index.ts";
import { stretchOf } from "./audience.ts";
import type { Condition } from "./condition.ts";
import { requireKnownTopics, selectUnknownTopics, topicsOf } from "./unknown-topics.ts";

/** The subscribers that a call may look at without a turn. */
const LIGHT = 1_001;

/** The subscribers that one statement looks at. Other statements run between two. */
const STEP = 5_000;

/** A search for subscribers who fit a condition. */
export interface Search {
  /** What else they need. */
  also?: SQL;
  /** The number after which the search ends. */
  most: number;
  /** The place of the condition in the request. */
  field?: string;
}

/**
 * Returns the ids of subscribers who fit a condition, at least `most` of them if there are as many.
 * A search that must look at more than 1,000 takes a turn of the project: searches run one at a
 * time, and a project has ten a minute.
 * Throws 400 for a topic that the project does not have, and rate_limited.
 */
export async function findFitting(
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

/** A stretch that was looked at: its size, its last key, and the ids of those who fit, as JSON. */
interface Step {
  looked: number;
  last: string | null;
  found: string;
}

const idsOf = (step: Step | undefined): string[] =>
  step ? (JSON.parse(step.found) as string[]) : []; // the statement makes it of ids
