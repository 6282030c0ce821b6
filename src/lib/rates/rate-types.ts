import type { SendingLimits } from "./sending-limits.ts";

/** A project's limits, versioned by the time of their change: the newest version wins. */
export interface VersionedLimits {
  limits: SendingLimits;
  version: number;
}

/** Limits of one broadcast, in addition to its server's. Null: no limit. */
export interface Pace {
  broadcastId: string;
  perHour: number | null;
  /** Maximum mails on the first day of a warm-up. */
  firstDay: number | null;
}

export type MailsTo = [domain: string, mails: number];

/** A server reply that asks for fewer connections or mails. */
export interface Sign {
  about: "connections" | "rate";
  why: string;
  /** Connections that remained open when the server refused another one. */
  open?: number;
}

/** The time until a mail may go, and whether mails to other domains may go now. */
export interface Wait {
  waitMs: number;
  isOfDomain: boolean;
}

/** Current usage of the server, and limits learned from it. Null: none. */
export interface SendingUse {
  connections: number;
  lastHour: number;
  lastDay: number;
  learned: {
    connections: LearnedFact | null;
    perMinute: LearnedFact | null;
  };
}

export interface LearnedFact {
  limit: number;
  atMs: number;
  why: string;
}
