/*
 * Holds every JSON answer of the service under test to the schema of its route. Unknown fields are
 * faults, because every answer schema is strict.
 */
import { TrieRouter } from "hono/router/trie-router";
import { z, type ZodType } from "zod";
import { requestPath } from "../../src/http/request-path.ts";
import { errorAnswer, keyedErrorAnswer } from "../../src/http/route/answer.ts";
import type { Route } from "../../src/http/route/declaration.ts";
import { ALL_ROUTES } from "../../src/http/routes.ts";

const router = new TrieRouter<Route>();
for (const route of ALL_ROUTES) router.add(route.method, route.path, route);

/** The length of faults and of an answer in the error of a test. */
const SHOWN_CHARACTERS = 1_000;

const anyErrorAnswer = z.union([errorAnswer, keyedErrorAnswer]);

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
  const [[[route] = [undefined]]] = router.match(request.method, requestPath(request));
  const isJson = headers.get("Content-Type")?.startsWith("application/json") ?? false;
  if (!route && !(isJson && status >= 400)) return; // a page, a pixel, or a check of health
  const name = `${request.method} ${new URL(request.url).pathname} ${status}`;
  const schema = schemaFor(route, status);
  if (!schema) {
    const isPromised = route !== undefined && status in route.answers;
    if (isPromised && text === "") return;
    throw new Error(`${name}: no schema describes this answer: ${text}`);
  }
  const result = schema.safeParse(JSON.parse(text));
  if (result.success) return;
  const faults = z.prettifyError(result.error).slice(0, SHOWN_CHARACTERS);
  throw new Error(`${name}: ${faults}\n${text.slice(0, SHOWN_CHARACTERS)}`);
}
