import type { HealthAnswer } from "../deploy/wait-for-service.ts";

/** A value, or the reason why it could not be read. */
export type Part<Value> = { value: Value } | { error: string };

/** State of a required secret; for a deployed one, only its name can be read. */
export type SecretState = "present" | "missing" | "malformed";

export interface QueueReading {
  name: string;
  exists: boolean;
  consumers: number;
}

/** A return path in use. */
export interface ReturnPathReading {
  /** With `{token}` in place of the token. */
  pattern: string;
  domain: string;
  projects: number;
  /** Projects among them that do not poll a bounce mailbox. */
  unread: number;
  /** MX records, or the addresses of a domain without any. */
  servers: string[];
  /** Destination of its mail: `none` if its mail servers are not those of Email Routing. */
  route: "worker" | "elsewhere" | "unknown" | "none";
}

/** Facts about a local or deployed service; each part is read independently. */
export interface Reading {
  place: "local" | "deployed";
  bindings: Part<{ wanted: string[]; found: string[] }>;
  secrets: Part<Record<string, SecretState>>;
  migrations: Part<{ wanted: string[]; applied: string[] }>;
  queues: Part<QueueReading[]>;
  /** Cron triggers; undefined for a local service, where `npm start` runs them. */
  crons: Part<{ wanted: string[]; found: string[] }> | undefined;
  /** Stored dead letters that were not replayed, and messages in the dead letter queue. */
  deadLetters: Part<{ waiting: number; unstored: number }>;
  /** Size and limit of the database in bytes. */
  size: Part<{ bytes: number; limit: number }>;
  /** Timestamps in milliseconds: this machine, the server, and the newest database entry. */
  clock: Part<{ here: number; there: number | undefined; newest: number }>;
  /** Undefined if the service cannot receive mail. */
  returnPaths: Part<ReturnPathReading[] | undefined>;
  address: Part<{ baseUrl: string | undefined; health: HealthAnswer | undefined }>;
}

/** Reads a part; converts a failure into its reason, so that other parts are unaffected. */
export async function readPart<Value>(read: () => Value | Promise<Value>): Promise<Part<Value>> {
  try {
    return { value: await read() };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
