import type { z } from "zod";
import { firstIssue } from "../../src/http/issues.ts";
import { UsageError } from "../command-line.ts";

/** Reads a value by the rule of the API for it. Throws UsageError with the words of the API. */
export function readField<Value>(label: string, field: z.ZodType<Value>, value: unknown): Value {
  const read = field.safeParse(value);
  if (read.success) return read.data;
  throw new UsageError(`${label} ${firstIssue(read.error.issues)}`);
}
