import type { Deps } from "../../../../deps.ts";
import { readByIds, type BroadcastRow, type ChunkRow } from "../../../broadcasts/index.ts";
import type { Recovery } from "../chunks/recovery.ts";
import { recordsOf } from "./broadcast-source.ts";
import { factsOfMail } from "./chunk-mails.ts";
import { startProgress } from "./chunk-progress.ts";
import { contentVariantOf } from "./content-variant.ts";

/** Returns the mails that a dead sender had begun in a chunk of a broadcast. */
export async function recoverBroadcast(
  deps: Deps,
  broadcast: BroadcastRow,
  chunk: ChunkRow,
  ids: string[],
): Promise<Recovery> {
  const variant = await contentVariantOf(deps, broadcast, chunk);
  const found = await readByIds(deps.db, ids, { ...chunk, automationId: broadcast.automationId });
  const mails = new Map(found.map((one) => [one.id, factsOfMail(variant, one, chunk.page)]));
  return { source: recordsOf(deps, broadcast, startProgress(chunk, deps.now())), mails };
}
