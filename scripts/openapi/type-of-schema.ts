import type { Json } from "../../src/http/openapi/json-schema.ts";

const LINE = 90;

/** Returns the TypeScript type of a JSON Schema; a reference becomes the name of its schema. */
export function typeOf(schema: Json, indent = ""): string {
  const { $ref, anyOf, oneOf, enum: values, const: value, type } = schema;
  if (typeof $ref === "string") return $ref.slice($ref.lastIndexOf("/") + 1);
  const options = anyOf ?? oneOf;
  if (Array.isArray(options))
    return union(
      options.map((one: Json) => typeOf(one, indent)),
      indent,
    );
  if (Array.isArray(values))
    return union(
      values.map((one) => JSON.stringify(one)),
      indent,
    );
  if (value !== undefined) return JSON.stringify(value);
  if (Array.isArray(type))
    return union(
      type.map((one) => typeOf({ ...schema, type: one }, indent)),
      indent,
    );
  switch (type) {
    case "string":
    case "boolean":
    case "null":
      return type;
    case "integer":
    case "number":
      return "number";
    case "array":
      return `Array<${typeOf((schema["items"] ?? {}) as Json, indent)}>`;
    case "object":
      return objectType(schema, indent);
    default:
      return "unknown";
  }
}

function union(types: string[], indent: string): string {
  const all = [...new Set(types)];
  const line = all.join(" | ");
  const isShort = line.includes("\n") || line.length < LINE;
  return isShort ? line : all.map((one) => `\n${indent}  | ${one}`).join("");
}

function objectType(schema: Json, indent: string): string {
  const { properties, required = [], additionalProperties } = schema;
  if (properties === undefined) {
    const inner = typeof additionalProperties === "object" ? additionalProperties : {};
    return `Record<string, ${typeOf((inner ?? {}) as Json, indent)}>`;
  }
  const needed = new Set(required as string[]);
  const fields = Object.entries(properties as Record<string, Json>).map(([name, field]) => ({
    note: field["description"],
    text: `${keyOf(name)}${needed.has(name) ? "" : "?"}: ${typeOf(field, `${indent}  `)};`,
  }));
  return block(fields, indent);
}

/** Formats a name as an object key. */
export const keyOf = (name: string) => (/^\w+$/.test(name) ? name : JSON.stringify(name));

/** Formats fields between braces: on one line if they fit and none has a note. */
export function block(fields: { note?: unknown; text: string }[], indent = ""): string {
  if (fields.length === 0) return "{}";
  const line = `{ ${fields.map(({ text }) => text).join(" ")} }`;
  const isPlain = fields.every(({ note }) => typeof note !== "string");
  if (isPlain && line.length < LINE && !line.includes("\n")) return line;
  const lines = fields.flatMap(({ note, text }) => [
    ...(typeof note === "string" ? [`${indent}  /** ${note} */`] : []),
    `${indent}  ${text}`,
  ]);
  return `{\n${lines.join("\n")}\n${indent}}`;
}
