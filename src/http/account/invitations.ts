import { z } from "zod";
import { ROLES } from "../../db/schema/index.ts";
import { notFound } from "../../errors.ts";
import type { Ctx } from "../../context.ts";
import { parseEmailAddress, type EmailAddress } from "../../mail/address.ts";
import { authorizeSession } from "../../services/access/index.ts";
import { takeInvitation, takeMailTo } from "../../services/limits/index.ts";
import {
  acceptAsMember,
  acceptAsNewPerson,
  invitePerson,
  readInvitation,
  resendInvitation,
  selectInvitation,
  selectInvitations,
  withdrawInvitation,
  type InvitationRow,
  type OpenInvitation,
} from "../../services/people/index.ts";
import { credentialOf } from "../credential.ts";
import { emailField, nameField, pageQuery } from "../fields.ts";
import type { HttpContext } from "../http-env.ts";
import { applyVerdict } from "../limit-headers.ts";
import { timestamp } from "../present.ts";
import { publicRoute, workspaceRoute } from "../routes.ts";
import { newPassword, startSession } from "./auth.ts";
import { countToken, tokenField } from "./recovery.ts";

const LIST = "/workspaces/:id/invitations";
const ITEM = "/workspaces/:id/invitations/:invitationId";

const inviteBody = z.object({ email: emailField, role: z.enum(ROLES).default("member") });
const tokenBody = z.object({ token: tokenField });
const acceptBody = tokenBody.extend({
  name: nameField.optional(),
  password: newPassword.optional(),
});

const presentInvitation = (row: InvitationRow) => ({
  id: row.id,
  email: row.email,
  role: row.role,
  invited_by: row.invitedBy,
  created_at: timestamp(row.createdAt),
  expires_at: timestamp(row.expiresAt),
});

/** Returns the facts for an invitation's reader: of the workspace its name alone. */
const presentOpen = (invitation: OpenInvitation) => ({
  email: invitation.email,
  role: invitation.role,
  workspace: { id: invitation.workspaceId, name: invitation.workspaceName },
  invited_by: invitation.inviterName,
  has_account: invitation.userId !== null,
  expires_at: timestamp(invitation.expiresAt),
});

const presentJoined = ({ workspaceId, workspaceName }: OpenInvitation) => ({
  id: workspaceId,
  name: workspaceName,
});

/**
 * Counts an invitation mail to an address. No header of an answer shows the mails that other
 * workspaces sent there.
 */
async function countInvitationTo(c: HttpContext, ctx: Ctx, email: EmailAddress): Promise<void> {
  const verdict = await takeMailTo(ctx, "invitation", email);
  if (!verdict.allowed) applyVerdict(c, verdict, "hour");
}

const idOf = (c: HttpContext) => c.req.param("invitationId") ?? "";

/** Routes of invitations into a workspace, and of their acceptance with the mailed token. */
export const invitationRoutes = [
  workspaceRoute({
    method: "GET",
    path: LIST,
    capability: "members:write",
    query: pageQuery,
    handler: async ({ c, ctx, workspace, query }) => {
      const rows = await selectInvitations(ctx.deps.db, workspace.id, query);
      return c.json({ invitations: rows.map(presentInvitation) });
    },
  }),
  workspaceRoute({
    method: "POST",
    path: LIST,
    capability: "members:write",
    license: "workspace members",
    body: inviteBody,
    handler: async ({ c, ctx, actor, workspace, body }) => {
      applyVerdict(c, await takeInvitation(ctx, actor.userId), "hour");
      await countInvitationTo(c, ctx, body.email);
      return c.json(presentInvitation(await invitePerson(ctx, actor, workspace, body)), 201);
    },
  }),
  workspaceRoute({
    method: "POST",
    path: `${ITEM}/resend`,
    capability: "members:write",
    license: "workspace members",
    reads: (c, { db }, workspaceId) => [selectInvitation(db, workspaceId, idOf(c))],
    handler: async ({ c, ctx, actor, workspace, reads }) => {
      const [[invitation]] = reads;
      const email = parseEmailAddress(invitation?.email ?? "");
      if (!invitation || !email.ok) throw notFound("invitation");
      applyVerdict(c, await takeInvitation(ctx, actor.userId), "hour");
      await countInvitationTo(c, ctx, email.address);
      const renewed = await resendInvitation(ctx, actor, workspace, invitation);
      return c.json(presentInvitation(renewed));
    },
  }),
  workspaceRoute({
    method: "DELETE",
    path: ITEM,
    capability: "members:write",
    handler: async ({ c, ctx, actor, workspace }) => {
      await withdrawInvitation(ctx, actor, workspace, idOf(c));
      return c.body(null, 204);
    },
  }),
  publicRoute({
    method: "POST",
    path: "/auth/invitations/look-up",
    body: tokenBody,
    handler: async ({ c, ctx, body }) => {
      await countToken(c);
      return c.json(presentOpen(await readInvitation(ctx, body.token)));
    },
  }),
  publicRoute({
    method: "POST",
    path: "/auth/invitations/accept",
    body: acceptBody,
    handler: async ({ c, ctx, body }) => {
      await countToken(c);
      const { token, name, password } = body;
      if (name !== undefined && password !== undefined) {
        const made = await acceptAsNewPerson(ctx, { token, name, password });
        startSession(c, made.token);
        return c.json({ user: made.user, workspace: presentJoined(made.invitation) }, 201);
      }
      const { actor } = await authorizeSession(ctx.deps, credentialOf(c), () => []);
      const joined = await acceptAsMember({ ...ctx, actor }, actor, token);
      return c.json({ workspace: presentJoined(joined) });
    },
  }),
];
