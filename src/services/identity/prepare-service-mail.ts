import { sql } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import { runBatch } from "../../db/client.ts";
import { notFound } from "../../errors.ts";
import { DAY_MS, HOUR_MS } from "../../lib/durations.ts";
import { sha256Hex } from "../../lib/hash.ts";
import { randomToken } from "../../lib/random-token.ts";
import { parseEmailAddress, type Mailbox } from "../../mail/address.ts";
import {
  ADDRESS_CONFIRMATION,
  INVITATION,
  OWNER_NOTICE,
  PASSWORD_RESET,
  type ServiceTemplate,
} from "../../mail/system-templates/index.ts";
import type { ProjectRow } from "../access/index.ts";
import { insertUserToken, type NewMailedToken } from "../accounts/index.ts";
import { harmless, type ServiceMailKind } from "../service-mail/index.ts";
import { builtInTemplate, renderMail, type RenderedMail } from "../templates/index.ts";
import { insertInvitationToken, selectOpenInvitation } from "./invitation-queries.ts";

/** A service mail, ready to compose. */
export interface PreparedServiceMail {
  to: Mailbox;
  content: RenderedMail;
}

const RESET_LIFE_MS = HOUR_MS;
const CONFIRM_LIFE_MS = 3 * DAY_MS;

/** The facts from which a service mail is built. The id is that of its pending mail. */
export interface PendingFacts {
  id: string;
  kind: ServiceMailKind;
  data: Record<string, string>;
}

const TEMPLATES: Record<ServiceMailKind, ServiceTemplate> = {
  invitation: INVITATION,
  reset: PASSWORD_RESET,
  confirm: ADDRESS_CONFIRMATION,
  notice: OWNER_NOTICE,
};

/**
 * Builds a service mail, which the project sends. A link in it has a new token. The token's SHA-256 is stored before this
 * function returns; the token itself exists only in the mail. Throws not_found when the reason for
 * the mail is gone: no account has the address, the invitation was withdrawn, or a password reset
 * has revoked the other links, including those of mails in flight.
 */
export async function prepareServiceMail(
  deps: Deps,
  { id, kind, data }: PendingFacts,
  project: ProjectRow,
): Promise<PreparedServiceMail> {
  const to = parseEmailAddress(data["to"] ?? "");
  if (!to.ok) throw notFound("address");
  const variables = await variablesOf(deps, { id, kind, data: { ...data, to: to.address } });
  const source = builtInTemplate(project, `service:${kind}`, TEMPLATES[kind]);
  const productName = project.fromName ?? project.name;
  const content = renderMail(source, { product_name: harmless(productName), ...variables });
  return {
    to: { name: "", address: to.address },
    content: { ...content, subject: content.subject.replaceAll(/\s+/g, " ") },
  };
}

async function variablesOf(
  deps: Deps,
  { id, kind, data }: PendingFacts & { data: { to: string; from?: string; userId?: string } },
): Promise<Record<string, string>> {
  switch (kind) {
    case "notice": {
      const { title = "", text = "", project = "" } = data;
      return { title, text, project: harmless(project) };
    }
    case "invitation":
      return invitationVariables(deps, data["invitationId"] ?? "");
    case "reset": {
      const { token, row } = newToken(deps, kind, RESET_LIFE_MS);
      const isPending = sql`exists (select 1 from pending_mails where id = ${id})`;
      const user = sql`email = ${data.to} and ${isPending}`;
      const stored = await insertUserToken(deps.db, row, user);
      if (stored.length === 0) throw notFound("account");
      return { link: linkTo(deps, "reset-password", token) };
    }
    case "confirm": {
      const { token, row } = newToken(deps, kind, CONFIRM_LIFE_MS);
      const { to, from, userId = "" } = data;
      const isOpen = from ? sql`email = ${from}` : sql`email = ${to} and verified_at is null`;
      const stored = await insertUserToken(
        deps.db,
        from ? { ...row, email: to } : row,
        sql`id = ${userId} and ${isOpen}`,
      );
      if (stored.length === 0) throw notFound("account");
      return { link: linkTo(deps, "confirm-address", token), change: from ? "1" : "" };
    }
  }
}

async function invitationVariables(deps: Deps, id: string): Promise<Record<string, string>> {
  const { token, row } = newToken(deps, "invitation", 0);
  const [, invitations] = await runBatch(deps.db, [
    insertInvitationToken(deps.db, row, id),
    selectOpenInvitation(deps.db, id, row.createdAt),
  ]);
  const [invitation] = invitations;
  if (!invitation) throw notFound("invitation");
  return {
    link: linkTo(deps, "accept-invitation", token),
    workspace: harmless(invitation.workspaceName),
    inviter: harmless(invitation.inviterName),
    role: invitation.role,
  };
}

function newToken(
  deps: Deps,
  kind: NewMailedToken["kind"],
  lifeMs: number,
): { token: string; row: NewMailedToken } {
  const token = randomToken();
  const createdAt = deps.now();
  return {
    token,
    row: { tokenHash: sha256Hex(token), kind, createdAt, expiresAt: createdAt + lifeMs },
  };
}

/**
 * Returns a link with the token in the fragment. Browsers do not send fragments to servers, so no
 * access log contains it.
 */
const linkTo = ({ config }: Deps, page: string, token: string) =>
  `${config.baseUrl}/${page}#token=${token}`;
