import type { RefusalCode } from "./types.ts";

/** The codes of refusals that do not come from the service itself, by their status. */
const CODES: Partial<Record<number, ErrorCode>> = {
  401: "unauthorized",
  403: "forbidden",
  404: "not_found",
  413: "payload_too_large",
  429: "rate_limited",
  503: "unavailable",
};

/**
 * The code of an error: that of the service's refusal, or one of the client's own. `network` is a
 * request without a whole answer; `unauthorized`, `forbidden` and `unavailable` are answers of
 * others, such as a proxy.
 */
export type ErrorCode =
  | RefusalCode
  | "network"
  | "invalid_webhook"
  | "invalid_call"
  | "unauthorized"
  | "forbidden"
  | "unavailable";

/** Every error of the client. */
export class PostriderError extends Error {
  override name = "PostriderError";
  readonly code: ErrorCode;
  /** The status of the answer; 0 without one. */
  readonly status: number;
  /** The whole body of the answer, for example with `details`. */
  readonly body: Record<string, unknown>;
  /** The seconds to wait before another attempt, if the service said so. */
  readonly retryAfter: number | undefined;

  constructor(
    message: string,
    code: ErrorCode,
    status = 0,
    body: Record<string, unknown> = {},
    retryAfter?: number,
  ) {
    super(message);
    this.code = code;
    this.status = status;
    this.body = body;
    this.retryAfter = retryAfter;
  }
}

/** Makes the error of a refused call. */
export async function errorOf(response: Response): Promise<PostriderError> {
  const { status, headers } = response;
  const text = await response.text().catch(() => "");
  let body: Record<string, unknown> = {};
  try {
    body = JSON.parse(text) ?? {};
  } catch {
    // a page of a proxy, or an answer that broke off: the status says enough
  }
  const wait = headers.get("Retry-After");
  const code =
    typeof body["code"] === "string"
      ? (body["code"] as RefusalCode) // a newer service may have others
      : (CODES[status] ?? "internal_error");
  const message = typeof body["error"] === "string" ? body["error"] : `status ${status}`;
  const seconds = wait !== null && /^\d+$/.test(wait) ? Number(wait) : undefined;
  return new PostriderError(message, code, status, body, seconds);
}
