import type { z, ZodType } from "zod";

const FORMS = new WeakMap<z.core.$ZodType, ZodType>();

/**
 * Attaches the input form of a field to a schema that JSON Schema cannot express. The OpenAPI
 * document shows the form.
 */
export function writtenAs<S extends ZodType>(schema: S, form: ZodType): S {
  FORMS.set(schema, form);
  return schema;
}

/** Returns the attached form of a schema, or of the schema that it refines. */
export function formOf(schema: z.core.$ZodType): ZodType | undefined {
  const form = FORMS.get(schema);
  const { parent } = schema._zod;
  return form ?? (parent && formOf(parent));
}
