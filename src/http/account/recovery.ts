import { z } from "zod";
import { consumeClientLimit, takeMailTo } from "../../services/limits/index.ts";
import {
  confirmAddress,
  forgetPassword,
  mailConfirmation,
  resetPassword,
} from "../../services/people/index.ts";
import { emailField } from "../fields.ts";
import type { HttpContext } from "../http-env.ts";
import { applyVerdict } from "../limit-headers.ts";
import { route } from "../route/route.ts";
import { newPassword } from "./auth.ts";

/** A mailed token; only bodies carry one, because logs contain paths and queries. */
export const tokenField = z.string().regex(/^[0-9A-Za-z]{43}$/, "is not a token");

/** Counts an attempt to use a token. */
export async function countToken(c: HttpContext): Promise<void> {
  const verdict = await consumeClientLimit(c.var.ctx, "token");
  if (verdict) applyVerdict(c, verdict);
}

const forgotBody = z.object({ email: emailField });
const resetBody = z.object({ token: tokenField, password: newPassword });
const confirmBody = z.object({ token: tokenField });

/** Routes of forgotten passwords, and of the proof of an address. */
export const recoveryRoutes = [
  route({
    auth: "public",
    method: "POST",
    path: "/auth/forgot",
    body: forgotBody,
    handle: async ({ c, ctx, body }) => {
      const verdict = await consumeClientLimit(ctx, "forgot");
      if (verdict) applyVerdict(c, verdict, "hour");
      await forgetPassword(ctx, body.email);
    },
  }),
  route({
    auth: "public",
    method: "POST",
    path: "/auth/reset",
    body: resetBody,
    handle: async ({ c, ctx, body }) => {
      await countToken(c);
      await resetPassword(ctx, body);
    },
  }),
  route({
    auth: "user",
    method: "POST",
    path: "/auth/confirm",
    body: confirmBody,
    handle: async ({ c, ctx, actor, body }) => {
      await countToken(c);
      await confirmAddress(ctx, actor, body.token);
    },
  }),
  route({
    auth: "user",
    method: "POST",
    path: "/auth/confirm/resend",
    handle: async ({ c, ctx, actor }) => {
      applyVerdict(c, await takeMailTo(ctx, "confirm", actor.email), "hour");
      await mailConfirmation(ctx, actor);
    },
  }),
];
