import type { Ctx } from "../../context.ts";
import { take } from "./ask-limiter.ts";
import { limitRefusal } from "./limit-refusal.ts";

/** The reads of many rows a minute of one project, whatever its keys have; our own choice. */
const HEAVY_PER_MINUTE = 10;

/**
 * Counts a read of many rows, and does it when no other one of the project runs, so that no project
 * takes the time of the database.
 * Throws too_many_searches, and 503 when the limiter does not answer.
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

/** Does a read of many rows when no other one of the project runs. */
export async function inTurn<Result>(
  { deps: { limiter } }: Ctx,
  projectId: string,
  read: () => Promise<Result>,
): Promise<Result> {
  const object = limiter.get(limiter.idFromName(projectId));
  const turn = await object.beginTurn();
  try {
    return await read();
  } finally {
    await object.endTurn(turn);
  }
}
