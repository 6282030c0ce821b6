/*
 * Interface of a project's Durable Object. Arguments and results are copied (RPC), so they hold
 * only data.
 */
import type { Params } from "./messages/message.ts";
import type { RefusalCode } from "./messages/refusals.ts";
import type { SendingUse, VersionedLimits } from "./lib/rates/rate-types.ts";
import type { LocationHint } from "./lib/location-hint.ts";
import type { Limit, Verdict } from "./lib/sliding-window.ts";
import type { Mailbox } from "./mail/address.ts";
import type { Alternative, Step } from "./mail/diagnosis/index.ts";
import type { PortablePart } from "./mail/message-data.ts";
import type { Cooldown, OutgoingMessage, SmtpSettings } from "./mail/smtp/index.ts";

/**
 * The answer to the send of one mail. `refused` is an SMTP failure or an unknown outcome. A
 * `transient` failure is certain: the server did not accept the mail for its address and may accept
 * it later.
 */
export type SendAnswer =
  | { kind: "sent"; id: string }
  | { kind: "suppressed"; id: string; isOptedOut?: true }
  | { kind: "refused"; id: string; error: string; failure?: "transient" };

/** A limit and the bucket that counts its hits. */
export type Hit = [bucket: string, limit: Limit];

/**
 * A mail that a Worker has composed, with everything that its project's sender needs to send and log
 * it.
 */
export interface SendCall {
  projectId: string;
  /** The limit that the sender counts first; undefined if none is left to count. */
  hit: Hit | undefined;
  smtp: SmtpSettings;
  fallback: SmtpSettings | undefined;
  sending: VersionedLimits;
  suppressOnAny5xx: boolean;
  mail: {
    logId: string;
    to: Mailbox;
    subject: string;
    tags: Record<string, string> | null;
    templateId: string | null;
    subscriberId: string | null;
    isTest: boolean;
  };
  envelope: OutgoingMessage["envelope"];
  parts: PortablePart[];
  isSuppressed: boolean;
  /** The suppressed addresses that were removed from to, cc and bcc. */
  skipped: string[];
  /** The addresses without consent to the topic of the mail, which are treated as suppressed. */
  optedOut: string[];
  idempotency: { key: string; requestHash: string } | undefined;
}

/**
 * The outcome of a call. The mail is recorded only after `answered`. After `limited`, `busy` and
 * `refused` nothing was sent. After `failed` nobody may send it again.
 */
export type SendOutcome =
  | { kind: "answered"; answer: SendAnswer }
  | { kind: "busy" }
  | {
      kind: "refused";
      code: RefusalCode;
      params: Params;
      message: string;
      retryAfterSeconds: number | undefined;
    }
  | { kind: "failed"; error: string };

/** The outcome, with the verdict on the hit of the call. */
export type SendReply =
  | (SendOutcome & { verdict: Verdict | undefined })
  | { kind: "limited"; verdict: Verdict };

/** The outcome of a test, its steps, and other settings that would work. */
export interface TestReply {
  outcome: SendOutcome;
  steps: Step[];
  alternative: Alternative | undefined;
}

/** A broadcast or batch, and what a person recognizes it by. */
export interface BulkWork {
  kind: "broadcast" | "batch";
  id: string;
  name: string;
}

/** What the sender of a project does at this moment. */
export interface SenderStatus {
  /** The mails that the server has been given and has not answered. */
  inFlight: number;
  /** The mails that wait for a connection or a limit. */
  waiting: number;
  connections: number;
  work: BulkWork | null;
  /** When the sender runs next; null while it runs, and if nothing is scheduled. */
  nextAtMs: number | null;
  /** The cooldown of the first server. */
  cooldown: Cooldown | null;
}

export interface ProjectObject {
  /** Makes the sender of the project look for work. */
  wake: (projectId: string) => Promise<void>;
  /** Makes the sender hand over no more mails of what it is at, and look at its work anew. */
  stop: () => Promise<void>;
  /** Judges and counts one hit. */
  take: (...hit: Hit) => Promise<Verdict>;
  /** Judges one hit against several limits. It counts for all of them, or for none. */
  takeAll: (hits: [Hit, ...Hit[]]) => Promise<Verdict>;
  /** Waits until no other read of many rows runs. Returns the number of the turn. */
  beginTurn: () => Promise<number>;
  endTurn: (turn: number) => Promise<void>;
  /** Takes over newer limits of the project's server. Returns its use and what the sender does. */
  limitSending: (limits: VersionedLimits) => Promise<SendingUse & { sender: SenderStatus }>;
  /** Counts a hit, sends a mail over a warm SMTP session, and records it. */
  send: (call: SendCall) => Promise<SendReply>;
  /** Sends a mail step by step over a session of its own, and records it. */
  sendTest: (call: SendCall) => Promise<TestReply>;
  /** Ends the SMTP sessions: at once, or after the mail that they carry. */
  endSessions: () => Promise<void>;
}

/** The objects by name. A hint places an object that does not exist yet. */
export interface ProjectObjects {
  idFromName: (name: string) => DurableObjectId;
  get: (id: DurableObjectId, options?: { locationHint?: LocationHint }) => ProjectObject;
}

/** A project and the place of its object. */
export interface Placed {
  id: string;
  locationHint: LocationHint | null;
}

export function objectOf(objects: ProjectObjects, { id, locationHint }: Placed): ProjectObject {
  return objects.get(objects.idFromName(id), locationHint ? { locationHint } : {});
}
