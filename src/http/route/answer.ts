import { z, type ZodType } from "zod";
import { idAnswer } from "../answer-fields.ts";
import type { HttpContext } from "../http-env.ts";
import { problemAnswer } from "../problem-answer.ts";
import { alternativeAnswer, stepsAnswer } from "../steps.ts";
import type { Auth } from "./auth.ts";
import type { Answers } from "./declaration.ts";

type Answering = Answers<unknown> & { auth: Auth; fileType?: string | undefined };

const JSON_TYPE = { "Content-Type": "application/json" };

const isKeyed = ({ auth }: Answering) => auth === "secret" || auth === "public_or_secret";

/** Answers with a handler's value; without a schema for it, with 204. */
export function respond(c: HttpContext, route: Answering, value: unknown): Response {
  if (route.answer === undefined) return c.body(null, 204);
  const body = isKeyed(route) ? { success: true, data: value } : value;
  return c.body(JSON.stringify(body), route.status ?? 200, JSON_TYPE);
}

/** Returns the schemas of a route's successful answers by status. */
export function answersOf(route: Answering): Record<number, ZodType | undefined> {
  const { answer, status = 200, otherAnswers, fileType } = route;
  if (fileType !== undefined) return { [status]: undefined, ...otherAnswers };
  if (answer === undefined) return { 204: undefined, ...otherAnswers };
  const whole = isKeyed(route)
    ? z.strictObject({ success: z.literal(true), data: answer })
    : answer;
  return { [status]: whole, ...otherAnswers };
}

/** Every refusal of the project-scoped API (API reference §3.1). */
export const errorAnswer = z.strictObject({
  error: z.string(),
  /** Every fault of the request, when there is more than one. */
  details: z.array(z.strictObject({ path: z.string(), message: z.string() })).optional(),
  /** The log entry of a mail that failed. */
  id: idAnswer.optional(),
  /** The broadcast that paused, because no session with the mail server could be opened. */
  broadcast_id: idAnswer.optional(),
  /** The steps of a test that failed, and the attempt at another port. */
  steps: stepsAnswer.optional(),
  alternative: alternativeAnswer.optional(),
  /** The problems of a draft that its start does not accept. */
  problems: z.array(problemAnswer).optional(),
});

/** Every refusal of the key-based API (API reference §3.1). */
export const keyedErrorAnswer = errorAnswer
  .pick({ error: true, details: true, problems: true })
  .extend({ success: z.literal(false) });
