import { resolve } from "node:path";
import { OperatorError } from "../command-line.ts";

/** Variables by name, as in `process.env`. */
export type Environment = Record<string, string | undefined>;

/** Where the local run listens and keeps its data, and who its first account is to be. */
export interface LocalSettings {
  port: number;
  mailboxSmtpPort: number;
  mailboxPort: number;
  /** Absolute path of the directory of D1, KV, Durable Objects and what the runner remembers. */
  stateDir: string;
  ownerEmail: string | undefined;
  ownerPassword: string | undefined;
}

const DEFAULT_PORTS = { PORT: 8787, MAILBOX_SMTP_PORT: 1025, MAILBOX_PORT: 8025 };
const DEFAULT_STATE_DIR = ".wrangler/state";

/** Reads the runner's own environment; throws OperatorError naming the variable that is wrong. */
export function readLocalSettings(env: Environment): LocalSettings {
  const settings = {
    port: readPort(env, "PORT"),
    mailboxSmtpPort: readPort(env, "MAILBOX_SMTP_PORT"),
    mailboxPort: readPort(env, "MAILBOX_PORT"),
    stateDir: readStateDir(env),
    ownerEmail: env["OWNER_EMAIL"] || undefined,
    ownerPassword: env["OWNER_PASSWORD"] || undefined,
  };
  if (new Set([settings.port, settings.mailboxSmtpPort, settings.mailboxPort]).size < 3) {
    throw new OperatorError(
      "PORT, MAILBOX_SMTP_PORT and MAILBOX_PORT must be three different ports",
    );
  }
  return settings;
}

/** The state directory of the local run, from STATE_DIR or the one wrangler uses by itself. */
export function readStateDir(env: Environment): string {
  return resolve(env["STATE_DIR"] || DEFAULT_STATE_DIR);
}

function readPort(env: Environment, name: keyof typeof DEFAULT_PORTS): number {
  const port = Number(env[name] || DEFAULT_PORTS[name]);
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
  throw new OperatorError(`${name} must be a port from 1 to 65535, not "${env[name]}"`);
}
