import { AppError, type FieldFault } from "../../errors.ts";
import type { Bindings } from "../../config.ts";
import type { RefusalCode } from "../../messages/refusals.ts";
import type { Params } from "../../messages/message.ts";
import type { HttpContext } from "../http-env.ts";
import { identifyBy } from "../idempotency-key.ts";

/** Serves a request by the whole service, without a network. */
export type Dispatch = (
  request: Request,
  env: Bindings,
  context: HttpContext["executionCtx"],
) => Response | Promise<Response>;

/** Headers that tell our route who calls; never a cookie. */
const OF_CALLER = ["Authorization", "CF-Connecting-IP", "X-Forwarded-For", "CF-Ray", "User-Agent"];

/** Headers of our answers that also tell the client something. */
const OF_ANSWER = ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "Retry-After"];

/**
 * Returns a function that calls our own API below a path, as the caller of a request. Unknown fields
 * are errors, so that nothing is dropped in silence. `said` replaces a body that differs with each
 * repetition, for the Idempotency-Key.
 */
export function askAs(c: HttpContext, dispatch: Dispatch, root: string) {
  return async (
    method: string,
    path: string,
    body?: unknown,
    idempotencyKey?: string,
    said?: unknown,
  ) => {
    const headers = new Headers({ "Content-Type": "application/json", Prefer: "handling=strict" });
    for (const name of OF_CALLER) {
      const value = c.req.header(name);
      if (value !== undefined) headers.set(name, value);
    }
    if (idempotencyKey !== undefined) headers.set("Idempotency-Key", idempotencyKey);
    const url = new URL(`/api/v1${root}${path}`, c.var.ctx.deps.config.baseUrl);
    const sent = body === undefined ? { method, headers } : withBody(method, headers, body);
    const request = new Request(url, sent);
    if (said !== undefined) identifyBy(request, JSON.stringify(said));
    const response = await dispatch(request, c.env, c.executionCtx);
    if (response.ok) c.set("isAdmitted", true);
    for (const name of OF_ANSWER) {
      const value = response.headers.get(name);
      if (value !== null) c.header(name, value);
    }
    return response;
  };
}

const withBody = (method: string, headers: Headers, body: unknown) => ({
  method,
  headers,
  body: JSON.stringify(body),
});

/** The error of our API. */
interface Refused {
  error: string;
  code: RefusalCode;
  params?: Params;
  details?: FieldFault[];
  id?: string;
}

/** Returns the answer of our API, which may have no body, or throws its error. */
export async function answerOf<T>(response: Response): Promise<T> {
  if (response.status === 204) return undefined as T;
  if (response.ok) return response.json();
  const { error, code, params, details, id } = await response.json<Refused>();
  throw new AppError(code, error, { ...(details && { details }), fields: { id } }, params);
}
