import { z } from "zod";
import { ROLES } from "../../db/schema/index.ts";
import {
  addMember,
  changeRole,
  createUser,
  removeMember,
  selectMembers,
  selectPerson,
} from "../../services/workspaces/index.ts";
import { takeInvitation } from "../../services/limits/index.ts";
import { invitePerson } from "../../services/identity/index.ts";
import { idAnswer, namedAnswer, timeAnswer } from "../answer-fields.ts";
import { emailField, nameField, wholeListQuery } from "../fields.ts";
import { applyVerdict } from "../limit-headers.ts";
import { newPassword } from "../password-field.ts";
import { route } from "../route/route.ts";
import { presenterOf } from "../presenter.ts";

const roleField = z.enum(ROLES);
const newRoleField = roleField.default("member");
const memberBody = z.object({ email: emailField, role: newRoleField });
const userBody = z.object({
  email: emailField,
  name: nameField,
  password: newPassword,
  role: newRoleField,
});
const roleBody = z.object({ role: roleField });

const memberAnswer = namedAnswer("Member", {
  user_id: idAnswer,
  email: z.string(),
  name: z.string(),
  role: roleField,
  joined_at: timeAnswer,
  created_by: idAnswer.nullable().describe("The person who created the account, or null."),
});

const presentMember = presenterOf(memberAnswer);

const LIST = "/workspaces/:id/members";
const ITEM = "/workspaces/:id/members/:userId";

export const memberRoutes = [
  route({
    auth: "workspace",
    method: "GET",
    path: LIST,
    operation: "workspaces.members.list",
    summary: "Lists the members of a workspace.",
    capability: "read",
    query: wholeListQuery,
    answer: z.strictObject({ members: z.array(memberAnswer) }),
    reads: ({ deps, workspaceId, query }) => [selectMembers(deps, workspaceId, query)],
    handle: async ({ reads: [members] }) => ({ members: members.map(presentMember) }),
  }),
  route({
    auth: "workspace",
    method: "POST",
    path: LIST,
    operation: "workspaces.members.add",
    summary: "Adds a person with an account to a workspace; in cloud mode, through an invitation.",
    once: true,
    refusals: [404, 409],
    example: { body: { email: "ben@example.com", role: "developer" } },
    capability: "members:write",
    license: "workspace members",
    body: memberBody,
    answer: memberAnswer,
    status: 201,
    reads: ({ deps: { db }, body }) => [selectPerson(db, body.email)],
    handle: async ({ c, ctx, actor, workspace, reads: [people], body }) => {
      const input = { people, role: body.role };
      const { member, mustAccept } = await addMember(ctx, actor, workspace, input);
      if (mustAccept) {
        applyVerdict(c, await takeInvitation(ctx, actor.userId, body.email), "hour");
        await invitePerson(ctx, actor, workspace, body);
      }
      return presentMember(member);
    },
  }),
  route({
    auth: "workspace",
    method: "POST",
    path: "/workspaces/:id/users",
    operation: "workspaces.users.create",
    summary: "Creates an account and adds the person to a workspace, except in cloud mode.",
    once: true,
    refusals: [409],
    example: {
      body: { email: "cleo@example.com", name: "Cleo", password: "correct horse battery" },
    },
    capability: "members:write",
    license: "workspace members",
    body: userBody,
    answer: memberAnswer.omit({ joined_at: true, created_by: true }),
    status: 201,
    handle: async ({ ctx, actor, workspace, body }) => {
      const { id, email, name, role } = await createUser(ctx, actor, workspace, body);
      return { user_id: id, email, name, role };
    },
  }),
  route({
    auth: "workspace",
    method: "PATCH",
    path: ITEM,
    operation: "workspaces.members.setRole",
    summary: "Changes the role of a member.",
    refusals: [409],
    example: { body: { role: "admin" } },
    capability: "members:write",
    license: "workspace members",
    body: roleBody,
    handle: async ({ ctx, actor, workspace, body, param }) => {
      await changeRole(ctx, actor, workspace, { userId: param("userId"), role: body.role });
    },
  }),
  route({
    auth: "workspace",
    method: "DELETE",
    path: ITEM,
    operation: "workspaces.members.remove",
    summary: "Removes a member from a workspace.",
    refusals: [409],
    capability: "members:write",
    selfParam: "userId",
    handle: ({ ctx, actor, workspace, param }) =>
      removeMember(ctx, actor, workspace, param("userId")),
  }),
];
