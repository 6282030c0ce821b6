import type { RefusalCode } from "./types.ts";

/** Codes, by status, of error responses that do not come from the service itself. */
const CODES: Partial<Record<number, ErrorCode>> = {
  401: "unauthorized",
  403: "forbidden",
  404: "not_found",
  413: "payload_too_large",
  429: "rate_limited",
  503: "unavailable",
};

/**
 * Code of an error: the service's, or one of the client's own. `network` means that no complete
 * response arrived; `unauthorized`, `forbidden` and `unavailable` are responses from an
 * intermediary, such as a proxy.
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
  /** HTTP status; 0 if there was no response. */
  readonly status: number;
  /** The complete response body, for example with `details`. */
  readonly body: Record<string, unknown>;
  /** Seconds to wait before a retry, if the service requested it. */
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

/** Converts an error response. */
export async function errorOf(response: Response): Promise<PostriderError> {
  const { status, headers } = response;
  const text = await response.text().catch(() => "");
  let body: Record<string, unknown> = {};
  try {
    body = JSON.parse(text) ?? {};
  } catch {
    // a proxy's page, or a truncated response: the status is sufficient
  }
  const wait = headers.get("Retry-After");
  const code =
    typeof body["code"] === "string"
      ? (body["code"] as RefusalCode) // a newer service may have codes unknown to this client
      : (CODES[status] ?? "internal_error");
  const message = typeof body["error"] === "string" ? body["error"] : `status ${status}`;
  const seconds = wait !== null && /^\d+$/.test(wait) ? Number(wait) : undefined;
  return new PostriderError(message, code, status, body, seconds);
}
