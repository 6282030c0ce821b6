import { z, type ZodType } from "zod";
import { REFUSALS, type RefusalCode } from "../../messages/refusals.ts";
import { idAnswer } from "../answer-fields.ts";
import type { HttpContext } from "../http-env.ts";
import { messageAnswer, paramsAnswer } from "../message-answer.ts";
import { problemAnswer } from "../problem-answer.ts";
import { alternativeAnswer, stepsAnswer } from "../steps.ts";
import type { Auth } from "./auth.ts";
import type { Answers } from "./declaration.ts";
import { withWarnings } from "./unknown-fields.ts";

type Answering = Answers<unknown> & {
  auth: Auth;
  fileType?: string | undefined;
  namesUnknownFields?: true;
};

const JSON_TYPE = { "Content-Type": "application/json" };

const isKeyed = ({ auth }: Answering) => auth === "secret" || auth === "public_or_secret";

/** Responds with a handler's value, or with 204 if there is no schema for it. */
export function respond(c: HttpContext, route: Answering, value: unknown): Response {
  if (route.answer === undefined) return c.body(null, 204);
  const body = isKeyed(route) ? { success: true, data: value } : value;
  return c.body(JSON.stringify(body), route.status ?? 200, JSON_TYPE);
}

/** Returns the schemas of a route's successful responses by status. */
export function answersOf(route: Answering): Record<number, ZodType | undefined> {
  const { status = 200, fileType, namesUnknownFields } = route;
  const whole = (schema: ZodType | undefined) => {
    const answer = schema && namesUnknownFields ? withWarnings(schema, errorAnswer) : schema;
    return answer && isKeyed(route)
      ? z.strictObject({ success: z.literal(true), data: answer })
      : answer;
  };
  const answer = whole(route.answer);
  const otherAnswers = Object.fromEntries(
    Object.entries(route.otherAnswers ?? {}).map(([other, schema]) => [other, whole(schema)]),
  );
  if (fileType !== undefined) return { [status]: undefined, ...otherAnswers };
  if (answer === undefined) return { 204: undefined, ...otherAnswers };
  return { [status]: answer, ...otherAnswers };
}

/** Error codes with their descriptions. */
const refusalCode = z.enum(Object.keys(REFUSALS) as [RefusalCode]).meta({
  id: "RefusalCode",
  description: Object.entries(REFUSALS)
    .map(([code, { status, text }]) => `- \`${code}\` (${status}): ${text}`)
    .join("\n"),
});

/** Error response of the project-scoped API (API reference §3.1). */
export const errorAnswer = z.strictObject({
  error: z.string(),
  code: refusalCode,
  params: paramsAnswer.optional(),
  /** All invalid fields of the request. */
  details: z.array(messageAnswer.extend({ path: z.string() })).optional(),
  /** Log entry of a failed mail. */
  id: idAnswer.optional(),
  /** The broadcast that was paused because no session with the mail server could be opened. */
  broadcast_id: idAnswer.optional(),
  /** Steps of a failed connection test, and the attempt at another port. */
  steps: stepsAnswer.optional(),
  alternative: alternativeAnswer.optional(),
  /** Problems of a draft that its start request does not accept. */
  problems: z.array(problemAnswer).optional(),
});

/** Error response of the key-based API (API reference §3.1). */
export const keyedErrorAnswer = errorAnswer
  .pick({ error: true, code: true, params: true, details: true, problems: true })
  .extend({ success: z.literal(false) });
