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

/** One request of a bulk worker: what it wants, returns and has observed. */
export interface PermitAsk extends VersionedLimits {
  /** Unique name of the worker. */
  worker: string;
  /** The pace of its broadcast, if any. */
  pace?: Pace | undefined;
  /** Total connections that it wants to hold; 0 returns them all. */
  connections: number;
  /** Permits for mails that it is about to send. */
  wanted: MailsTo[];
  /** Unused permits that it returns. */
  unused: MailsTo[];
  /** Mails sent without a permit, while no rate was limited. */
  uncounted: number;
  signs: Sign[];
}

/** A refusal, with the time after which to retry. */
export interface Wait {
  /** 0 if nothing was refused. */
  waitMs: number;
  /**
   * True for exactly one of the refused workers: it retries after the wait. The others leave their
   * work to it (no thundering herd).
   */
  comesBack: boolean;
}

/** The response for one domain: its permits, and the time until more are available. */
export interface MailPermit extends Wait {
  domain: string;
  mails: number;
  /** True if only this domain's limit is reached, so that other domains may continue. */
  isOfDomain: boolean;
}

/** The response to a worker. The wait is set if it wanted connections and got none. */
export interface PermitGrant extends Wait {
  /**
   * Connections that it may hold until the lease expires; it renews the lease by another request.
   */
  connections: number;
  leaseMs: number;
  /** How long a mail permit is valid before it is returned. */
  freshMs: number;
  /** False while no rate is limited: mails then need no permit and are reported afterwards. */
  isLimited: boolean;
  mails: MailPermit[];
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
