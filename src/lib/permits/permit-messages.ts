import type { SendingLimits } from "./sending-limits.ts";

/** A project's limits, and the time of the change that set them: the newest ones count. */
export interface VersionedLimits {
  limits: SendingLimits;
  version: number;
}

/** The limits of one broadcast, besides those of its server. Null: no limit. */
export interface Pace {
  broadcastId: string;
  perHour: number | null;
  /** The most mails on the first day of a warm-up. */
  firstDay: number | null;
}

/** A number of mails to one domain. */
export type MailsTo = [domain: string, mails: number];

/** A reply of the server that asks for fewer connections or mails. */
export interface Sign {
  about: "connections" | "rate";
  why: string;
  /** The connections that carried on when the server refused another one. */
  open?: number;
}

/** One call of a worker that sends to many: what it wants, gives back and has seen. */
export interface PermitAsk extends VersionedLimits {
  /** A name that no other worker has. */
  worker: string;
  /** The pace of its broadcast, if that has one. */
  pace?: Pace | undefined;
  /** The connections that it wants to hold in all; 0 gives them all back. */
  connections: number;
  /** Permits for mails that it is about to hand over. */
  wanted: MailsTo[];
  /** Permits that it got and will not use. */
  unused: MailsTo[];
  /** Mails that it handed over without a permit, while no rate was limited. */
  uncounted: number;
  signs: Sign[];
}

/** A refusal, with the time after which asking again makes sense. */
export interface Wait {
  /** 0 when nothing was refused. */
  waitMs: number;
  /**
   * True for one of all workers that are refused: it asks again after the wait. The others leave
   * their work to it, so that one worker waits and not a crowd.
   */
  comesBack: boolean;
}

/** The answer to one domain: the permits, and the time until there are more. */
export interface MailPermit extends Wait {
  domain: string;
  mails: number;
  /** True when the limit of this domain alone is reached, so that other domains may go on. */
  isOfDomain: boolean;
}

/** The answer to a worker. The wait is set when it wanted connections and got none. */
export interface PermitGrant extends Wait {
  /** The connections that it may hold until the lease ends; it asks again to renew it. */
  connections: number;
  leaseMs: number;
  /** The time for which a permit for a mail is valid; after that, the permit goes back. */
  freshMs: number;
  /** False while no rate is limited: mails then need no permit and are reported afterwards. */
  isLimited: boolean;
  mails: MailPermit[];
}

/** The use of the server, and the limits learned from it. Null: none at present. */
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
