import { deleteCookie, setCookie } from "hono/cookie";
import { z } from "zod";
import { ROLES } from "../../db/schema/index.ts";
import {
  actingRole,
  CAPABILITIES,
  capabilitiesOf,
  SESSION_ABSOLUTE_MS,
} from "../../services/access/index.ts";
import {
  changeName,
  changePassword,
  logIn,
  logOut,
  selectOriginOfSession,
  selectWorkspacesOf,
} from "../../services/accounts/index.ts";
import { changeAddress } from "../../services/identity/index.ts";
import {
  takeLoginTry,
  takeMailTo,
  takePasswordTry,
  takeRegistration,
} from "../../services/limits/index.ts";
import { licenseFacts, LICENSED_FEATURES, TIERS } from "../../services/licensing/index.ts";
import { readSetup, registerAccount, REGISTRATIONS } from "../../services/workspaces/index.ts";
import { isSecure, sessionCookie } from "../credential.ts";
import { parseEmailAddress } from "../../mail/address.ts";
import { idAnswer, namedAnswer, timeAnswer } from "../answer-fields.ts";
import { emailField, nameField } from "../fields.ts";
import type { HttpContext } from "../http-env.ts";
import { applyVerdict } from "../limit-headers.ts";
import { anyPassword, newPassword } from "../password-field.ts";
import { route } from "../route/route.ts";
import { presenterOf } from "../presenter.ts";

/**
 * Normalizes an address as accounts store it. Invalid text passes unchanged and matches no account.
 */
const loginEmail = z.string().transform((text): string => {
  const parsed = parseEmailAddress(text);
  return parsed.ok ? parsed.address : text;
});
const loginBody = z.object({ email: loginEmail, password: anyPassword });
const registerBody = z.object({
  email: emailField,
  name: nameField,
  password: newPassword,
  setup_token: z.string().default(""),
});
const emailBody = z.object({ email: emailField, current_password: anyPassword });
const passwordBody = z.object({ current_password: anyPassword, new_password: newPassword });

export const userAnswer = namedAnswer("User", {
  id: idAnswer,
  email: z.string(),
  name: z.string(),
});

export const presentUser = presenterOf(userAnswer);

const loggedInAnswer = z.strictObject({ user: userAnswer });

const licenseAnswer = z.strictObject({
  tier: z.enum(TIERS).nullable().describe("Null without a valid license."),
  features: z.array(z.enum(LICENSED_FEATURES)),
  expires_at: timeAnswer.nullable(),
});

/** Presents the license of the deployment (API reference §7.2). */
const presentLicense = presenterOf(licenseAnswer);

const meAnswer = namedAnswer("Me", {
  license: licenseAnswer,
  user: userAnswer.extend({
    email_verified: z.boolean(),
    created_by: z.string().nullable().describe("The email of the person who created the account."),
  }),
  workspaces: z.array(
    z.strictObject({
      id: idAnswer,
      name: z.string(),
      role: z.enum(ROLES),
      capabilities: z.array(z.enum(CAPABILITIES)),
    }),
  ),
});

/**
 * Sets the session cookie. `Max-Age` is the absolute lifetime; the server enforces the idle
 * timeout.
 */
export function startSession(c: HttpContext, token: string): void {
  setCookie(c, sessionCookie(c), token, {
    httpOnly: true,
    sameSite: "Lax",
    path: "/",
    secure: isSecure(c),
    maxAge: SESSION_ABSOLUTE_MS / 1000,
  });
}

