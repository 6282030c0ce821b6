/** Every way this service refuses a request; doors turn a code into a status (http/render-errors.ts). */
export type ErrorCode =
  | "bad_request"
  | "unauthorized"
  | "license_required"
  | "forbidden"
  | "not_found"
  | "method_not_allowed"
  | "conflict"
  | "payload_too_large"
  | "suppressed"
  | "rate_limited"
  | "smtp_failed"
  | "mailbox_failed"
  | "unavailable";

/** Extra facts that a refusal carries to the caller. */
export interface ErrorDetails {
  /** Everything that is wrong with the request, where that is more than one thing. */
  details?: { path: string; message: string }[];
  /** The methods that the path can be called with, as the `Allow` header lists them. */
  allow?: string;
  retryAfterSeconds?: number;
  /** Fields beside `error`. */
  fields?: Record<string, string | number | boolean>;
}

/** A refusal with words for the caller. Anything else that is thrown is a fault of ours (500). */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message);
    this.name = "AppError";
    this.code = code;
    this.details = details;
  }
}

export const badRequest = (message: string) => new AppError("bad_request", message);
export const notFound = (what: string) => new AppError("not_found", `${what} not found`);
export const forbidden = (message: string) => new AppError("forbidden", message);
export const unauthorized = (message: string) => new AppError("unauthorized", message);
export const conflict = (message: string, details: ErrorDetails = {}) =>
  new AppError("conflict", message, details);
