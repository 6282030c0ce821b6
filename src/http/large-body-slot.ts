import { refusal } from "../errors.ts";

/** A body larger than this needs the slot. */
export const LARGE_BODY_BYTES = 2 * 1_048_576;

/**
 * The holder's heartbeat interval, and the silence after which it counts as dead; our own choice.
 */
const HEARTBEAT_MS = 1_000;
const GONE_AFTER_MS = 15_000;

const RETRY_AFTER_SECONDS = 2;

/** How long a body may take to arrive while other requests want the slot; our own choice. */
const PATIENCE_MS = 10_000;

interface Holder {
  aliveAtMs: number;
  /** True once another request has asked for the slot. */
  isWanted: boolean;
}

/** Permission to hold a large body in memory. */
export interface LargeBodySlot {
  /** Marks the body as fully received: the holder then keeps the slot until it releases it. */
  keep: () => void;
  release: () => void;
}

/**
 * The current holder of this isolate's only slot. An isolate has 128 MB, and a large body takes up
 * to half of it.
 */
const slot: { holder: Holder | undefined } = { holder: undefined };

/**
 * Acquires the slot for a large body until its release. The runtime may silently end a request when
 * its client disconnects, so a holder without a heartbeat loses the slot. So does a holder that is
 * still receiving after ten seconds while other requests want the slot; `giveWay` then runs. Throws
 * large_request_running if another request holds it.
 */
export function takeLargeBodySlot(now: () => number, giveWay: () => void): LargeBodySlot {
  if (slot.holder && now() - slot.holder.aliveAtMs < GONE_AFTER_MS) {
    slot.holder.isWanted = true;
    throw refusal("large_request_running", {}, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
  const sinceMs = now();
  const holder: Holder = { aliveAtMs: sinceMs, isWanted: false };
  slot.holder = holder;
  let isArriving = true;
  const release = () => {
    clearInterval(heart);
    if (slot.holder === holder) slot.holder = undefined;
  };
  // The holder yields by itself, because no request may touch another request's stream.
  const heart = setInterval(() => {
    holder.aliveAtMs = now();
    if (!isArriving || !holder.isWanted || now() - sinceMs < PATIENCE_MS) return;
    release();
    giveWay();
  }, HEARTBEAT_MS);
  return { keep: () => void (isArriving = false), release };
}
