import type { z } from "zod";
import { firstIssue } from "../../src/http/issues.ts";
import { UsageError } from "../command-line.ts";

/** Validates a value with the API's own schema. Throws UsageError with the API's message. */
export function readField<Value>(label: string, field: z.ZodType<Value>, value: unknown): Value {
  const read = field.safeParse(value);
  if (read.success) return read.data;
  throw new UsageError(`${label} ${firstIssue(read.error.issues)}`);
}
