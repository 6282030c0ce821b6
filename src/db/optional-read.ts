import type { Statement } from "./statement.ts";

const nothing = new WeakSet<Statement>();

/**
 * Returns the read of a value. Without a value it returns a statement that D1 never sees and that
 * finds no rows.
 */
export function optionalRead<Value, Read extends Statement>(
  value: Value | undefined,
  readOf: (value: Value) => Read,
): Read {
  if (value !== undefined) return readOf(value);
  const none = {} as Read; // only the type of its results is ever used
  nothing.add(none);
  return none;
}

/** Returns false for a statement that reads nothing. */
export const hasSql = (statement: Statement): boolean => !nothing.has(statement);
