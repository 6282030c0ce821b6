import { z } from "zod";
import { takeFromClient, takeMailTo } from "../../services/limits/index.ts";
import {
  confirmAddress,
  forgetPassword,
  mailConfirmation,
  resetPassword,
} from "../../services/identity/index.ts";
import { emailField } from "../fields.ts";
import type { HttpContext } from "../http-env.ts";
import { applyVerdict } from "../limit-headers.ts";
import { newPassword } from "../password-field.ts";
import { EXAMPLE_TOKEN } from "../route/words.ts";
import { route } from "../route/route.ts";
import { fault } from "../fault.ts";

/** An emailed token. Only request bodies carry one, because paths and queries end up in logs. */
export const tokenField = z.string().regex(/^[0-9A-Za-z]{43}$/, fault("not_token"));

/** Counts an attempt to redeem a token. */
export async function countToken(c: HttpContext): Promise<void> {
  applyVerdict(c, await takeFromClient(c.var.ctx, "token"));
}

const forgotBody = z.object({ email: emailField });
const resetBody = z.object({ token: tokenField, password: newPassword });
const confirmBody = z.object({ token: tokenField });

/** Routes for password resets and email verification. */
export const recoveryRoutes = [
  route({
    auth: "public",
    method: "POST",
    path: "/auth/forgot",
    operation: "auth.forgotPassword",
    summary: "Emails a link to set a new password.",
    refusals: [409],
    example: { body: { email: "ann@example.com" } },
    body: forgotBody,
    handle: async ({ c, ctx, body }) => {
      applyVerdict(c, await takeFromClient(ctx, "forgot"), "hour");
      await forgetPassword(ctx, body.email);
    },
  }),
  route({
    auth: "public",
    method: "POST",
    path: "/auth/reset",
    operation: "auth.resetPassword",
    summary: "Sets a new password with the token of an emailed link.",
    refusals: [404],
    example: { body: { token: EXAMPLE_TOKEN, password: "a longer horse battery" } },
    body: resetBody,
    handle: async ({ c, ctx, body }) => {
      await countToken(c);
      await resetPassword(ctx, body);
    },
  }),
  route({
    auth: "user",
    reach: "session",
    method: "POST",
    path: "/auth/confirm",
    operation: "auth.confirmAddress",
    summary: "Confirms the person's address with an emailed token.",
    refusals: [404, 409],
    example: { body: { token: EXAMPLE_TOKEN } },
    body: confirmBody,
    handle: async ({ c, ctx, actor, body }) => {
      await countToken(c);
      await confirmAddress(ctx, actor, body.token);
    },
  }),
  route({
    auth: "user",
    reach: "session",
    method: "POST",
    path: "/auth/confirm/resend",
    operation: "auth.resendConfirmation",
    summary: "Resends the link that confirms the address.",
    refusals: [409],
    handle: async ({ c, ctx, actor }) => {
      applyVerdict(c, await takeMailTo(ctx, "confirm", actor.email), "hour");
      await mailConfirmation(ctx, actor);
    },
  }),
];
