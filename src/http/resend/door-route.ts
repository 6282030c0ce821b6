import type { HttpContext } from "../http-env.ts";
import type { askAs } from "./call.ts";

/** A request of a Resend client, with its calls of our API. */
export interface Asked {
  c: HttpContext;
  /** ID of the project of the key. */
  project: string;
  /** The validated JSON; `{}` without a body. */
  body: unknown;
  /** Calls a path below `/projects/{id}` as the client and returns the answer, or throws its error. */
  call: <T>(...asked: Parameters<Asked["ask"]>) => Promise<T>;
  /** Like `call`, for the answer with its headers, whatever its status. */
  ask: ReturnType<typeof askAs>;
}

/** A call of Resend's API, translated to ours. */
export interface DoorRoute {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Path without the prefix, for Hono's router. */
  path: string;
  /** The largest body, if the call may carry attachments. */
  maxBodyBytes?: number;
  /** True if null clears a field instead of counting as omitted. */
  keepsNulls?: boolean;
  answer: (asked: Asked) => Promise<object>;
}
