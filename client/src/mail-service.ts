import type { PostriderError } from "./errors.ts";
import type { KeyClient } from "./types.ts";

type Calls = KeyClient["projects"];
type Body<C extends (...given: never) => unknown> =
  Parameters<C> extends [infer Args extends { body: unknown }, ...unknown[]] ? Args["body"] : never;

/** The answer of a call, or the fields of its `PostriderError`. */
type Result<C extends (...given: never) => Promise<unknown>> = Promise<
  | { data: Awaited<ReturnType<C>>; error: null }
  | {
      data: null;
      error: Pick<PostriderError, "message" | "code" | "status" | "body"> & { retryAfter?: number };
    }
>;

/**
 * The entrypoint `Mail` of the Worker, as a service binding of another Worker sees it. `key` is a
 * project key (`sk_`).
 */
export interface MailService {
  send: (
    key: string,
    body: Body<Calls["send"]>,
    options?: { idempotencyKey?: string },
  ) => Result<Calls["send"]>;
  batch: (
    key: string,
    body: Body<Calls["sendBatch"]>,
    options?: { idempotencyKey?: string },
  ) => Result<Calls["sendBatch"]>;
  subscribe: (
    key: string,
    body: Body<Calls["subscribers"]["create"]>,
  ) => Result<Calls["subscribers"]["create"]>;
  track: (
    key: string,
    body: Body<Calls["events"]["record"]>,
    options?: { idempotencyKey?: string },
  ) => Result<Calls["events"]["record"]>;
}