export const authRoutes = [
  route({
    auth: "public",
    method: "GET",
    path: "/auth/setup",
    operation: "auth.setup",
    summary: "Returns whether the first account is still missing, and who may register.",
    answer: z.strictObject({ needed: z.boolean(), registration: z.enum(REGISTRATIONS) }),
    handle: ({ ctx }) => readSetup(ctx.deps),
  }),
  route({
    auth: "public",
    method: "POST",
    path: "/auth/register",
    operation: "auth.register",
    summary: "Registers a person and logs them in.",
    refusals: [409],
    example: {
      body: {
        email: "ann@example.com",
        name: "Ann",
        password: "correct horse battery",
        setup_token: "the-token-of-the-deployment",
      },
    },
    body: registerBody,
    answer: loggedInAnswer,
    status: 201,
    handle: async ({ c, ctx, body }) => {
      applyVerdict(c, await takeRegistration(ctx));
      const { email, name, password, setup_token: setupToken } = body;
      const { user, token } = await registerAccount(ctx, { email, name, password, setupToken });
      startSession(c, token);
      return { user: presentUser(user) };
    },
  }),
  route({
    auth: "public",
    method: "POST",
    path: "/auth/login",
    operation: "auth.login",
    summary: "Logs in a person.",
    example: { body: { email: "ann@example.com", password: "correct horse battery" } },
    body: loginBody,
    answer: loggedInAnswer,
    handle: async ({ c, ctx, body }) => {
      applyVerdict(c, await takeLoginTry(ctx, body.email));
      const { user, token } = await logIn(ctx, body);
      startSession(c, token);
      return { user: presentUser(user) };
    },
  }),
  route({
    auth: "user",
    reach: "any",
    method: "POST",
    path: "/auth/logout",
    operation: "auth.logout",
    summary: "Ends the session or access token of the request.",
    handle: async ({ c, ctx, actor }) => {
      await logOut(ctx, actor);
      deleteCookie(c, sessionCookie(c), { path: "/", secure: isSecure(c) });
    },
  }),
  route({
    auth: "user",
    reach: "any",
    method: "GET",
    path: "/auth/me",
    operation: "auth.me",
    summary: "Returns the person of the session and their workspaces.",
    answer: meAnswer,
    reads: ({ deps: { db }, tokenHash }) => [selectOriginOfSession(db, tokenHash)],
    handle: async ({ ctx, actor, reads: [[person]] }) => {
      const workspaces = await selectWorkspacesOf(ctx.deps.db, actor.userId);
      return {
        license: presentLicense(await licenseFacts(ctx.deps)),
        user: {
          ...presentUser({ id: actor.userId, email: actor.email, name: actor.name }),
          email_verified: person?.isVerified === 1,
          created_by: person?.createdBy ?? null,
        },
        workspaces: workspaces.map(({ id, name, role }) => ({
          id,
          name,
          role,
          capabilities: capabilitiesOf(actingRole(actor, role)),
        })),
      };
    },
  }),
  route({
    auth: "user",
    reach: "session",
    method: "PATCH",
    path: "/auth/me",
    operation: "auth.updateMe",
    summary: "Changes the person's name.",
    example: { body: { name: "Ann Lee" } },
    body: z.object({ name: nameField }),
    answer: userAnswer,
    handle: async ({ ctx, actor, body }) => presentUser(await changeName(ctx, actor, body.name)),
  }),
  route({
    auth: "user",
    reach: "session",
    method: "POST",
    path: "/auth/email",
    operation: "auth.changeEmail",
    summary: "Emails a link to a new address, which the account gets when the link is confirmed.",
    refusals: [409],
    example: { body: { email: "ann.lee@example.com", current_password: "correct horse battery" } },
    body: emailBody,
    handle: async ({ c, ctx, actor, body: { email, current_password: currentPassword } }) => {
      applyVerdict(c, await takePasswordTry(ctx, actor.userId));
      applyVerdict(c, await takeMailTo(ctx, "confirm", email), "hour");
      await changeAddress(ctx, actor, { email, currentPassword });
    },
  }),
  route({
    auth: "user",
    reach: "session",
    method: "POST",
    path: "/auth/password",
    operation: "auth.changePassword",
    summary: "Changes the password and ends all other sessions.",
    example: {
      body: { current_password: "correct horse battery", new_password: "a longer horse battery" },
    },
    body: passwordBody,
    handle: async ({ c, ctx, actor, body }) => {
      applyVerdict(c, await takePasswordTry(ctx, actor.userId));
      const { current_password: currentPassword, new_password: next } = body;
      await changePassword(ctx, actor, { currentPassword, newPassword: next });
    },
  }),
];
