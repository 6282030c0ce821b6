import type { Deps } from "../../../../deps.ts";
import {
  selectBroadcast,
  selectVariant,
  type BroadcastRow,
  type ChunkRow,
} from "../../../broadcasts/index.ts";

/** A broadcast with the content that the recipients of a chunk get. */
export interface ContentVariant {
  broadcast: BroadcastRow;
  /** The variant of its A/B test. Null for a broadcast without an A/B test. */
  n: number | null;
  /** True for a chunk that tries the variant, and false for one after the choice of the winner. */
  isTried: boolean;
  /** The name in From, if it differs from that of the project. */
  fromName: string | null;
}

/**
 * Returns the variant of a broadcast for a chunk. Takes one query with an A/B test, and none without.
 */
export async function contentVariantOf(
  { db }: Pick<Deps, "db">,
  broadcast: BroadcastRow,
  { variant }: Pick<ChunkRow, "variant">,
): Promise<ContentVariant> {
  // The retry of an A/B test has no A/B test of its own, but has a winner or chunks with variants.
  const hasVariants = broadcast.winner !== null || variant !== null;
  if (!broadcast.plan?.ab && !hasVariants)
    return { broadcast, n: null, isTried: false, fromName: broadcast.plan?.fromName ?? null };
  const n = variant ?? broadcast.winner ?? (await winnerOf(db, broadcast));
  const [found] = await selectVariant(db, broadcast.id, n);
  if (!found) throw new Error(`broadcast ${broadcast.id} has lost a variant`);
  const { broadcastId: _id, n: _n, fromName, ...content } = found;
  const own = { ...broadcast, ...content };
  return { broadcast: own, n, isTried: variant !== null, fromName };
}

/** Reads a winner that was chosen after the turn began. */
async function winnerOf(db: Deps["db"], { id }: BroadcastRow): Promise<number> {
  const [now] = await selectBroadcast(db, id);
  if (now?.winner == null) throw new Error(`broadcast ${id} has no winner for its rest`);
  return now.winner;
}
