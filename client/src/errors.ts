const CODES = {
  400: "bad_request",
  401: "unauthorized",
  402: "license_required",
  403: "forbidden",
  404: "not_found",
  405: "method_not_allowed",
  409: "conflict",
  412: "precondition_failed",
  413: "payload_too_large",
  422: "suppressed",
  429: "rate_limited",
  502: "mail_server_failed",
  503: "unavailable",
} as const;

/** The kind of an error; `network` is a request without a whole answer. */
export type ErrorCode =
  | (typeof CODES)[keyof typeof CODES]
  | "internal"
  | "network"
  | "invalid_webhook"
  | "invalid_call";

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
  const code = CODES[status as keyof typeof CODES] ?? "internal";
  const message = typeof body["error"] === "string" ? body["error"] : `status ${status}`;
  const seconds = wait !== null && /^\d+$/.test(wait) ? Number(wait) : undefined;
  return new PostriderError(message, code, status, body, seconds);
}
