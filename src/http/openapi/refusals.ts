import { errorAnswer, keyedErrorAnswer } from "../route/answer.ts";
import type { Route } from "../route/declaration.ts";
import { jsonSchemaOf, type Json, type NamedSchemas } from "./json-schema.ts";

/** Descriptions of errors by status (API reference §3.2). */
const MEANINGS: Record<number, string> = {
  400: "An ID in the path, the query string or the body is not valid, or the settings do not allow the call.",
  401: "The credential is missing, unknown, expired or of the wrong type.",
  402: "The call requires a license.",
  403: "The role or key lacks the capability, the workspace has used up its quota, or the write comes from another site.",
  404: "Something that the request names does not exist.",
  409: "The state of a resource does not allow the call, or a name is taken.",
  412: "Another request has changed the resource.",
  413: "The body is larger than its limit.",
  422: "The recipient is suppressed, or has not consented to the topic.",
  429: "A rate limit is reached.",
  500: "The service had an internal error.",
  502: "The mail server refused or could not be reached.",
  503: "Part of the service does not respond; the same request may succeed later.",
};

const WAIT = {
  "Retry-After": {
    description: "The time to wait, in seconds.",
    schema: { type: "integer", minimum: 0 },
  },
};
const WITH_WAIT = new Set([409, 429, 503]);

export const isKeyed = ({ auth }: Pick<Route, "auth">) =>
  auth === "secret" || auth === "public_or_secret";

/** Returns the error statuses that a route may return. */
export function refusalsOf(route: Route): number[] {
  const { method, path, auth, body, query, license, refusals = [] } = route;
  const isClosed = auth !== "public";
  const found = new Set<number>([429, 500, 503, ...refusals]);
  if (body || query || path.includes(":")) found.add(400);
  if (isClosed || route.operation.startsWith("auth.")) found.add(401);
  if (isClosed || method !== "GET") found.add(403);
  if (license !== undefined) found.add(402);
  if (path.includes(":")) found.add(404);
  if (body) found.add(413);
  if (route.takesIdempotencyKey) found.add(409);
  if (route.obeysIfMatch) found.add(412);
  return [...found].toSorted((a, b) => a - b);
}

const nameOf = (surface: string, status: number) => `${surface}${status}`;
const surfaceOf = (route: Route) => (isKeyed(route) ? "KeyedRefusal" : "Refusal");

/** Returns references to a route's error responses by status; `default` covers all others. */
export function refusalRefs(route: Route): Json {
  const surface = surfaceOf(route);
  const ref = (name: string) => ({ $ref: `#/components/responses/${name}` });
  const listed = refusalsOf(route).map((status) => [status, ref(nameOf(surface, status))]);
  return { ...Object.fromEntries(listed), default: ref(surface) };
}

/** Returns the shared error responses. */
export function refusalResponses(named: NamedSchemas): Json {
  const responses: Json = {};
  const schemas = { Refusal: errorAnswer, KeyedRefusal: keyedErrorAnswer };
  for (const [surface, schema] of Object.entries(schemas)) {
    named[surface] = jsonSchemaOf(schema, named);
    const content = {
      "application/json": { schema: { $ref: `#/components/schemas/${surface}` } },
    };
    responses[surface] = { description: "The call is rejected.", content };
    for (const [status, description] of Object.entries(MEANINGS)) {
      const headers = WITH_WAIT.has(Number(status)) ? { headers: WAIT } : {};
      responses[nameOf(surface, Number(status))] = { description, ...headers, content };
    }
  }
  return responses;
}
