import { z } from "zod";
import { CONNECTIONS } from "../messages/connections.ts";
import { REMEDIES } from "../messages/remedies.ts";
import { codeAnswer, paramsAnswer } from "./message-answer.ts";

const remedyAnswer = {
  remedy: z.string().optional().describe("What to change; only on a failed step."),
  remedy_code: codeAnswer("RemedyCode", REMEDIES).optional(),
  remedy_params: paramsAnswer.optional(),
};

/** Steps of a connection test of mail settings (API reference §9.3 and §14.1). */
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
    detail: z.string().optional().describe("The result of the step, including the server's reply."),
    code: codeAnswer("ConnectionCode", CONNECTIONS).optional(),
    params: paramsAnswer.optional(),
    ...remedyAnswer,
  }),
);

/** The attempt at the other common SMTP port. */
export const alternativeAnswer = z.strictObject({
  port: z.int(),
  ok: z.boolean(),
  steps: stepsAnswer,
  ...remedyAnswer,
});
