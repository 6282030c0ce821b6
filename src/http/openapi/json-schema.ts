import { z, type ZodType } from "zod";
import { formOf } from "../route/written-as.ts";

/** A JSON Schema, or another object of the document. */
export type Json = Record<string, unknown>;

/** The document's named schemas, which others reference. */
export type NamedSchemas = Record<string, Json>;

const NAMED = "#/components/schemas/";

/** Returns the name of the schema to which a reference leads. */
export const refOf = (ref: string) => ref.slice(NAMED.length);

/**
 * Returns the JSON Schema of what clients write or read. A schema with an id goes into `named` and
 * is replaced by a reference.
 */
export function jsonSchemaOf(schema: ZodType, named: NamedSchemas): Json {
  const { $schema: _dialect, $defs, ...json } = convert(schema, named);
  for (const [name, one] of Object.entries($defs ?? {})) named[name] = withoutId(rewired(one));
  return rewired(json);
}

function convert(schema: ZodType, named: NamedSchemas) {
  return z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any", // these schemas have a form instead; a test fails if one is missing
    override: ({ zodSchema, jsonSchema }) => {
      const form = formOf(zodSchema);
      if (form) replace(jsonSchema, jsonSchemaOf(form, named));
      keepDefault(zodSchema._zod.def, jsonSchema);
      leaveOutNoise(jsonSchema);
    },
  });
}

function replace(json: Json, other: Json): void {
  for (const key of Object.keys(json)) delete json[key];
  Object.assign(json, other);
}

/** Restores a default that zod drops before a transform. */
function keepDefault(def: z.core.$ZodTypeDef, json: Json): void {
  if (def.type !== "default" || !("defaultValue" in def)) return;
  const value = def.defaultValue;
  if (typeof value === "string" || typeof value === "number") json["default"] = value;
}

/** Removes redundant keywords: patterns of known formats, and the bounds of safe integers. */
function leaveOutNoise(json: Json): void {
  if (json["format"] === "uuid" || json["format"] === "date-time") delete json["pattern"];
  if (json["maximum"] === Number.MAX_SAFE_INTEGER) delete json["maximum"];
  if (json["minimum"] === Number.MIN_SAFE_INTEGER) delete json["minimum"];
}

function withoutId(json: Json): Json {
  delete json["id"];
  return json;
}

/** Turns references to definitions into references to named schemas. */
function rewired(json: Json): Json {
  // A converted schema is pure JSON.
  return JSON.parse(JSON.stringify(json).replaceAll('"#/$defs/', `"${NAMED}`)) as Json;
}
