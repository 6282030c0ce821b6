import type { Learned } from "./learned-limits.ts";
import type { MailSlot } from "./mail-counter.ts";
import type { VersionedLimits } from "./rate-types.ts";

/** State that must survive an eviction, besides slots. */
export interface RateFacts extends VersionedLimits {
  connections?: Learned | undefined;
  perMinute?: Learned | undefined;
}

/** A sending day of a warm-up: its number, from 0, and the time of its first mail. */
export interface WarmUpDay {
  day: number;
  beganMs: number;
}

/** Persists what must survive an eviction. Every write is small. */
export interface RateStore {
  facts: () => RateFacts | undefined;
  /** Slots that end after this time, oldest first. */
  slots: (afterMs: number) => MailSlot[];
  /** Slots of a broadcast with a pace that end after this time, oldest first. */
  paceSlots: (broadcastId: string, afterMs: number) => MailSlot[];
  /** Latest warm-up day of a broadcast. */
  warmUpDay: (broadcastId: string) => WarmUpDay | undefined;
  saveWarmUpDay: (broadcastId: string, day: WarmUpDay) => void;
  saveFacts: (facts: RateFacts) => void;
  saveSlot: (slot: MailSlot) => void;
  savePaceSlot: (broadcastId: string, slot: MailSlot) => void;
}
