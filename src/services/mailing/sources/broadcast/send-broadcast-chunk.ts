import type { Deps } from "../../../../deps.ts";
import type { AutoPauseLimits } from "../../../../db/schema/index.ts";
import { runBatch } from "../../../../db/client.ts";
import { AppError, notFound, reasonOf } from "../../../../errors.ts";
import {
  audience,
  pauseByItself,
  releaseChunk,
  type BroadcastRow,
} from "../../../broadcasts/index.ts";
import { bounceSettingsOf, openSender, type Sender } from "../../../projects/index.ts";
import { requireRoom } from "../../../storage/index.ts";
import { deliverAll } from "../../deliver.ts";
import type { AutoPause } from "../../ledger.ts";
import { chunkLedger } from "../chunks/chunk-ledger.ts";
import type { HeldChunk, Slice } from "../chunks/slice.ts";
import { openAutoPause } from "./auto-pause.ts";
import { broadcastSource } from "./broadcast-source.ts";
import { prepareBroadcast, type BroadcastContent } from "./chunk-mails.ts";
import { contentVariantOf, type ContentVariant } from "./content-variant.ts";
import { endChunk } from "./end-chunk.ts";

/** Works on a chunk of a broadcast. Pauses the broadcast if it cannot be sent. */
export async function sendBroadcastChunk(
  deps: Deps,
  slice: Slice,
  { broadcast, chunk, project, storage }: HeldChunk,
): Promise<void> {
  const leave = () => runBatch(deps.db, releaseChunk(deps, broadcast, chunk, {}));
  if (broadcast.state !== "sending") return void (await leave());
  const variant = await contentVariantOf(deps, broadcast, chunk);
  const ready = await makeReady(deps, slice, variant, { project, storage });
  if (!ready) return void (await leave());
  const { sender, content } = ready;
  const source = broadcastSource(deps, {
    broadcast,
    chunk,
    content,
    from: sender.from,
    isOver: slice.isOver,
    autoPause: autoPauseOf(slice, { broadcast, chunk, project, storage }),
  });
  const ledger = chunkLedger(deps, source, slice.journal, slice.budget);
  await deliverAll(deps, sender, ledger, slice.openLine(broadcast), slice);
  await endChunk(deps, broadcast, source.progress);
}

/** The number of broadcasts whose last outcomes the sender remembers. */
const AUTO_PAUSES_MAX = 10;

/** Returns the auto-pause of a broadcast, which sees the outcomes of all its chunks. */
function autoPauseOf({ autoPauses }: Slice, { broadcast, project }: HeldChunk): AutoPause {
  const key = `${broadcast.id} ${broadcast.resumptions}`;
  const known = autoPauses.get(key);
  if (known) return known;
  if (autoPauses.size >= AUTO_PAUSES_MAX) autoPauses.clear();
  const autoPause = openAutoPause(limitsOf(project, broadcast));
  autoPauses.set(key, autoPause);
  return autoPause;
}

/**
 * Returns the limits at which a broadcast pauses itself. One that was no draft tries everybody,
 * unless the server refuses its sender.
 */
function limitsOf(project: HeldChunk["project"], { plan }: BroadcastRow): AutoPauseLimits {
  const { autoPause } = bounceSettingsOf(project);
  return plan === null ? { ...autoPause, badAddressPct: 0 } : autoPause;
}

/**
 * Opens the settings and the content of a broadcast. Pauses the broadcast with the reason if the
 * storage is full, or if the settings do not allow sending because they are missing or the key
 * cannot open the password.
 */
async function makeReady(
  deps: Deps,
  slice: Slice,
  variant: ContentVariant,
  { project, storage }: Pick<HeldChunk, "project" | "storage">,
): Promise<{ sender: Sender; content: BroadcastContent } | undefined> {
  const { broadcast } = variant;
  try {
    if (!project) throw notFound("project");
    requireRoom(deps, storage);
    const sender = await openSender(deps, project);
    audience(broadcast); // throws for a condition that this version does not know
    return { sender, content: await contentOf(deps, slice, variant) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await pauseByItself(deps, broadcast, reasonOf(error));
    return undefined;
  }
}

/** Prepares the content, unless the last slice prepared the same. */
async function contentOf(
  deps: Deps,
  slice: Slice,
  variant: ContentVariant,
): Promise<BroadcastContent> {
  const { broadcast, n, isTried } = variant;
  const last = slice.content;
  const isSame =
    last?.variant.broadcast.id === broadcast.id &&
    last.variant.n === n &&
    last.variant.isTried === isTried;
  return isSame ? last : (slice.content = await prepareBroadcast(deps, variant));
}
