import { Buffer } from "node:buffer";
import { WorkerEntrypoint } from "cloudflare:workers";
import type { Bindings } from "../config.ts";
import { buildDeps } from "../deps.ts";
import { AppError, refusal } from "../errors.ts";
import { runtime } from "../runtime.ts";
import { server } from "../server.ts";
import { projectsOfKeys } from "../services/access/index.ts";

interface MailOptions {
  idempotencyKey?: string;
}

/** Errors are values, because RPC does not pass on the properties of an Error everywhere. */
type Result = { data: object; error: null } | { data: null; error: Refused };

interface Refused {
  message: string;
  code: string;
  status: number;
  /** The complete response body, for example with `details`. */
  body: object;
  /** Seconds. */
  retryAfter?: number;
}

const projectOfKey = projectsOfKeys();

/** Values of headers that `Headers` accepts and routes check. */
const PRINTABLE = /^[!-~]+$/;

/**
 * Calls of other Workers in the same account by a service binding (docs/api-client.md). Each is a
 * request to its route with a project key, without a network, so that access, limits, checks and
 * audit are those of the route. The client's `MailService` has the types of bodies and answers.
 */
export class Mail extends WorkerEntrypoint<Bindings> {
  send(key: string, body: object, options?: MailOptions): Promise<Result> {
    return this.#post("send", key, body, options);
  }

  batch(key: string, body: object, options?: MailOptions): Promise<Result> {
    return this.#post("send/batch", key, body, options);
  }

  subscribe(key: string, body: object): Promise<Result> {
    return this.#post("subscribers", key, body);
  }

  track(key: string, body: object, options?: MailOptions): Promise<Result> {
    return this.#post("events", key, body, options);
  }

  async #post(
    path: string,
    key: string,
    body: object,
    { idempotencyKey }: MailOptions = {},
  ): Promise<Result> {
    try {
      const response = await this.#dispatch(path, key, body, idempotencyKey);
      const answer = await response.json<{ error?: string; code?: string }>();
      const { error: message = "", code } = answer;
      // a batch that fails after its answer began has status 200
      if (code === undefined) return { data: answer, error: null };
      const wait = response.headers.get("Retry-After");
      const retryAfter = wait === null ? {} : { retryAfter: Number(wait) };
      const { status } = response;
      return { data: null, error: { message, code, status, body: answer, ...retryAfter } };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const { message, code, status } = error;
      return { data: null, error: { message, code, status, body: { error: message, code } } };
    }
  }

  async #dispatch(path: string, key: unknown, body: object, idempotencyKey: unknown) {
    if (!isPrintable(key)) throw refusal("invalid_api_key", {});
    const deps = await buildDeps(this.env, (work) => this.ctx.waitUntil(work), runtime);
    const project = await projectOfKey(deps, key);
    const headers = new Headers({
      Authorization: `Bearer ${key}`,
      "Content-Type": "application/json",
      Prefer: "handling=strict", // an unknown field is an error
    });
    if (idempotencyKey !== undefined) {
      if (!isPrintable(idempotencyKey)) throw refusal("invalid_idempotency_key", {});
      headers.set("Idempotency-Key", idempotencyKey);
    }
    const url = new URL(`/api/v1/projects/${project}/${path}`, deps.config.baseUrl);
    const init = { method: "POST", headers, body: JSON.stringify(body, inBase64) };
    return server.fetch(new Request(url, init), this.env, this.ctx);
  }
}

const isPrintable = (value: unknown): value is string =>
  typeof value === "string" && PRINTABLE.test(value);

/** Writes bytes, such as the content of an attachment, in base64. */
const inBase64 = (_: string, value: unknown) =>
  value instanceof ArrayBuffer || value instanceof Uint8Array
    ? Buffer.from(new Uint8Array(value)).toString("base64")
    : value;
