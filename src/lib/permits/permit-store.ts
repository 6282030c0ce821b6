import type { ConnectionLease } from "./connection-leases.ts";
import type { Learned } from "./learned-limits.ts";
import type { MailSlot } from "./mail-counter.ts";
import type { VersionedLimits } from "./permit-messages.ts";

/** The state that must survive an eviction, besides slots and leases. */
export interface PermitFacts extends VersionedLimits {
  connections?: Learned | undefined;
  perMinute?: Learned | undefined;
}

/** A day of sending in a warm-up: its number, from 0, and the time of its first mail. */
export interface WarmUpDay {
  day: number;
  beganMs: number;
}

/** The place where permits keep what must survive an eviction. Every write is small. */
export interface PermitStore {
  facts: () => PermitFacts | undefined;
  /** The slots that end after this time, oldest first. */
  slots: (afterMs: number) => MailSlot[];
  /** The slots of a broadcast that has a pace, which end after this time, oldest first. */
  paceSlots: (broadcastId: string, afterMs: number) => MailSlot[];
  /** The newest day of the warm-up of a broadcast. */
  warmUpDay: (broadcastId: string) => WarmUpDay | undefined;
  saveWarmUpDay: (broadcastId: string, day: WarmUpDay) => void;
  leases: () => [worker: string, lease: ConnectionLease][];
  saveFacts: (facts: PermitFacts) => void;
  saveSlot: (slot: MailSlot) => void;
  savePaceSlot: (broadcastId: string, slot: MailSlot) => void;
  saveLease: (worker: string, lease: ConnectionLease | undefined) => void;
}
