import type { ConnectionLease } from "./connection-leases.ts";
import type { Learned } from "./learned-limits.ts";
import type { MailSlot } from "./mail-counter.ts";
import type { VersionedLimits } from "./permit-messages.ts";

/** State that must survive an eviction, besides slots and leases. */
export interface PermitFacts extends VersionedLimits {
  connections?: Learned | undefined;
  perMinute?: Learned | undefined;
}

/** A sending day of a warm-up: its number, from 0, and the time of its first mail. */
export interface WarmUpDay {
  day: number;
  beganMs: number;
}

/** Persists what must survive an eviction. Every write is small. */
export interface PermitStore {
  facts: () => PermitFacts | undefined;
  /** Slots that end after this time, oldest first. */
  slots: (afterMs: number) => MailSlot[];
  /** Slots of a broadcast with a pace that end after this time, oldest first. */
  paceSlots: (broadcastId: string, afterMs: number) => MailSlot[];
  /** Latest warm-up day of a broadcast. */
  warmUpDay: (broadcastId: string) => WarmUpDay | undefined;
  saveWarmUpDay: (broadcastId: string, day: WarmUpDay) => void;
  leases: () => [worker: string, lease: ConnectionLease][];
  saveFacts: (facts: PermitFacts) => void;
  saveSlot: (slot: MailSlot) => void;
  savePaceSlot: (broadcastId: string, slot: MailSlot) => void;
  saveLease: (worker: string, lease: ConnectionLease | undefined) => void;
}
