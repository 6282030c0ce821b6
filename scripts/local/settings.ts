import { resolve } from "node:path";
import { OperatorError } from "../command-line.ts";

/** Variables by name, as in `process.env`. */
export type Environment = Record<string, string | undefined>;

/** Ports, data directory and first account of a local run. */
export interface LocalSettings {
  port: number;
  mailboxSmtpPort: number;
  mailboxPort: number;
  /** Absolute path of the directory for D1, KV, Durable Objects and the runner's own data. */
  stateDir: string;
  ownerEmail: string | undefined;
  ownerPassword: string | undefined;
}

const DEFAULT_PORTS = { PORT: 8787, MAILBOX_SMTP_PORT: 1025, MAILBOX_PORT: 8025 };
const DEFAULT_STATE_DIR = ".wrangler/state";

/** Reads the runner's environment. Throws OperatorError that names an invalid variable. */
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

/** Returns the state directory of the local run, from STATE_DIR or wrangler's default. */
export function readStateDir(env: Environment): string {
  return resolve(env["STATE_DIR"] || DEFAULT_STATE_DIR);
}

function readPort(env: Environment, name: keyof typeof DEFAULT_PORTS): number {
  const port = Number(env[name] || DEFAULT_PORTS[name]);
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
  throw new OperatorError(`${name} must be a port from 1 to 65535, not "${env[name]}"`);
}
