import { AppError } from "../errors.ts";

/** A body above this many bytes needs the slot. */
export const LARGE_BODY_BYTES = 2 * 1_048_576;

/** How often the holder shows that it lives, and how long without a sign it counts as gone; ours. */
const HEARTBEAT_MS = 1_000;
const GONE_AFTER_MS = 15_000;

const RETRY_AFTER_SECONDS = 2;

/** How long a body may be on its way while others want the slot; ours. */
const PATIENCE_MS = 10_000;

interface Holder {
  aliveAtMs: number;
  /** Somebody else asked for the slot meanwhile. */
  isWanted: boolean;
}

/** A place for a large body. */
export interface LargeBodySlot {
  /** Says that the body has arrived: the slot is its own until it is released. */
  keep: () => void;
  release: () => void;
}

/** Who holds the one slot of this isolate, which has 128 MB: a large body takes up to half of them. */
const slot: { holder: Holder | undefined } = { holder: undefined };

/**
 * Takes the slot for a large body until it is released. The runtime may end a request without a word
 * when its caller hangs up, so a holder without a sign of life loses the slot. So does one whose body
 * is still on its way after ten seconds when others want the slot: `giveWay` is called then.
 * Throws unavailable while another request holds it.
 */
export function takeLargeBodySlot(now: () => number, giveWay: () => void): LargeBodySlot {
  if (slot.holder && now() - slot.holder.aliveAtMs < GONE_AFTER_MS) {
    slot.holder.isWanted = true;
    throw new AppError("unavailable", "another large request is being handled: try again", {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }
  const sinceMs = now();
  const holder: Holder = { aliveAtMs: sinceMs, isWanted: false };
  slot.holder = holder;
  let isArriving = true;
  const release = () => {
    clearInterval(heart);
    if (slot.holder === holder) slot.holder = undefined;
  };
  // The holder gives way by itself: no request may touch the stream of another one.
  const heart = setInterval(() => {
    holder.aliveAtMs = now();
    if (!isArriving || !holder.isWanted || now() - sinceMs < PATIENCE_MS) return;
    release();
    giveWay();
  }, HEARTBEAT_MS);
  return { keep: () => void (isArriving = false), release };
}
