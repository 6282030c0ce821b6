import { refusal } from "../errors.ts";

/** The size above which a body needs the slot. */
export const LARGE_BODY_BYTES = 2 * 1_048_576;

/**
 * The interval of the holder's signs of life, and the silence after which it counts as gone; our
 * own choice.
 */
const HEARTBEAT_MS = 1_000;
const GONE_AFTER_MS = 15_000;

const RETRY_AFTER_SECONDS = 2;

/** The time that a body may take to arrive while others want the slot; our own choice. */
const PATIENCE_MS = 10_000;

interface Holder {
  aliveAtMs: number;
  /** True once another request has asked for the slot. */
  isWanted: boolean;
}

/** A place for a large body. */
export interface LargeBodySlot {
  /** Marks the body as arrived: the holder keeps the slot until it releases it. */
  keep: () => void;
  release: () => void;
}

/**
 * The holder of the one slot of this isolate, which has 128 MB: a large body takes up to half of
 * them.
 */
const slot: { holder: Holder | undefined } = { holder: undefined };

/**
 * Takes the slot for a large body until its release. The runtime may end a request silently when
 * its caller hangs up, so a holder without a sign of life loses the slot. So does a holder whose
 * body is still on its way after ten seconds when others want the slot: `giveWay` then runs. Throws
 * large_request_running while another request holds it.
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
  // The holder gives way by itself: no request may touch the stream of another one.
  const heart = setInterval(() => {
    holder.aliveAtMs = now();
    if (!isArriving || !holder.isWanted || now() - sinceMs < PATIENCE_MS) return;
    release();
    giveWay();
  }, HEARTBEAT_MS);
  return { keep: () => void (isArriving = false), release };
}
