import { sql, type SQL } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import { type AppError, invalidField, refusal } from "../../errors.ts";
import { faultOf } from "../../messages/faults.ts";
import { errorText, logLine } from "../../lib/log-line.ts";
import { seal, unsealed } from "../../lib/seal.ts";
import { checkMailHost } from "../../mail/net/host-guard.ts";
import { tlsModeFor, type SmtpSettings } from "../../mail/smtp/index.ts";
import type { ProjectRow } from "../access/index.ts";

/** The two servers of a project; the fallback is optional. */
export type ServerRole = "first" | "fallback";

interface StoredServer {
  host: string | null;
  port: number | null;
  user: string | null;
  passwordSealed: string | null;
}

export interface ServerInput {
  host: string;
  port: number;
  user: string;
  /** The new password; undefined keeps the stored one while host, port and user stay the same. */
  password: string | undefined;
}

/** A validated change of a server, to be saved if `when` holds; null keeps the password. */
export interface ServerChange extends Omit<ServerInput, "password"> {
  passwordSealed: string | null;
  when: SQL;
}

/**
 * The port for which Cloudflare blocks outbound connections (Workers documentation, "TCP sockets").
 */
const REFUSED_PORT = 25;

/** The prefix of a server's fields, in requests and in the table. */
const FIELD = { first: "", fallback: "fallback." };
const COLUMN = { first: "smtp", fallback: "fallback" };

const sealContext = (projectId: string, role: ServerRole) =>
  `project:${projectId}:${COLUMN[role]}_password`;

export function storedServer(project: ProjectRow, role: ServerRole): StoredServer {
  if (role === "first") {
    const { smtpHost: host, smtpPort: port, smtpUser: user } = project;
    return { host, port, user, passwordSealed: project.smtpPasswordSealed };
  }
  const { fallbackHost: host, fallbackPort: port, fallbackUser: user } = project;
  return { host, port, user, passwordSealed: project.fallbackPasswordSealed };
}

/**
 * Validates a server to be saved, and encrypts its password. Throws 400 for a private or malformed
 * host, for a host of Cloudflare, and for port 25.
 */
export async function checkServer(
  { config }: Pick<Deps, "config">,
  projectId: string,
  role: ServerRole,
  { port, user, password, ...input }: ServerInput,
): Promise<ServerChange> {
  const field = `${FIELD[role]}smtp`;
  const host = checkMailHost(input.host, { allowPrivate: config.allowPrivateTargets });
  if (!host.ok)
    throw invalidField(`${field}_host`, faultOf("not_allowed", { reason: host.reason }));
  if (port === REFUSED_PORT) throw invalidField(`${field}_port`, faultOf("port_25_closed"));
  const server = { host: host.host, port, user };
  if (password === undefined)
    return { ...server, passwordSealed: null, when: hasPasswordFor(projectId, role, server) };
  const context = sealContext(projectId, role);
  const passwordSealed = await seal(config.sealingKeys, password, context);
  return { ...server, passwordSealed, when: sql`true` };
}

/** Returns a condition for a batch: a password is stored for this server and user. */
function hasPasswordFor(
  id: string,
  role: ServerRole,
  { host, port, user }: Omit<ServerInput, "password">,
): SQL {
  const column = (name: string) => sql.raw(`${COLUMN[role]}_${name}`);
  return sql`exists (select 1 from projects where id = ${id} and ${column("password_sealed")} is not null
    and ${column("host")} = ${host} and ${column("port")} = ${port} and ${column("user")} = ${user})`;
}

/** Returns the error for a server without a password, or undefined if it needs none. */
export function missingPassword(
  project: ProjectRow,
  role: ServerRole,
  { host, port, user, passwordSealed }: ServerChange,
): AppError | undefined {
  const stored = storedServer(project, role);
  if (passwordSealed !== null) return undefined;
  const field = `${FIELD[role]}smtp`;
  if (stored.passwordSealed === null) return invalidField(`${field}_password`, faultOf("required"));
  if (stored.host === host && stored.port === port && stored.user === user) return undefined;
  return invalidField(
    `${field}_password`,
    faultOf("required_again", { fields: "smtp_host, smtp_port or smtp_user" }),
  );
}

/**
 * Decrypts a stored server for sending; returns undefined if there is none. Throws 400 if its host
 * is no longer allowed, and unavailable if no key decrypts its password.
 */
export async function openServer(
  { config }: Pick<Deps, "config">,
  project: ProjectRow,
  role: ServerRole,
  ehloName: string,
): Promise<SmtpSettings | undefined> {
  const { host: name, port, user, passwordSealed } = storedServer(project, role);
  if (name === null || port === null || user === null || passwordSealed === null) return undefined;
  const { allowPrivateTargets } = config;
  const host = checkMailHost(name, { allowPrivate: allowPrivateTargets });
  if (!host.ok)
    throw refusal("mail_host_not_allowed", {
      field: `${FIELD[role]}smtp_host`,
      reason: host.reason,
    });
  return {
    host: host.host,
    port,
    user: user === "" ? undefined : user,
    password: await openPassword(config, project.id, role, passwordSealed),
    ehloName,
    tls: tlsModeFor(port, host.host, allowPrivateTargets),
  };
}

/** Decrypts a stored password. Only the operator can restore a lost key, so the error names it. */
async function openPassword(
  { sealingKeys }: Deps["config"],
  projectId: string,
  role: ServerRole,
  sealed: string,
): Promise<string> {
  try {
    return await unsealed(sealingKeys, sealed, sealContext(projectId, role));
  } catch (error) {
    const server = role;
    logLine("error", "smtp_password_unreadable", { projectId, server, error: errorText(error) });
    throw refusal("smtp_password_unreadable", {});
  }
}
