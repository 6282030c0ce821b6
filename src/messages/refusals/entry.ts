/** The statuses of refusals (API reference §3.2). */
export type RefusalStatus =
  | 400
  | 401
  | 402
  | 403
  | 404
  | 405
  | 409
  | 412
  | 413
  | 422
  | 429
  | 500
  | 502
  | 503;

/** A refusal in the catalogue. `remedy` says what the caller can do about it. */
export interface Refusal<Text extends string = string> {
  status: RefusalStatus;
  text: Text;
  remedy: string;
}

export const entry = <Text extends string>(
  status: RefusalStatus,
  text: Text,
  remedy: string,
): Refusal<Text> => ({ status, text, remedy });
