import type { Ctx } from "../../context.ts";
import { take } from "./ask-limiter.ts";
import { limitRefusal } from "./limit-refusal.ts";

/**
 * The expensive reads per minute of one project, regardless of its keys' limits; our own choice.
 */
const HEAVY_PER_MINUTE = 10;

/**
 * Counts an expensive read and runs it after the project's previous one has ended, so that no
 * project monopolizes the database.
 * Throws too_many_searches, and 503 if the limiter does not answer.
 */
export async function takeHeavyRead<Result>(
  ctx: Ctx,
  projectId: string,
  read: () => Promise<Result>,
): Promise<Result> {
  const verdict = await take(ctx, projectId, "heavy_read", HEAVY_PER_MINUTE);
  if (!verdict.allowed) throw limitRefusal("too_many_searches", verdict);
  return inTurn(ctx, projectId, read);
}

/** Runs an expensive read after the project's previous one has ended. */
export async function inTurn<Result>(
  { deps: { senders } }: Ctx,
  projectId: string,
  read: () => Promise<Result>,
): Promise<Result> {
  const object = senders.get(senders.idFromName(projectId));
  const turn = await object.beginTurn();
  try {
    return await read();
  } finally {
    await object.endTurn(turn);
  }
}
