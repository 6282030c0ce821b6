import type { Json } from "../../src/http/openapi/json-schema.ts";

const HEAD = `# API routes

<!-- \`npm run openapi\` writes this page from the OpenAPI document. -->

Every route by tag, with who may call it, its parameters, its body and its answers. \`name*\` is
required, \`name?\` may be missing from an answer, and \`[…]\` is a list. Pages work as in API
reference §1.4, \`If-Match\` as in §10.5 and \`Idempotency-Key\` as in §11.3. The
[API reference](api-reference.md) says what the routes promise, and [openapi.json](openapi.json) has
the complete schemas. Every route can also answer with the statuses of API reference §3.2.`;

const JSON_TYPE = "application/json";
/** Maximum depth to which fields are listed. */
const MAX_DEPTH = 3;

/** Display names of the security schemes. */
const CALLERS: Record<string, string> = {
  session: "session",
  accessToken: "`pat_` token",
  projectKey: "`sk_` key",
  secretKey: "`sdk_` key",
  publicKey: "`pk_` key",
  ingestToken: "token in the URL",
};

/** The parts of a JSON Schema that the page shows. */
interface Schema {
  type?: string;
  format?: string;
  description?: string;
  enum?: string[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  maxItems?: number;
}

interface Media {
  description?: string;
  content?: Record<string, { schema: Schema }>;
}

interface Operation {
  summary: string;
  description?: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters?: {
    name: string;
    in: string;
    required?: boolean;
    description?: string;
    schema: Schema;
  }[];
  requestBody?: Media;
  responses: Record<string, Media>;
}

/** Returns the documentation page that lists every route of a document. */
export function routesPage(document: Json): string {
  // The document is generated here, and tests verify this structure.
  const paths = expanded(document["paths"], document) as Record<string, Record<string, Operation>>;
  const byTag = new Map<string, string[]>();
  for (const [path, methods] of Object.entries(paths))
    for (const [method, operation] of Object.entries(methods)) {
      const [tag = ""] = operation.tags;
      const entries = byTag.get(tag) ?? [];
      byTag.set(tag, [...entries, entryOf(`${method.toUpperCase()} ${path}`, operation)]);
    }
  const sections = [...byTag].map(([tag, entries]) => `## ${tag}\n\n${entries.join("\n\n")}`);
  return `${HEAD}\n\n${sections.join("\n\n")}\n`;
}

/** Returns a part of the document with references to named objects resolved. */
function expanded(part: unknown, document: Json): unknown {
  if (Array.isArray(part)) return part.map((one) => expanded(one, document));
  if (typeof part !== "object" || part === null) return part;
  const { schemas } = document["components"] as { schemas: Record<string, Json> };
  const name = "$ref" in part ? String(part.$ref).replace("#/components/schemas/", "") : "";
  const whole = schemas[name]?.["properties"] === undefined ? part : schemas[name];
  if (whole !== part) return expanded(whole, document);
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [key, expanded(value, document)]),
  );
}

function entryOf(call: string, operation: Operation): string {
  const { summary, description, parameters = [], requestBody, responses } = operation;
  const rules = [callersOf(operation), ...(description ? [description] : [])].join(" ");
  const given = parameters.filter((one) => one.in !== "path");
  const answers = Object.entries(responses).filter(([status]) => /^[23]/.test(status));
  const lines = [
    ...namesOf("pages", given.filter(isOfPages)),
    ...namesOf(
      "headers",
      given.filter((one) => one.in === "header"),
    ),
    ...given
      .filter((one) => one.in === "query" && !isOfPages(one))
      .map((one) => `- ${parameterOf(one)}`),
    ...(requestBody === undefined ? [] : [`- body: ${contentOf(requestBody, "*")}`]),
    ...notesOf(requestBody?.content?.[JSON_TYPE]?.schema ?? {}).map((note) => `  - ${note}`),
    ...answers.flatMap(([status, answer]) => [
      `- ${status}: ${contentOf(answer, "?")}`,
      ...notesOf(answer.content?.[JSON_TYPE]?.schema ?? {}).map((note) => `  - ${note}`),
    ]),
  ];
  return `### \`${call}\`\n\n${summary}. ${rules}\n\n${lines.join("\n")}`;
}

type Parameter = NonNullable<Operation["parameters"]>[number];

