import {
  fillText,
  messageOf,
  type Message,
  type Params,
  type ParamsFor,
} from "./messages/message.ts";
import { REFUSALS, type RefusalCode } from "./messages/refusals.ts";

/** A fault of one field of a request. */
export interface FieldFault extends Message {
  /** The place of the field, such as `events.2`. */
  path: string;
}

/** Extra facts that a refusal carries to the caller. */
export interface ErrorDetails {
  /** Every fault of the request. */
  details?: FieldFault[];
  /** The methods that the path supports, as the `Allow` header lists them. */
  allow?: string;
  retryAfterSeconds?: number;
  /** Further fields next to `error`. */
  fields?: Record<string, unknown>;
}

/** A refusal whose message the caller may read. Any other thrown value is a fault of ours (500). */
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

/** Makes a refusal of the catalogue. */
export function refusal<Code extends RefusalCode>(
  code: Code,
  params: ParamsFor<TextOf<Code>>,
  details: ErrorDetails = {},
): AppError {
  return new AppError(code, fillText(REFUSALS[code].text, params), details, params);
}

/** Makes the refusal of a request for a fault of one field. */
export const invalidField = (path: string, fault: Message): AppError =>
  new AppError("invalid_request", `${path}: ${fault.message}`, { details: [{ path, ...fault }] });

/** Returns what a refusal says, as a part of another message. Of several faults, it is the first. */
export function reasonOf({ code, params, message, details: { details } }: AppError): Message {
  const [fault] = details ?? [];
  if (!fault) return messageOf(code, params, message);
  const { path, ...reason } = fault;
  return path === "" ? reason : messageOf(code, { path, reason }, message);
}

/** Makes the refusal of a field whose content another refusal is about. */
export const inField = (path: string, error: AppError): AppError =>
  invalidField(path, reasonOf(error));

/** Returns a refusal as the body of an answer has it, without its status. */
export function bodyOf(error: AppError): ErrorBody {
  const { code, params, message, details } = error;
  const told = Object.keys(params).length === 0 ? undefined : params;
  return { error: message, code, params: told, details: details.details, ...details.fields };
}

/** The body of a refusal; JSON leaves out what is undefined. */
interface ErrorBody {
  error: string;
  code: RefusalCode;
  params: Params | undefined;
  details: FieldFault[] | undefined;
  [field: string]: unknown;
}

export const notFound = (what: string) => refusal("not_found", { what });
/** Returns the refusal to change a thing that is no longer in an expected state. */
export const changedMeanwhile = (what: string) => refusal("precondition_failed", { what });
