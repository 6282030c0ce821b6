import { AppError } from "../errors.ts";

/** A body above this many bytes needs the slot. */
export const LARGE_BODY_BYTES = 2 * 1_048_576;

/** How often the holder shows that it lives, and how long without a sign it counts as gone; ours. */
const HEARTBEAT_MS = 1_000;
const GONE_AFTER_MS = 15_000;

const RETRY_AFTER_SECONDS = 2;

interface Holder {
  aliveAtMs: number;
}

/** Who holds the one slot of this isolate, which has 128 MB: a large body takes up to half of them. */
const slot: { holder: Holder | undefined } = { holder: undefined };

/**
 * Takes the slot for a large body until the returned function gives it back. The runtime may end a
 * request without a word when its caller hangs up, so a holder without a sign of life loses the slot.
 * Throws unavailable while another request holds it.
 */
export function takeLargeBodySlot(now: () => number): () => void {
  if (slot.holder && now() - slot.holder.aliveAtMs < GONE_AFTER_MS)
    throw new AppError("unavailable", "another large request is being handled: try again", {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  const holder = { aliveAtMs: now() };
  slot.holder = holder;
  const heart = setInterval(() => (holder.aliveAtMs = now()), HEARTBEAT_MS);
  return () => {
    clearInterval(heart);
    if (slot.holder === holder) slot.holder = undefined;
  };
}
