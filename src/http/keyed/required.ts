import { z, type ZodType } from "zod";

/**
 * A schema whose object must have these fields, said in the words of the API reference ("Key-based
 * API"); of `a or b` one is enough.
 */
export function requiring<Output>(fields: string[], schema: ZodType<Output>) {
  return z
    .unknown()
    .superRefine((body, context) => {
      const message = faultOf(body, fields);
      if (message !== undefined) context.addIssue({ code: "custom", message });
    })
    .pipe(schema);
}

function faultOf(body: unknown, fields: string[]): string | undefined {
  if (typeof body !== "object" || body === null || Array.isArray(body))
    return "the body must be a JSON object";
  const given = new Map(Object.entries(body));
  const isMissing = (name: string) => (given.get(name) ?? "") === "";
  const missing = fields.find((names) => names.split(" or ").every(isMissing));
  return missing === undefined ? undefined : `missing required field: ${missing}`;
}
