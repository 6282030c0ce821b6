import {
  fillText,
  messageOf,
  type Message,
  type Params,
  type ParamsFor,
} from "./messages/message.ts";
import { REFUSALS, type RefusalCode } from "./messages/refusals.ts";

/** An invalid field of a request. */
export interface FieldFault extends Message {
  /** Path of the field, such as `events.2`. */
  path: string;
}

/** Additional details of an error response. */
export interface ErrorDetails {
  /** All invalid fields of the request. */
  details?: FieldFault[];
  /** Methods that the path supports, for the `Allow` header. */
  allow?: string;
  retryAfterSeconds?: number;
  /** Additional fields next to `error`. */
  fields?: Record<string, unknown>;
}

/**
 * An error whose message is safe to return to the caller. Any other thrown value is an internal
 * error (500).
 */
export class AppError extends Error {
  readonly code: RefusalCode;
  readonly params: Params;
  readonly details: ErrorDetails;

  constructor(code: RefusalCode, message: string, details: ErrorDetails = {}, params: Params = {}) {
    super(message);
    this.name = "AppError";
    this.code = code;
    this.params = params;
    this.details = details;
  }

  get status() {
    return REFUSALS[this.code].status;
  }
}

type TextOf<Code extends RefusalCode> = (typeof REFUSALS)[Code]["text"];

/** Creates an error from the catalog (messages/). */
export function refusal<Code extends RefusalCode>(
  code: Code,
  params: ParamsFor<TextOf<Code>>,
  details: ErrorDetails = {},
): AppError {
  return new AppError(code, fillText(REFUSALS[code].text, params), details, params);
}

/** Creates the error for one invalid field. */
export const invalidField = (path: string, fault: Message): AppError =>
  new AppError("invalid_request", `${path}: ${fault.message}`, { details: [{ path, ...fault }] });

/**
 * Returns the message of an error for use inside another message: the first field fault, if any.
 */
export function reasonOf({ code, params, message, details: { details } }: AppError): Message {
  const [fault] = details ?? [];
  if (!fault) return messageOf(code, params, message);
  const { path, ...reason } = fault;
  return path === "" ? reason : messageOf(code, { path, reason }, message);
}

/** Wraps an error about the content of a field into an error for that field. */
export const inField = (path: string, error: AppError): AppError =>
  invalidField(path, reasonOf(error));

/** Returns the response body of an error, without its status. */
export function bodyOf(error: AppError): ErrorBody {
  const { code, params, message, details } = error;
  const told = Object.keys(params).length === 0 ? undefined : params;
  return { error: message, code, params: told, details: details.details, ...details.fields };
}

/** Response body of an error; JSON omits undefined fields. */
interface ErrorBody {
  error: string;
  code: RefusalCode;
  params: Params | undefined;
  details: FieldFault[] | undefined;
  [field: string]: unknown;
}

export const notFound = (what: string) => refusal("not_found", { what });
/** Returns the error for changing a resource that is no longer in the expected state. */
export const changedMeanwhile = (what: string) => refusal("precondition_failed", { what });
