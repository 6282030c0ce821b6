import type { CallOptions } from "./calls.ts";
import { errorOf, PostriderError } from "./errors.ts";
import { OPERATIONS } from "./operations.ts";
import type { Client, KeyClient, TokenClient } from "./types.ts";

export interface ClientOptions {
  /** Origin of the service, for example `https://mail.example.com`. */
  baseUrl: string;
  fetch?: typeof fetch;
  /** Maximum retries of a call that is safe to repeat; 2 by default. */
  retries?: number;
  /** Maximum wait before a retry, in seconds; 30 by default. */
  maxWaitSeconds?: number;
}

type Args = Record<string, unknown>;

const FIRST_WAIT_MS = 300;

/**
 * Creates a client with an API key (`key`) or a personal access token (`token`). Without either, on
 * a page of the service's own origin, it uses the session. Its calls have the names of the
 * operations in the OpenAPI document; those that the credential cannot make are missing.
 */
export function createClient(options: ClientOptions & { key: string }): KeyClient;
export function createClient(options: ClientOptions & { token: string }): TokenClient;
export function createClient(options: ClientOptions): Client;
export function createClient(options: ClientOptions & { key?: string; token?: string }): unknown {
  const { baseUrl, key, token = key, retries = 2, maxWaitSeconds = 30 } = options;
  const send = options.fetch ?? ((input, init) => fetch(input, init));
  const root = baseUrl.replace(/\/+$/, "");

  async function call(name: string, args: Args = {}, given: CallOptions = {}): Promise<unknown> {
    const [method = "", path = ""] = (OPERATIONS[name] ?? "").split(" ");
    if (path === "") throw new PostriderError(`there is no call ${name}`, "invalid_call");
    const takesKey = method.endsWith("!");
    const rest = { ...args };
    const at = path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => {
      const value = rest[parameter];
      delete rest[parameter];
      // "." and ".." would lead to another path
      if (typeof value === "string" && !/^\.{0,2}$/.test(value)) return encodeURIComponent(value);
      throw new PostriderError(`${name} needs ${parameter}`, "invalid_call");
    });
    const { body, ...query } = rest;
    const url = new URL(root + (at.startsWith("/") ? at : `/api/v1/${at}`));
    // the types of calls allow only texts and numbers
    for (const [field, value] of Object.entries(
      query as Record<string, string | number | undefined>,
    ))
      if (value !== undefined) url.searchParams.set(field, String(value));
    const { signal, ifMatch, idempotencyKey, headers = {}, onResponse } = given;
    const init: RequestInit = {
      method: method.replace("!", ""),
      redirect: "manual", // the API never redirects, and the credential must not be sent elsewhere
      headers: {
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...(takesKey ? { "Idempotency-Key": idempotencyKey ?? crypto.randomUUID() } : {}),
        ...(ifMatch === undefined ? {} : { "If-Match": ifMatch }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    };
    const lost = (error: unknown) => {
      if (signal?.aborted) throw error;
      return new PostriderError(String(error), "network");
    };
    for (let attempt = 0; ; attempt++) {
      const response = await send(url.href, init).catch(lost);
      let error = response;
      if (!(error instanceof PostriderError) && error.ok) {
        onResponse?.(error);
        const value = await valueOf(name, error).catch(lost);
        if (!(value instanceof PostriderError)) return value;
        error = value;
      }
      if (!(error instanceof PostriderError)) error = await errorOf(error);
      const waitMs = waitOf(error, attempt);
      const isSafe = takesKey || method === "GET";
      if (attempt >= retries || !mayRepeat(error, isSafe) || waitMs > maxWaitSeconds * 1000)
        throw error;
      await pause(waitMs + Math.random() * FIRST_WAIT_MS * 2 ** attempt, signal);
    }
  }

  async function* pagesOf(name: string, args: Args = {}, given?: CallOptions) {
    for (let after: unknown = ""; typeof after === "string";) {
      const answer = (await call(name, { ...args, after }, given)) as Args;
      yield* Object.values(answer).find(Array.isArray) ?? [];
      after = answer["next"] ?? (answer["pagination"] as Args | undefined)?.["next"];
    }
  }

  /**
   * Returns a proxy for a name: property access extends the name, and a call invokes the operation.
   */
  const branch = (name: string): unknown =>
    new Proxy(() => {}, {
      get: (_, next) =>
        typeof next === "string" && next !== "then" ? branch(`${name}${name && "."}${next}`) : null,
      apply: (_, __, [args, given]: [Args?, CallOptions?]) =>
        name.endsWith(".all") ? pagesOf(name.slice(0, -4), args, given) : call(name, args, given),
    });
  return branch("");
}

/** Reads the value of the response; the key-based API wraps it in `data`. */
async function valueOf(name: string, response: Response): Promise<unknown> {
  const text = await response.text();
  if (text === "") return undefined;
  const value = JSON.parse(text);
  return name.startsWith("keyed.") ? value.data : value;
}

/**
 * Returns true if a retry is safe: a rate-limited call had no effect, and any other must be a read
 * or carry an idempotency key.
 */
const mayRepeat = ({ status, retryAfter }: PostriderError, isSafe: boolean) =>
  status === 429 ||
  (isSafe && ([0, 500, 503].includes(status) || (status === 409 && retryAfter !== undefined)));

/**
 * Returns the minimum wait before the next attempt: as requested by the service, or an exponential
 * backoff.
 */
const waitOf = ({ retryAfter }: PostriderError, attempt: number) =>
  retryAfter === undefined ? FIRST_WAIT_MS * 2 ** attempt : retryAfter * 1000;

const pause = (ms: number, signal: AbortSignal | undefined) =>
  new Promise<void>((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => reject(signal?.reason);
    const done = () => {
      signal?.removeEventListener("abort", stop);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", () => (clearTimeout(timer), stop()), { once: true });
  });
