import { z } from "zod";
import {
  answerDeviceLogin,
  beginDeviceLogin,
  findDeviceLogin,
  pollDeviceLogin,
} from "../../services/accounts/index.ts";
import { takeFromClient } from "../../services/limits/index.ts";
import { timeAnswer } from "../answer-fields.ts";
import { nameField } from "../fields.ts";
import { inCode } from "../in-code.ts";
import { applyVerdict } from "../limit-headers.ts";
import { presenterOf } from "../presenter.ts";
import { EXAMPLE_TOKEN, EXAMPLE_USER_CODE } from "../route/words.ts";
import { route } from "../route/route.ts";
import { projectIdsField } from "./access-tokens.ts";
import type { HttpContext } from "../http-env.ts";
import { tokenField } from "./recovery.ts";

const begunAnswer = z.strictObject({
  device_code: z.string(),
  user_code: z.string(),
  verification_uri: z.string(),
  verification_uri_complete: z.string(),
  expires_in: z.number().describe("Seconds."),
  interval: z.number().describe("Seconds between two polls."),
});

const issuedAnswer = z.strictObject({
  access_token: z.string(),
  token_type: z.literal("Bearer"),
  expires_in: z.number().describe("Seconds."),
});

const loginAnswer = z.strictObject({
  name: z.string(),
  ip_address: z.string(),
  expires_at: timeAnswer,
});

const presentBegun = presenterOf(begunAnswer);
const presentLogin = presenterOf(loginAnswer);

const answerBody = z
  .object({
    user_code: z.string(),
    approve: z.boolean(),
    project_ids: projectIdsField.optional(),
  })
  .transform(inCode);

/** Counts the beginning of a login, or a code that a person has typed. */
async function countCall(c: HttpContext): Promise<void> {
  applyVerdict(c, await takeFromClient(c.var.ctx, "device"));
}

/** Routes for the login of a program that a person confirms in the browser (API reference §2.4). */
export const deviceLoginRoutes = [
  route({
    auth: "public",
    method: "POST",
    path: "/auth/device",
    operation: "auth.device.begin",
    summary: "Begins the login of a program, which a person confirms in the browser.",
    example: { body: { name: "CLI on workstation" } },
    body: z.object({ name: nameField }),
    answer: begunAnswer,
    handle: async ({ c, ctx, body }) => {
      await countCall(c);
      return presentBegun(await beginDeviceLogin(ctx, body.name));
    },
  }),
  route({
    auth: "public",
    method: "POST",
    path: "/auth/device/token",
    operation: "auth.device.poll",
    summary: "Returns the access token of a confirmed login, once.",
    example: { body: { device_code: EXAMPLE_TOKEN } },
    body: z.object({ device_code: tokenField }),
    answer: issuedAnswer,
    handle: async ({ ctx, body }) => {
      const { token, expiresIn } = await pollDeviceLogin(ctx, body.device_code);
      return { access_token: token, token_type: "Bearer" as const, expires_in: expiresIn };
    },
  }),
  route({
    auth: "user",
    reach: "session",
    method: "POST",
    path: "/auth/device/look-up",
    operation: "auth.device.lookUp",
    summary: "Returns which program waits for a code to be confirmed.",
    example: { body: { user_code: EXAMPLE_USER_CODE } },
    body: z.object({ user_code: z.string() }),
    answer: loginAnswer,
    handle: async ({ c, ctx, body }) => {
      await countCall(c);
      const { deviceHash: _, ...login } = await findDeviceLogin(ctx, body.user_code);
      return presentLogin(login);
    },
  }),
  route({
    auth: "user",
    reach: "session",
    method: "POST",
    path: "/auth/device/answer",
    operation: "auth.device.answer",
    summary: "Confirms the login of a program, which gets an access token, or declines it.",
    refusals: [404, 409],
    example: { body: { user_code: EXAMPLE_USER_CODE, approve: true } },
    body: answerBody,
    handle: async ({ c, ctx, actor, body }) => {
      await countCall(c);
      await answerDeviceLogin(ctx, actor, body);
    },
  }),
];
