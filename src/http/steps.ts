import { z } from "zod";

/** The steps that a test of mail settings took (API reference §9.3 and §14.1). */
export const stepsAnswer = z.array(
  z.strictObject({
    step: z.enum([
      "dns",
      "address",
      "connect",
      "tls",
      "greeting",
      "ehlo",
      "auth",
      "mail",
      "capability",
      "login",
      "folder",
      "unread",
    ]),
    ok: z.boolean(),
    ms: z.number().nonnegative().describe("The duration of the step in milliseconds."),
    detail: z.string().optional().describe("What was found, with the server's reply."),
    remedy: z.string().optional().describe("What to change; only on a failed step."),
  }),
);

/** The attempt at the other usual port of SMTP. */
export const alternativeAnswer = z.strictObject({
  port: z.int(),
  ok: z.boolean(),
  steps: stepsAnswer,
  remedy: z.string().optional(),
});
