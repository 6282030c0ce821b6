import { errorText } from "../lib/log-line.ts";

/** Returns true when a write failed because `column` ("users.email") must be unique. */
export function isUniqueViolation(error: unknown, column: string): boolean {
  return errorText(error).includes(`UNIQUE constraint failed: ${column}`);
}

/**
 * Returns true when a write failed because `column` must not be null. Guards inside a batch use
 * this to abort the whole batch.
 */
export function isNotNullViolation(error: unknown, column: string): boolean {
  return errorText(error).includes(`NOT NULL constraint failed: ${column}`);
}
