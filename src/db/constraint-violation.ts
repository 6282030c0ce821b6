import { errorText } from "../lib/log-line.ts";

/** Returns true if a write violated the unique constraint of `column` ("users.email"). */
export function isUniqueViolation(error: unknown, column: string): boolean {
  return errorText(error).includes(`UNIQUE constraint failed: ${column}`);
}

/**
 * Returns true if a write violated the NOT NULL constraint of `column`. Guards inside a batch use
 * this to abort the whole batch.
 */
export function isNotNullViolation(error: unknown, column: string): boolean {
  return errorText(error).includes(`NOT NULL constraint failed: ${column}`);
}
