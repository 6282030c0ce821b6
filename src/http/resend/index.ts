/*
 * The API of Resend for programs that take another base URL (docs/resend.md). It is a client of our
 * own API: each call becomes calls of our routes, with the caller's credential and without a
 * network, so that limits, checks, idempotency and audit are those of the routes.
 */
import { Hono, type MiddlewareHandler } from "hono";
import { z } from "zod";
import { invalidField, notFound } from "../../errors.ts";
import { faultOf } from "../../messages/faults.ts";
import { isAccessToken, projectsOfKeys } from "../../services/access/index.ts";
import { bearerOf } from "../credential.ts";
import type { HttpContext, HttpEnv } from "../http-env.ts";
import { MAX_BODY_BYTES, receiveJson } from "../read-body.ts";
import { broadcastRoutes } from "./broadcasts.ts";
import { askAs, answerOf, type Dispatch } from "./call.ts";
import { contactRoutes } from "./contacts.ts";
import { domainRoutes } from "./domains.ts";
import type { DoorRoute } from "./door-route.ts";
import { emailRoutes } from "./emails.ts";
import { refuseAs } from "./errors.ts";
import { eventRoutes } from "./events.ts";
import { segmentRoutes } from "./segments.ts";
import { suppressionRoutes } from "./suppressions.ts";
import { templateRoutes } from "./templates.ts";
import { topicAndPropertyRoutes } from "./topics.ts";
import { webhookRoutes } from "./webhooks.ts";

/** Path prefix of their API here. */
export const DOOR = "/resend";

/** All calls of their API that we have. */
const DOOR_ROUTES: DoorRoute[] = [
  ...emailRoutes,
  ...domainRoutes,
  ...broadcastRoutes,
  ...templateRoutes,
  ...suppressionRoutes,
  ...webhookRoutes,
  ...contactRoutes,
  ...segmentRoutes,
  ...eventRoutes,
  ...topicAndPropertyRoutes,
];

/** The first parts of all paths of their API. */
const THEIR_PATHS = new Set(
  "api-keys audiences automations broadcasts contact-properties contacts domains emails events inboxes logs oauth segments suppressions templates topics usage webhooks".split(
    " ",
  ),
);

const NO_KEY = "Missing API key: send one of Postrider in the header `Authorization: Bearer …`.";

/** Returns the only project that an access token reaches. */
async function projectOfToken(ask: ReturnType<typeof askAs>): Promise<string> {
  const found = await answerOf<{ id: string }[]>(await ask("GET", "/projects?scope=all&limit=2"));
  const [first, second] = found;
  if (first && !second) return first.id;
  throw invalidField("Authorization", faultOf("not_one_project"));
}

/** Returns true for a path of their API. */
export const isDoorPath = (path: string) => path === DOOR || path.startsWith(`${DOOR}/`);

/** Mounts their API; `dispatch` serves a request of ours. */
export function mountDoor(
  server: Hono<HttpEnv>,
  limit: MiddlewareHandler<HttpEnv>,
  dispatch: Dispatch,
): void {
  const projectOfKey = projectsOfKeys();

  async function serve(c: HttpContext, route: DoorRoute): Promise<Response> {
    const key = bearerOf(c);
    if (key === undefined) return refuseAs(c, [401, "missing_api_key"], NO_KEY);
    const { maxBodyBytes: maxBytes = MAX_BODY_BYTES, keepsNulls, method } = route;
    const rule = { schema: z.unknown(), maxBytes, keepsNulls };
    const incoming = method === "GET" ? undefined : await receiveJson(c, rule);
    try {
      const project = isAccessToken(key)
        ? await projectOfToken(askAs(c, dispatch, ""))
        : await projectOfKey(c.var.ctx.deps, key);
      const ask = askAs(c, dispatch, `/projects/${project}`);
      const parsed = await incoming?.finish();
      incoming?.end(); // our own route takes the slot of a large body
      if (parsed?.ok === false) throw parsed.error;
      const call = async <T>(...asked: Parameters<typeof ask>) => answerOf<T>(await ask(...asked));
      return c.json(await route.answer({ c, project, body: parsed?.value, ask, call }));
    } finally {
      incoming?.end();
    }
  }

  server.use(async (c, next) => {
    const { resendHost } = c.var.ctx.deps.config;
    if (resendHost === "" || isDoorPath(c.req.path)) return next();
    const url = new URL(c.req.url);
    if (url.host !== resendHost) return next();
    url.pathname = DOOR + url.pathname;
    return dispatch(new Request(url, c.req.raw), c.env, c.executionCtx);
  });
  const door = new Hono<HttpEnv>();
  door.use(limit, async (c, next) => {
    c.header("Cache-Control", "no-store");
    await next();
  });
  for (const route of DOOR_ROUTES) door.on(route.method, route.path, (c) => serve(c, route));
  door.all("*", (c) => {
    const [first = ""] = c.req.path.slice(DOOR.length + 1).split("/");
    if (!THEIR_PATHS.has(first)) throw notFound("endpoint");
    const call = `${c.req.method} ${c.req.path.slice(DOOR.length)}`;
    return refuseAs(c, [501, "not_implemented"], `Postrider does not have ${call}.`);
  });
  server.route(DOOR, door);
}
