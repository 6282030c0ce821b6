import { readOperations, type ReadOperation } from "./read-operations.ts";
import { typeOf } from "./type-of-schema.ts";
import type { Json } from "../../src/http/openapi/json-schema.ts";

const NOTE = "// `npm run openapi` writes this file from the routes.";

/** Returns the text of the client's files by path, made from the OpenAPI document. */
export function clientFiles(document: Json): Record<string, string> {
  const operations = readOperations(document);
  return {
    "client/src/operations.ts": tableOf(operations),
    "client/src/types.ts": typesOf(operations, document),
  };
}

/** Writes the method and path of each call; `!` marks those that take an `Idempotency-Key`. */
function tableOf(operations: ReadOperation[]): string {
  const lines = operations.map(({ name, method, path, takesIdempotencyKey }) => {
    const short = path.startsWith("/api/v1/") ? path.slice("/api/v1/".length) : path;
    return `  "${name}": "${method}${takesIdempotencyKey ? "!" : ""} ${short}",`;
  });
  return `${NOTE}\nexport const OPERATIONS: Record<string, string> = {\n${lines.join("\n")}\n};\n`;
}

const REFUSAL_CODE = "#/components/schemas/RefusalCode";

type Tree = Map<string, Tree | ReadOperation>;

function typesOf(operations: ReadOperation[], document: Json): string {
  const tree: Tree = new Map();
  for (const operation of operations) {
    const words = operation.name.split(".");
    const last = words.pop() ?? "";
    let place = tree;
    for (const word of words) {
      const next = place.get(word) ?? new Map();
      if (!(next instanceof Map)) throw new Error(`${operation.name} is a call and a group`);
      place.set(word, next);
      place = next;
    }
    place.set(last, operation);
  }
  const imports = 'import type { Call, PagedCall } from "./calls.ts";';
  const head =
    "/** The calls of the service, as in its OpenAPI document. */\nexport interface Client";
  const codes = typeOf({ $ref: REFUSAL_CODE }, document);
  const refusals = `/** The codes of refusals. */\nexport type RefusalCode = ${codes};`;
  return `${NOTE}\n${imports}\n\n${refusals}\n\n${head} ${fieldsOf(tree, document, "")}\n`;
}

function fieldsOf(tree: Tree, document: Json, indent: string): string {
  const inner = `${indent}  `;
  const lines = [...tree].flatMap(([name, node]) =>
    node instanceof Map
      ? [`${inner}${name}: ${fieldsOf(node, document, inner)};`]
      : [`${inner}/** ${node.summary}. */`, `${inner}${name}: ${callOf(node, document)};`],
  );
  return `{\n${lines.join("\n")}\n${indent}}`;
}

function callOf({ name, parameters, body, answers }: ReadOperation, document: Json): string {
  const args = [
    ...parameters.map(({ name: field, required, schema }) => {
      const type = typeOf(schema, document);
      return `${quoted(field)}${required ? "" : "?"}: ${type};`;
    }),
    ...(body ? [`body${body.required ? "" : "?"}: ${typeOf(body.schema, document)};`] : []),
  ];
  const isKeyed = name.startsWith("keyed.");
  const all = answers.map((schema) => {
    if (schema === undefined) return "undefined";
    const type = typeOf(schema, document);
    return isKeyed ? `(${type})["data"]` : type;
  });
  const answer = [...new Set(all)].join(" | ");
  const given = args.length === 0 ? "{}" : `{ ${args.join(" ")} }`;
  const entry = entryOf(parameters, answers, document);
  return entry === undefined
    ? `Call<${given}, ${answer}>`
    : `PagedCall<${given}, ${answer}, ${entry}>`;
}

const quoted = (name: string) => (/^\w+$/.test(name) ? name : JSON.stringify(name));

/** Returns the type of a list's entries, for a list that is read by cursor. */
function entryOf(
  parameters: ReadOperation["parameters"],
  [answer]: ReadOperation["answers"],
  document: Json,
): string | undefined {
  if (!answer || !parameters.some(({ name }) => name === "after")) return undefined;
  const listIn = (schema: Json): Json | undefined =>
    Object.values((schema["properties"] ?? {}) as Record<string, Json>)
      .map((field) => (field["type"] === "array" ? (field["items"] as Json) : listIn(field)))
      .find((items) => items !== undefined);
  const items = listIn(answer);
  if (!items) throw new Error("a list by cursor has no entries");
  return typeOf(items, document);
}
