import { z, type ZodType } from "zod";
import { formOf } from "../route/written-as.ts";

/** A JSON Schema, or another object of the document. */
export type Json = Record<string, unknown>;

/** The named schemas of the document, which others refer to. */
export type NamedSchemas = Record<string, Json>;

const NAMED = "#/components/schemas/";

/**
 * Returns the JSON Schema of what clients write or read. Schemas with an id go into `named`, and a
 * reference stands in their place.
 */
export function jsonSchemaOf(schema: ZodType, named: NamedSchemas): Json {
  const { $schema: _dialect, $defs, ...json } = convert(schema, named);
  for (const [name, one] of Object.entries($defs ?? {})) named[name] = withoutId(rewired(one));
  return rewired(json);
}

function convert(schema: ZodType, named: NamedSchemas) {
  return z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any", // a form stands for such a schema; a test finds one without
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

/** Adds the default that zod leaves out because a transformation follows. */
function keepDefault(def: z.core.$ZodTypeDef, json: Json): void {
  if (def.type !== "default" || !("defaultValue" in def)) return;
  const value = def.defaultValue;
  if (typeof value === "string" || typeof value === "number") json["default"] = value;
}

/** Removes what says nothing: patterns of known formats, and the bounds of safe integers. */
function leaveOutNoise(json: Json): void {
  if (json["format"] === "uuid" || json["format"] === "date-time") delete json["pattern"];
  if (json["maximum"] === Number.MAX_SAFE_INTEGER) delete json["maximum"];
  if (json["minimum"] === Number.MIN_SAFE_INTEGER) delete json["minimum"];
}

function withoutId(json: Json): Json {
  delete json["id"];
  return json;
}

/**
 * Returns the schema with its references to definitions turned into references to named schemas.
 */
function rewired(json: Json): Json {
  // A conversion is JSON throughout.
  return JSON.parse(JSON.stringify(json).replaceAll('"#/$defs/', `"${NAMED}`)) as Json;
}
