import type { Message } from "../../messages/message.ts";
import { and, sql } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { invalidField, refusal } from "../../errors.ts";
import { faultOf } from "../../messages/faults.ts";
import { seal, unseal } from "../../lib/seal.ts";
import type { ImapSettings } from "../../mail/imap/index.ts";
import { checkMailHost } from "../../mail/net/host-guard.ts";
import type { ProjectRow } from "../access/index.ts";
import { auditStatement } from "../audit/index.ts";
import {
  firstProject,
  projectIs,
  requireVersion,
  selectProject,
  updateProject,
} from "../projects/index.ts";
import { mayChangeMailbox, saveMailboxRow, type MailboxRow } from "./queries.ts";

/** The public settings of a project's bounce mailbox. */
export type BounceMailbox = Omit<MailboxRow, "projectId" | "passwordSealed" | "failingSince">;

/**
 * The new settings. An undefined field keeps its value, except that the folder of an enabled
 * mailbox becomes INBOX. An empty host clears the stored host and its password.
 */
export interface MailboxInput {
  enabled: boolean;
  host?: string | undefined;
  port?: number | undefined;
  user?: string | undefined;
  password?: string | undefined;
  folder?: string | undefined;
}

const DEFAULT_FOLDER = "INBOX";
/** The IMAP port without TLS (RFC 8314 §3.2), which is rejected (API reference §14.1). */
const PLAINTEXT_PORT = 143;

const NEVER_SET = {
  enabled: false,
  host: "",
  port: 993, // RFC 8314 §3.2, implicit TLS
  user: "",
  passwordSealed: "",
  folder: DEFAULT_FOLDER,
  lastPolledAt: null,
  lastError: "",
};

const sealContext = (projectId: string) => `project:${projectId}:imap_password`;

/** Returns the error of the last poll; undefined if it succeeded. */
export const lastFaultOf = ({ lastError }: BounceMailbox): Message | undefined =>
  lastError === "" ? undefined : (JSON.parse(lastError) as Message); // written by `finishPoll`

/** Returns the settings from the result of `selectMailbox`, or the defaults. */
export function mailboxOf(rows: MailboxRow[]): BounceMailbox {
  return storedOrDefault(rows);
}

const storedOrDefault = (rows: MailboxRow[]) => rows[0] ?? NEVER_SET;

/** The saved settings, with their project, whose state is the version of its settings. */
interface SavedMailbox {
  mailbox: BounceMailbox;
  project: ProjectRow;
}

/**
 * Saves the settings with an encrypted password. `rows` is the result of `selectMailbox`. A stored
 * password is valid only for its host, port and user. Otherwise anyone who may edit the settings
 * could send it to their own server. The route checks `projects:write`.
 * Throws 400 for a private or malformed host, a host of Cloudflare, and port 143. Also
 * throws it for an enabled mailbox without host, port, user or password, and for a change of host,
 * port or user without a password. Throws precondition_failed if the project's version is not one
 * of the expected ones.
 */
export async function saveMailbox(
  ctx: Ctx,
  project: ProjectRow,
  rows: MailboxRow[],
  input: MailboxInput,
  expected?: number[],
): Promise<SavedMailbox> {
  const { deps } = ctx;
  const stored = storedOrDefault(rows);
  requireComplete(input, stored.passwordSealed !== "");
  const { enabled, port = stored.port, user = stored.user } = input;
  const host = input.host ? allowedHost(deps, input.host) : (input.host ?? stored.host);
  if (port === PLAINTEXT_PORT) throw invalidField("port", faultOf("plaintext_imap"));
  const folder = input.folder ?? (enabled ? DEFAULT_FOLDER : stored.folder);
  const passwordSealed =
    input.password === undefined
      ? null
      : await seal(deps.config.sealingKeys, input.password, sealContext(project.id));
  const change = { projectId: project.id, enabled, host, port, user, folder, passwordSealed };
  const fact = {
    scopeId: project.id,
    action: "bounce_imap.update",
    metadata: { enabled, host, port },
  } as const;
  const when = sql`${and(projectIs(project.id, expected), mayChangeMailbox(change))}`;
  const [, [mailbox], , current] = await runBatch(deps.db, [
    auditStatement(ctx, fact, when),
    saveMailboxRow(deps.db, change, when),
    updateProject(deps.db, project.id, { updatedAt: deps.now() }, when),
    selectProject(deps.db, project.id),
  ]);
  const now = firstProject(current);
  if (mailbox) return { mailbox, project: now };
  requireVersion(now, expected);
  throw invalidField("password", faultOf("required_again", { fields: "host, port or user" }));
}

function requireComplete(input: MailboxInput, hasPassword: boolean): void {
  if (!input.enabled) return;
  for (const field of ["host", "port", "user"] as const)
    if (!input[field]) throw invalidField(field, faultOf("required_when_enabled"));
  if (!input.password && !hasPassword)
    throw invalidField("password", faultOf("required_when_enabled"));
}

function allowedHost({ config }: Deps, given: string): string {
  const host = checkMailHost(given, { allowPrivate: config.allowPrivateTargets });
  if (!host.ok) throw invalidField("host", faultOf("not_allowed", { reason: host.reason }));
  return host.host;
}

/**
 * Returns the settings that open a session with a stored mailbox.
 * Throws 400 when host, user or password are missing or the host is no longer allowed.
 */
export async function openMailbox(deps: Deps, mailbox: MailboxRow): Promise<ImapSettings> {
  const { host, port, user, passwordSealed, projectId } = mailbox;
  if (host === "" || user === "" || passwordSealed === "")
    throw refusal("mailbox_not_configured", {});
  const password = await unseal(deps.config.sealingKeys, passwordSealed, sealContext(projectId));
  return { host: allowedHost(deps, host), port, user, password };
}
