import type { Json } from "../../src/http/openapi/json-schema.ts";

const HEAD = `# API routes

<!-- \`npm run openapi\` writes this page from the OpenAPI document. -->

Every route by tag, with who may call it, its parameters, its body and its answers. \`name*\` is
required, \`name?\` may be missing from an answer, and \`[…]\` is a list. Pages work as in API
reference §1.4, \`If-Match\` as in §10.5 and \`Idempotency-Key\` as in §11.3. The
[API reference](api-reference.md) says what the routes promise, and [openapi.json](openapi.json) has
the complete schemas. Every route can also answer with the statuses of API reference §3.2.`;

const JSON_TYPE = "application/json";
/** The depth to which objects list their fields. */
const MAX_DEPTH = 3;

/** The names of the security schemes for people. */
const CALLERS: Record<string, string> = {
  session: "session",
  projectKey: "`sk_` key",
  secretKey: "`sdk_` key",
  publicKey: "`pk_` key",
  ingestToken: "token in the URL",
};

interface Media {
  description?: string;
  content?: Record<string, { schema: Json }>;
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
    schema: Json;
  }[];
  requestBody?: Media;
  responses: Record<string, Media>;
}

/** Returns the page of the documentation that lists every route of a document. */
export function routesPage(document: Json): string {
  // The document is our own, and tests hold it to this form.
  const paths = document["paths"] as Record<string, Record<string, Operation>>;
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

/** Returns the form of a value: the names of fields, in brackets for objects and lists. */
function shapeOf(schema: Json, mark: "*" | "?", depth: number): string {
  const options = optionsOf(schema);
  if (options.length > 1) {
    const shapes = new Set(options.map((one) => shapeOf(one, mark, depth)));
    return [...shapes].filter((shape) => shape !== "").join(" or ");
  }
  const [only = schema] = options;
  if (only["items"] !== undefined) {
    const inner = shapeOf(only["items"] as Json, mark, depth);
    return `[${inner === "" ? "…" : inner}]`;
  }
  const fields = fieldsOf(only);
  if (fields.length === 0) return "";
  if (depth === 0) return "{…}";
  const required = new Set((only["required"] as string[] | undefined) ?? []);
  const names = fields.map(([name, field]) => {
    const isMarked = (mark === "*") === required.has(name);
    const inner = shapeOf(field, mark, depth - 1);
    return `${name}${isMarked ? mark : ""}${inner === "" ? "" : `: ${inner}`}`;
  });
  return `{${names.join(", ")}}`;
}

/** Returns the alternatives of a schema without null. */
function optionsOf(schema: Json): Json[] {
  const options = (schema["anyOf"] ?? schema["oneOf"]) as Json[] | undefined;
  return (options ?? [schema]).filter((one) => one["type"] !== "null");
}

const fieldsOf = (schema: Json): [string, Json][] =>
  Object.entries((schema["properties"] ?? {}) as Record<string, Json>);

/** Returns the descriptions of the fields, once for each name. */
function notesOf(schema: Json): string[] {
  const notes = new Map<string, string>();
  collectNotes(schema, notes);
  return [...notes].map(([name, note]) => `\`${name}\`: ${note}`);
}

function collectNotes(schema: Json, notes: Map<string, string>): void {
  for (const option of optionsOf(schema)) {
    if (option["items"] !== undefined) collectNotes(option["items"] as Json, notes);
    for (const [name, field] of fieldsOf(option)) {
      const { description } = field;
      if (typeof description === "string" && !notes.has(name)) notes.set(name, description);
      collectNotes(field, notes);
    }
  }
}

/** Returns the type of a parameter in words. */
function typeOf(schema: Json): string {
  const { enum: values, format, type, minimum, maximum, maxLength, default: value } = schema;
  const name = Array.isArray(values)
    ? values.map((one) => `\`${one}\``).join(", ")
    : String(format ?? type ?? "string");
  const bounds = [
    ...(minimum === undefined ? [] : [`from ${minimum}`]),
    ...(maximum === undefined ? [] : [`to ${maximum}`]),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(value === undefined ? [] : [`${value} by default`]),
  ];
  return [name, ...bounds].join(", ");
}
