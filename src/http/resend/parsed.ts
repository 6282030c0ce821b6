import type { z } from "zod";
import { refusalOfIssues } from "../issues.ts";

/** Returns a value as its schema reads it. Throws the refusal of its faults. */
export function parsed<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const read = schema.safeParse(given);
  if (!read.success) throw refusalOfIssues(read.error.issues);
  return read.data;
}
