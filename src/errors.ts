/**
 * The ways in which this service refuses a request; http/render-errors.ts maps each to a status.
 */
export type ErrorCode =
  | "bad_request"
  | "unauthorized"
  | "license_required"
  | "forbidden"
  | "not_found"
  | "method_not_allowed"
  | "conflict"
  | "precondition_failed"
  | "payload_too_large"
  | "suppressed"
  | "rate_limited"
  | "smtp_failed"
  | "mailbox_failed"
  | "unavailable";

/** A value that JSON can hold; a field that is undefined is left out. */
export type JsonValue =
  | string
  | number
  | boolean
  | JsonValue[]
  | { [field: string]: JsonValue | undefined };

/** Extra facts that a refusal carries to the caller. */
export interface ErrorDetails {
  /** Every fault of the request, when there is more than one. */
  details?: { path: string; message: string }[];
  /** The methods that the path supports, as the `Allow` header lists them. */
  allow?: string;
  retryAfterSeconds?: number;
  /** Further fields next to `error`. */
  fields?: Record<string, JsonValue | undefined>;
}

/** A refusal whose message the caller may read. Any other thrown value is a fault of ours (500). */
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
/** Returns the refusal to change a thing that is no longer in an expected state. */
export const changedMeanwhile = (what: string) =>
  new AppError("precondition_failed", `the ${what} has changed: its ETag is another one`);
export const conflict = (message: string, details: ErrorDetails = {}) =>
  new AppError("conflict", message, details);
