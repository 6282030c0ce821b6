import type { HealthAnswer } from "../deploy/wait-for-service.ts";

/** Something that was read, or the reason why it could not be. */
export type Part<Value> = { value: Value } | { error: string };

/** State of a required secret; of a deployed one only its name can be read. */
export type SecretState = "present" | "missing" | "malformed";

export interface QueueReading {
  name: string;
  exists: boolean;
  consumers: number;
}

/** A return path that projects have. */
export interface ReturnPathReading {
  /** With `{token}` in the place of the token. */
  pattern: string;
  domain: string;
  projects: number;
  /** Those of them that poll no bounce mailbox. */
  unread: number;
  /** The MX records, or the addresses of a domain without any. */
  servers: string[];
  /** The target of its mail: `none` if its mail servers are not those of Email Routing. */
  route: "worker" | "elsewhere" | "unknown" | "none";
}

/** Facts about a local or deployed service; each part is read by itself. */
export interface Reading {
  place: "local" | "deployed";
  bindings: Part<{ wanted: string[]; found: string[] }>;
  secrets: Part<Record<string, SecretState>>;
  migrations: Part<{ wanted: string[]; applied: string[] }>;
  queues: Part<QueueReading[]>;
  /** The cron triggers; undefined of a local service, where `npm start` runs them. */
  crons: Part<{ wanted: string[]; found: string[] }> | undefined;
  /** Stored letters without a replay, and messages on the queue that nobody stored yet. */
  deadLetters: Part<{ waiting: number; unstored: number }>;
  /** The bytes of the database, and the most that it may hold. */
  size: Part<{ bytes: number; limit: number }>;
  /** Milliseconds: this machine, the other side, and the newest entry of the database. */
  clock: Part<{ here: number; there: number | undefined; newest: number }>;
  /** Undefined if no mail arrives. */
  returnPaths: Part<ReturnPathReading[] | undefined>;
  address: Part<{ baseUrl: string | undefined; health: HealthAnswer | undefined }>;
}

/** Reads a part; a failure becomes its reason and spoils no other part. */
export async function readPart<Value>(read: () => Value | Promise<Value>): Promise<Part<Value>> {
  try {
    return { value: await read() };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
