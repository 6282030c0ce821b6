/*
 * Holds every JSON answer of the service under test to the schema of its route and to the OpenAPI
 * document. Unknown fields are faults, because every answer schema is strict.
 */
import { Validator, type Schema } from "@cfworker/json-schema";
import { TrieRouter } from "hono/router/trie-router";
import { z, type ZodType } from "zod";
import { operationOf } from "../../src/http/openapi/operation.ts";
import { refusalResponses } from "../../src/http/openapi/refusals.ts";
import { requestPath } from "../../src/http/request-path.ts";
import { supabaseErrorAnswer } from "../../src/http/public/auth-hooks.ts";
import { doorErrorAnswer } from "../../src/http/resend/errors.ts";
import { errorAnswer, keyedErrorAnswer } from "../../src/http/route/answer.ts";
import type { Route } from "../../src/http/route/declaration.ts";
import { ALL_ROUTES } from "../../src/http/routes.ts";

const router = new TrieRouter<Route>();
for (const route of ALL_ROUTES) router.add(route.method, route.path, route);

/** Returns the route of a request. */
export function routeOf(method: string, path: string): Route | undefined {
  const [[[route] = [undefined]]] = router.match(method, path);
  return route;
}

/** The length of faults and of an answer in the error of a test. */
const SHOWN_CHARACTERS = 1_000;

const anyErrorAnswer = z.union([
  errorAnswer,
  keyedErrorAnswer,
  doorErrorAnswer,
  supabaseErrorAnswer,
]);

function schemaFor(route: Route | undefined, status: number): ZodType | undefined {
  if (status < 400) return route?.answers[status];
  if (!route) return anyErrorAnswer;
  return route.auth === "secret" || route.auth === "public_or_secret"
    ? keyedErrorAnswer
    : errorAnswer;
}

/** Throws when an answer differs from the schema of its route and status. */
export function requireKnownAnswer(
  request: Request,
  { status, headers }: Response,
  text: string,
): void {
  if (request.method === "HEAD") return;
  const route = routeOf(request.method, requestPath(request));
  const [type = ""] = headers.get("Content-Type")?.split(";") ?? [];
  if (route?.otherTypes?.includes(type) || (type !== "" && type === route?.fileType)) return;
  const isJson = headers.get("Content-Type")?.startsWith("application/json") ?? false;
  if (!route && !(isJson && status >= 400)) return; // a page, a pixel, or a check of health
  const name = `${request.method} ${new URL(request.url).pathname} ${status}`;
  const schema = schemaFor(route, status);
  if (!schema) {
    const isPromised = route !== undefined && status in route.answers;
    if (isPromised && text === "") return;
    throw new Error(`${name}: no schema describes this answer: ${text}`);
  }
  const answer: unknown = JSON.parse(text);
  const shown = text.slice(0, SHOWN_CHARACTERS);
  const result = schema.safeParse(answer);
  if (!result.success) {
    const faults = z.prettifyError(result.error).slice(0, SHOWN_CHARACTERS);
    throw new Error(`${name}: ${faults}\n${shown}`);
  }
  if (!route) return;
  const documented = validatorFor(route, status).validate(answer);
  if (documented.valid) return;
  const faults = documented.errors.map(
    ({ instanceLocation, error }) => `${instanceLocation} ${error}`,
  );
  throw new Error(`${name}: not as in the document: ${faults.join("; ")}\n${shown}`);
}

/** The statuses that the document lists for each route that has them. */
const LISTED = new Set([409, 412, 422, 502]);

interface Responses {
  [status: string]: {
    $ref?: string;
    content?: { "application/json"?: { schema: Schema } };
  };
}

const validators = new Map<string, Validator>();
const schemas: Record<string, Record<string, unknown>> = {};
const refusals = refusalResponses(schemas) as Responses;

/** Returns the validator of an answer by the OpenAPI document. */
function validatorFor(route: Route, status: number): Validator {
  const key = `${route.method} ${route.path} ${status}`;
  const known = validators.get(key);
  if (known) return known;
  const responses = operationOf(route, schemas)["responses"] as Responses;
  if (LISTED.has(status) && !(status in responses))
    throw new Error(`${key}: add the status to the \`refusals\` of the route`);
  const { $ref = "", content } = responses[status] ?? responses["default"] ?? {};
  const given = content ?? refusals[$ref.replace("#/components/responses/", "")]?.content;
  const schema = given?.["application/json"]?.schema;
  if (!schema) throw new Error(`${key}: the document does not describe this answer`);
  const validator = new Validator({ ...schema, components: { schemas } }, "2020-12");
  validators.set(key, validator);
  return validator;
}
