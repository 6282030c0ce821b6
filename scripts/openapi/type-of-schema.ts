import type { Json } from "../../src/http/openapi/json-schema.ts";

/** Returns the TypeScript type of a JSON Schema. */
export function typeOf(schema: Json, document: Json): string {
  const { $ref, anyOf, oneOf, enum: values, const: value, type } = schema;
  if (typeof $ref === "string") return typeOf(resolve($ref, document), document);
  const options = anyOf ?? oneOf;
  if (Array.isArray(options)) return union(options.map((one: Json) => typeOf(one, document)));
  if (Array.isArray(values)) return union(values.map((one) => JSON.stringify(one)));
  if (value !== undefined) return JSON.stringify(value);
  if (Array.isArray(type))
    return union(type.map((one) => typeOf({ ...schema, type: one }, document)));
  switch (type) {
    case "string":
    case "boolean":
    case "null":
      return type;
    case "integer":
    case "number":
      return "number";
    case "array":
      return `Array<${typeOf((schema["items"] ?? {}) as Json, document)}>`;
    case "object":
      return objectType(schema, document);
    default:
      return "unknown";
  }
}

const union = (types: string[]) => [...new Set(types)].join(" | ");

function resolve(ref: string, document: Json): Json {
  const words = ref.replace(/^#\//, "").split("/");
  return words.reduce<Json>((place, word) => (place[word] ?? {}) as Json, document);
}

function objectType(schema: Json, document: Json): string {
  const { properties, required = [], additionalProperties } = schema;
  if (properties === undefined) {
    const inner = typeof additionalProperties === "object" ? additionalProperties : {};
    return `Record<string, ${typeOf((inner ?? {}) as Json, document)}>`;
  }
  const needed = new Set(required as string[]);
  const fields = Object.entries(properties as Record<string, Json>).map(([name, field]) => {
    const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
    return `${key}${needed.has(name) ? "" : "?"}: ${typeOf(field, document)};`;
  });
  return fields.length === 0 ? "{}" : `{ ${fields.join(" ")} }`;
}
