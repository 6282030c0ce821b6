/*
 * Interface of a project's Durable Object. Arguments and results are copied (RPC), so they hold
 * only data.
 */
import type { Params } from "./messages/message.ts";
import type { RefusalCode } from "./messages/refusals.ts";
import type {
  PermitAsk,
  PermitGrant,
  SendingUse,
  VersionedLimits,
} from "./lib/permits/permit-messages.ts";
import type { LocationHint } from "./lib/location-hint.ts";
import type { Limit, Verdict } from "./lib/sliding-window.ts";
import type { Mailbox } from "./mail/address.ts";
import type { PortablePart } from "./mail/message-data.ts";
import type { OutgoingMessage, SmtpSettings } from "./mail/smtp/index.ts";

/**
 * The answer to the send of one mail. `refused` is an SMTP failure or an unknown outcome. A
 * `transient` failure is certain: the server did not accept the mail for its address and may accept
 * it later.
 */
export type SendAnswer =
  | { kind: "sent"; id: string }
  | { kind: "suppressed"; id: string }
  | { kind: "refused"; id: string; error: string; failure?: "transient" };

/** A limit and the bucket that counts its hits. */
export type Hit = [bucket: string, limit: Limit];

/**
 * A mail that a Worker has composed, with everything that its project's hub needs to send and log
 * it.
 */
export interface HubCall {
  projectId: string;
  /** The limit that the hub counts first; undefined if none is left to count. */
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
  };
  envelope: OutgoingMessage["envelope"];
  parts: PortablePart[];
  isSuppressed: boolean;
  /** The suppressed addresses that were removed from cc and bcc. */
  skipped: string[];
  idempotency: { key: string; requestHash: string } | undefined;
  /** True for a pending mail, which may wait while its server is slow (decision D14). */
  isPending?: boolean | undefined;
}

/**
 * The outcome of a call. The mail is settled only after `answered`. After `limited`, `busy` and
 * `refused` nothing was sent, and after `busy` nothing was claimed either, so the caller may send
 * the mail. After `failed` nobody may send it again. A pending mail may also be `under_way`, when
 * the hub goes on without its worker, or `slow`, when nothing was claimed and it must wait.
 */
export type HubOutcome =
  | { kind: "answered"; answer: SendAnswer }
  | { kind: "busy" }
  | { kind: "slow" }
  | { kind: "under_way" }
  | {
      kind: "refused";
      code: RefusalCode;
      params: Params;
      message: string;
      retryAfterSeconds: number | undefined;
    }
  | { kind: "failed"; error: string };

/** The outcome, with the verdict on the hit of the call. */
export type HubReply =
  | (HubOutcome & { verdict: Verdict | undefined })
  | { kind: "limited"; verdict: Verdict };

export interface ProjectObject {
  /** Judges and counts one hit. */
  take: (...hit: Hit) => Promise<Verdict>;
  /** Judges one hit against several limits. It counts for all of them, or for none. */
  takeAll: (hits: [Hit, ...Hit[]]) => Promise<Verdict>;
  /** Waits until no other read of many rows runs. Returns the number of the turn. */
  beginTurn: () => Promise<number>;
  endTurn: (turn: number) => Promise<void>;
  /** Gives a worker that sends to many recipients its connections and its permits for mails. */
  askPermit: (ask: PermitAsk) => Promise<PermitGrant>;
  /** Takes over newer limits of the project's server, and returns its use. */
  limitSending: (limits: VersionedLimits) => Promise<SendingUse>;
  /** Waits for the permit of a single mail. Returns 0, or the time until it may go. */
  admitSingle: (name: string, recipients: string[], limits: VersionedLimits) => Promise<number>;
  /** Counts a hit, sends a mail over a warm SMTP session, and settles it. */
  send: (call: HubCall) => Promise<HubReply>;
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
