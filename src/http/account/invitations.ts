import { z } from "zod";
import { ROLES } from "../../db/schema/index.ts";
import { notFound } from "../../errors.ts";
import { parseEmailAddress } from "../../mail/address.ts";
import { authorizeSession } from "../../services/access/index.ts";
import { takeInvitation } from "../../services/limits/index.ts";
import {
  acceptAsMember,
  acceptAsNewPerson,
  invitePerson,
  readInvitation,
  resendInvitation,
  selectInvitation,
  selectInvitations,
  withdrawInvitation,
  type OpenInvitation,
} from "../../services/identity/index.ts";
import { credentialOf } from "../credential.ts";
import { idAnswer, namedAnswer, timeAnswer, timestamp } from "../answer-fields.ts";
import { emailField, nameField, pageQuery } from "../fields.ts";
import { applyVerdict } from "../limit-headers.ts";
import { newPassword } from "../password-field.ts";
import { EXAMPLE_TOKEN } from "../route/words.ts";
import { route } from "../route/route.ts";
import { presentUser, startSession, userAnswer } from "./auth.ts";
import { countToken, tokenField } from "./recovery.ts";
import { presenterOf } from "../presenter.ts";

const LIST = "/workspaces/:id/invitations";
const ITEM = "/workspaces/:id/invitations/:invitationId";

const inviteBody = z.object({ email: emailField, role: z.enum(ROLES).default("member") });
const tokenBody = z.object({ token: tokenField });
const acceptBody = tokenBody.extend({
  name: nameField.optional(),
  password: newPassword.optional(),
});

const invitationAnswer = namedAnswer("Invitation", {
  id: idAnswer,
  email: z.string(),
  role: z.enum(ROLES),
  invited_by: idAnswer,
  created_at: timeAnswer,
  expires_at: timeAnswer,
});

const presentInvitation = presenterOf(invitationAnswer);

const workspaceNameAnswer = z.strictObject({ id: idAnswer, name: z.string() });

const openAnswer = z.strictObject({
  email: z.string(),
  role: z.enum(ROLES),
  workspace: workspaceNameAnswer,
  invited_by: z.string(),
  has_account: z.boolean(),
  expires_at: timeAnswer,
});

/** Presents an open invitation to its recipient, who sees only the name of the workspace. */
const presentOpen = (invitation: OpenInvitation): z.input<typeof openAnswer> => ({
  email: invitation.email,
  role: invitation.role,
  workspace: { id: invitation.workspaceId, name: invitation.workspaceName },
  invited_by: invitation.inviterName,
  has_account: invitation.userId !== null,
  expires_at: timestamp(invitation.expiresAt),
});

const joinedAnswer = z.strictObject({ workspace: workspaceNameAnswer });

const presentJoined = (invitation: OpenInvitation): z.input<typeof joinedAnswer> => ({
  workspace: { id: invitation.workspaceId, name: invitation.workspaceName },
});

/** Routes to invite people to a workspace, and to accept an invitation with its emailed token. */
export const invitationRoutes = [
  route({
    auth: "workspace",
    method: "GET",
    path: LIST,
    operation: "workspaces.invitations.list",
    summary: "Lists the open invitations of a workspace.",
    capability: "members:write",
    query: pageQuery,
    answer: z.strictObject({ invitations: z.array(invitationAnswer) }),
    handle: async ({ ctx, workspace, query }) => {
      const rows = await selectInvitations(ctx.deps.db, workspace.id, query);
      return { invitations: rows.map(presentInvitation) };
    },
  }),
  route({
    auth: "workspace",
    method: "POST",
    path: LIST,
    operation: "workspaces.invitations.create",
    summary: "Invites a person to a workspace by email.",
    once: true,
    refusals: [409],
    example: { body: { email: "dora@example.com", role: "member" } },
    capability: "members:write",
    license: "workspace members",
    body: inviteBody,
    answer: invitationAnswer,
    status: 201,
    handle: async ({ c, ctx, actor, workspace, body }) => {
      applyVerdict(c, await takeInvitation(ctx, actor.userId, body.email), "hour");
      return presentInvitation(await invitePerson(ctx, actor, workspace, body));
    },
  }),
  route({
    auth: "workspace",
    method: "POST",
    path: `${ITEM}/resend`,
    operation: "workspaces.invitations.resend",
    summary: "Resends an invitation.",
    refusals: [409],
    capability: "members:write",
    license: "workspace members",
    answer: invitationAnswer,
    reads: ({ deps: { db }, workspaceId, param }) => [
      selectInvitation(db, workspaceId, param("invitationId")),
    ],
    handle: async ({ c, ctx, actor, workspace, reads }) => {
      const [[invitation]] = reads;
      const email = parseEmailAddress(invitation?.email ?? "");
      if (!invitation || !email.ok) throw notFound("invitation");
      applyVerdict(c, await takeInvitation(ctx, actor.userId, email.address), "hour");
      return presentInvitation(await resendInvitation(ctx, actor, workspace, invitation));
    },
  }),
  route({
    auth: "workspace",
    method: "DELETE",
    path: ITEM,
    operation: "workspaces.invitations.withdraw",
    summary: "Withdraws an invitation.",
    capability: "members:write",
    handle: ({ ctx, actor, workspace, param }) =>
      withdrawInvitation(ctx, actor, workspace, param("invitationId")),
  }),
  route({
    auth: "public",
    method: "POST",
    path: "/auth/invitations/look-up",
    operation: "invitations.lookUp",
    summary: "Returns the invitation of an emailed token.",
    refusals: [404],
    example: { body: { token: EXAMPLE_TOKEN } },
    body: tokenBody,
    answer: openAnswer,
    handle: async ({ c, ctx, body }) => {
      await countToken(c);
      return presentOpen(await readInvitation(ctx, body.token));
    },
  }),
  route({
    auth: "public",
    method: "POST",
    path: "/auth/invitations/accept",
    operation: "invitations.accept",
    summary: "Accepts an invitation with its emailed token.",
    refusals: [404, 409],
    example: { body: { token: EXAMPLE_TOKEN, name: "Dora", password: "correct horse battery" } },
    body: acceptBody,
    answer: joinedAnswer.extend({ user: userAnswer }),
    status: 201,
    otherAnswers: { 200: joinedAnswer },
    handle: async ({ c, ctx, body }) => {
      await countToken(c);
      const { token, name, password } = body;
      if (name !== undefined && password !== undefined) {
        const made = await acceptAsNewPerson(ctx, { token, name, password });
        startSession(c, made.token);
        return { user: presentUser(made.user), ...presentJoined(made.invitation) };
      }
      const { actor } = await authorizeSession(ctx.deps, credentialOf(c), () => [], "session");
      const joined = await acceptAsMember({ ...ctx, actor }, actor, token);
      return c.json(presentJoined(joined));
    },
  }),
];
