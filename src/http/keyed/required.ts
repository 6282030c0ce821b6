import { z, type ZodType } from "zod";
import { writtenAs } from "../route/written-as.ts";
import { fault } from "../fault.ts";

/**
 * Returns a schema whose object must have these fields, with the error of API reference §17. Either
 * side of `a or b` is enough, and "" counts as omitted.
 */
export function requiring<Output>(fields: string[], schema: ZodType<Output>) {
  const checked = z
    .unknown()
    .transform((body, context) => {
      const refuse = (message: string) => {
        context.addIssue({ code: "custom", message });
        return z.NEVER;
      };
      if (typeof body !== "object" || body === null || Array.isArray(body))
        return refuse(fault("body_type", { expected: "a JSON object" }));
      const names = new Set(fields.flatMap(alternatives));
      const given = Object.entries(body).filter(
        ([name, value]) => !names.has(name) || value !== "",
      );
      const present = new Set(given.map(([name]) => name));
      const missing = fields.filter(
        (field) => !alternatives(field).some((name) => present.has(name)),
      );
      for (const field of missing) refuse(fault("missing_field", { field }));
      if (missing.length > 0) return z.NEVER;
      const named: unknown = Object.fromEntries(given);
      return named;
    })
    .pipe(schema);
  const choices = fields.filter((field) => alternatives(field).length > 1);
  const allOf = choices.map((field) => ({
    anyOf: alternatives(field).map((name) => ({ required: [name] })),
  }));
  return writtenAs(checked, allOf.length === 0 ? schema : schema.meta({ allOf }));
}

const alternatives = (field: string) => field.split(" or ");
