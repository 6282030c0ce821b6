import { sql } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { AppError, badRequest } from "../../errors.ts";
import { errorText, logLine } from "../../lib/log-line.ts";
import type { LocationHint } from "../../lib/location-hint.ts";
import { seal, unseal, type SealingKeys } from "../../lib/seal.ts";
import {
  domainOf,
  parseEmailAddress,
  type EmailAddress,
  type Mailbox,
} from "../../mail/address.ts";
import { checkMailHost } from "../../mail/net/host-guard.ts";
import { tlsModeFor, type SmtpSettings } from "../../mail/smtp/index.ts";
import type { ProjectRow } from "../access/index.ts";
import { auditStatement } from "../audit/index.ts";
import { bounceSettingsOf } from "./bounce-settings.ts";
import { endSessions } from "./end-sessions.ts";
import { firstProject } from "./first-project.ts";
import { hasSmtpPasswordFor, projectExists, selectProject, updateProject } from "./queries.ts";

export interface SmtpInput {
  host: string;
  port: number;
  user: string;
  /** The new password; undefined keeps the stored one while host, port and user stay the same. */
  password: string | undefined;
  /** The new value; undefined keeps the stored one, and a null address clears it. */
  fromName: string | undefined;
  fromEmail: EmailAddress | null | undefined;
  /** Where the project's object is created; undefined keeps the stored place. */
  locationHint: LocationHint | undefined;
  /** The region of this request, which counts where no place was ever stored. */
  near: LocationHint | undefined;
}

/**
 * The port to which Cloudflare refuses outbound connections (Workers documentation, "TCP sockets").
 */
const REFUSED_PORT = 25;

const sealContext = (projectId: string) => `project:${projectId}:smtp_password`;

/**
 * Saves the SMTP settings with the password sealed, and ends sessions with earlier ones. The route checks `projects:write`. A stored
 * password stays with the host, port and user that it was given for. Otherwise anyone who may edit
 * the settings could have it sent to a server of their own. Throws bad_request for a private or
 * malformed host, for a host of Cloudflare, for port 25, and without a password when none is stored
 * or when host, port or user change.
 */
export async function saveSmtpSettings(
  ctx: Ctx,
  project: ProjectRow,
  input: SmtpInput,
): Promise<ProjectRow> {
  const { deps } = ctx;
  const host = checkMailHost(input.host, { allowPrivate: deps.config.allowPrivateTargets });
  if (!host.ok) throw badRequest(`smtp_host is not allowed: ${host.reason}`);
  if (input.port === REFUSED_PORT)
    throw badRequest("smtp_port 25 is closed on Cloudflare Workers: use 587 or 465");
  const fact = {
    scopeId: project.id,
    action: "smtp.update",
    targetType: "project",
    targetId: project.id,
    metadata: { host: host.host, port: input.port },
  } as const;
  const { port, user, password } = input;
  const when =
    password === undefined
      ? hasSmtpPasswordFor(project.id, host.host, port, user)
      : projectExists(project.id);
  const sealed =
    password === undefined
      ? {}
      : {
          smtpPasswordSealed: await seal(
            deps.config.sealingKeys,
            password,
            sealContext(project.id),
          ),
        };
  const change = {
    smtpHost: host.host,
    smtpPort: port,
    smtpUser: user,
    ...sealed,
    locationHint: input.locationHint ?? sql`coalesce(location_hint, ${input.near ?? null})`,
    ...(input.fromName === undefined ? {} : { fromName: input.fromName }),
    ...(input.fromEmail === undefined ? {} : { fromEmail: input.fromEmail }),
    updatedAt: deps.now(),
  };
  const [, saved, current] = await runBatch(deps.db, [
    auditStatement(ctx, fact, when),
    updateProject(deps.db, project.id, change, when),
    selectProject(deps.db, project.id),
  ]);
  const [row] = saved;
  if (row) {
    deps.waitUntil(endSessions(deps, row));
    return row;
  }
  const { smtpPasswordSealed } = firstProject(current);
  throw badRequest(
    smtpPasswordSealed === null
      ? "smtp_password: is required"
      : "smtp_password: is required again when smtp_host, smtp_port or smtp_user change",
  );
}

/** The From of a project's mail, and where its reports go. */
export interface SenderAddress extends Mailbox {
  /** The pattern of the envelope sender (mail/return-path.ts); null for the From address itself. */
  returnPath?: string | null;
}

/**
 * The settings with which a project sends: the session with its server, the From of its mail, and
 * the meaning of a refusal.
 */
export interface Sender {
  smtp: SmtpSettings;
  from: SenderAddress;
  /** True if each 5xx reply to RCPT TO suppresses the address (API reference §11.7). */
  suppressOnAny5xx: boolean;
}

/**
 * Opens the stored settings for sending. Throws bad_request when none are saved, when the host is
 * no longer allowed, and when there is no From address. Throws unavailable when no key opens the
 * stored password.
 */
export async function openSender(deps: Deps, project: ProjectRow): Promise<Sender> {
  const { smtpHost, smtpPort, smtpUser, smtpPasswordSealed } = project;
  if (smtpHost === null || smtpPort === null || smtpUser === null || smtpPasswordSealed === null)
    throw badRequest("smtp settings are not configured");
  const { allowPrivateTargets, sealingKeys } = deps.config;
  const host = checkMailHost(smtpHost, { allowPrivate: allowPrivateTargets });
  if (!host.ok) throw badRequest(`smtp_host is not allowed: ${host.reason}`);
  const from = parseEmailAddress(project.fromEmail ?? smtpUser);
  if (!from.ok)
    throw badRequest("from_email is not configured, and smtp_user is not an email address");
  const { suppressOnAny5xx, returnPath } = bounceSettingsOf(project);
  return {
    from: { name: project.fromName ?? "", address: from.address, returnPath },
    suppressOnAny5xx,
    smtp: {
      host: host.host,
      port: smtpPort,
      user: smtpUser === "" ? undefined : smtpUser,
      password: await openPassword(sealingKeys, smtpPasswordSealed, project.id),
      ehloName: domainOf(from.address),
      tls: tlsModeFor(smtpPort, host.host, allowPrivateTargets),
    },
  };
}

/** Opens a stored password. Only the operator can restore a lost key, so the refusal names it. */
async function openPassword(keys: SealingKeys, sealed: string, projectId: string): Promise<string> {
  try {
    return await unseal(keys, sealed, sealContext(projectId));
  } catch (error) {
    logLine("error", "smtp_password_unreadable", { projectId, error: errorText(error) });
    throw new AppError(
      "unavailable",
      "the stored SMTP password cannot be opened: set ENCRYPTION_KEY_PREVIOUS, or save the SMTP settings again",
    );
  }
}
