import { errorText } from "../lib/log-line.ts";

/** Tells whether a write failed because `column` ("users.email") would no longer be unique. */
export function isUniqueViolation(error: unknown, column: string): boolean {
  return errorText(error).includes(`UNIQUE constraint failed: ${column}`);
}

/** Tells whether a write failed because `column` would be null; guards inside a batch use it to stop it whole. */
export function isNotNullViolation(error: unknown, column: string): boolean {
  return errorText(error).includes(`NOT NULL constraint failed: ${column}`);
}