const isOfPages = ({ name }: Parameter) => /^(?:limit|offset|after)$/.test(name);

const namesOf = (what: string, parameters: Parameter[]): string[] =>
  parameters.length === 0
    ? []
    : [`- ${what}: ${parameters.map(({ name }) => `\`${name}\``).join(", ")}`];

function callersOf({ security }: Operation): string {
  const callers = security.flatMap((one) => Object.keys(one)).map((name) => CALLERS[name] ?? name);
  return callers.length === 0 ? "Public." : `Caller: ${callers.join(" or ")}.`;
}

function parameterOf(one: Parameter): string {
  const name = `\`${one.name}${one.required ? "*" : ""}\``;
  return `${one.in} ${name}: ${typeOf(one.schema)}${one.description ? `. ${one.description}` : ""}`;
}

function contentOf({ description = "", content = {} }: Media, mark: "*" | "?"): string {
  const { [JSON_TYPE]: json, ...others } = content;
  const types = Object.keys(others).map((type) => `\`${type}\``);
  const shape = json === undefined ? "" : shapeOf(json.schema, mark, MAX_DEPTH);
  const all = [...(shape === "" ? [] : [`\`${shape}\``]), ...types];
  if (all.length === 0) return description.replace(/^The call succeeded; /, "");
  return all.join(", or ");
}

/** Returns the shape of a value: field names, in brackets for objects and lists. */
function shapeOf(schema: Schema, mark: "*" | "?", depth: number): string {
  const options = optionsOf(schema);
  if (options.length > 1) {
    const shapes = new Set(options.map((one) => shapeOf(one, mark, depth)));
    return [...shapes].filter((shape) => shape !== "").join(" or ");
  }
  const [only = schema] = options;
  if (only.items !== undefined) {
    const inner = shapeOf(only.items, mark, depth);
    return `[${inner === "" ? "…" : inner}]`;
  }
  const fields = fieldsOf(only);
  if (fields.length === 0) return "";
  if (depth === 0) return "{…}";
  const required = new Set(only.required);
  const names = fields.map(([name, field]) => {
    const isMarked = (mark === "*") === required.has(name);
    const inner = shapeOf(field, mark, depth - 1);
    return `${name}${isMarked ? mark : ""}${inner === "" ? "" : `: ${inner}`}`;
  });
  return `{${names.join(", ")}}`;
}

/** Returns the alternatives of a schema, except null. */
function optionsOf(schema: Schema): Schema[] {
  const options = schema.anyOf ?? schema.oneOf ?? [schema];
  return options.filter(({ type }) => type !== "null");
}

const fieldsOf = ({ properties = {} }: Schema) => Object.entries(properties);

/** Returns the constraints and descriptions of fields, once per name. */
function notesOf(schema: Schema): string[] {
  const notes = new Map<string, string>();
  collectNotes(schema, notes);
  return [...notes].map(([name, note]) => `\`${name}\`: ${note}`);
}

function collectNotes(schema: Schema, notes: Map<string, string>): void {
  for (const option of optionsOf(schema)) {
    if (option.items !== undefined) collectNotes(option.items, notes);
    for (const [name, field] of fieldsOf(option)) {
      const note = noteOf(field);
      if (note !== "" && !notes.has(name)) notes.set(name, note);
      collectNotes(field, notes);
    }
  }
}

/** Returns the values, bounds and description of a field; empty if there are none. */
function noteOf(field: Schema): string {
  const [only = field] = optionsOf(field);
  const type = typeOf(only);
  const description = field.description ?? only.description ?? "";
  const parts = [
    ...(/[`,]/.test(type) ? [type] : []),
    ...(description === "" ? [] : [description]),
  ];
  return parts.join(". ");
}

/** Returns a readable type of a parameter. */
function typeOf(schema: Schema): string {
  const { minimum = 0, maximum, maxLength, maxItems, default: value } = schema;
  const values = schema.enum?.map((one) => `\`${one}\``).join(", ");
  return [
    values ?? schema.format ?? schema.type ?? "string",
    ...(minimum === 0 ? [] : [`from ${minimum}`]),
    ...(maximum === undefined ? [] : [`to ${maximum}`]),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(maxItems === undefined ? [] : [`at most ${maxItems}`]),
    ...(typeof value === "number" || value === true || value === false
      ? [`${String(value)} by default`]
      : []),
  ].join(", ");
}
