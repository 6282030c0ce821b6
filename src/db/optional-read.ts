import type { Statement } from "./statement.ts";

const nothing = new WeakSet<Statement>();

/**
 * Returns the read of a value, or without a value a statement that never reaches D1 and yields no
 * rows.
 */
export function optionalRead<Value, Read extends Statement>(
  value: Value | undefined,
  readOf: (value: Value) => Read,
): Read {
  if (value !== undefined) return readOf(value);
  const none = {} as Read; // used only for the type of its results
  nothing.add(none);
  return none;
}

/** Returns false for a statement that never reaches D1. */
export const hasSql = (statement: Statement): boolean => !nothing.has(statement);
