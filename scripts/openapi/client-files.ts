import { readOperations, type ReadOperation } from "./read-operations.ts";
import { block, keyOf, typeOf } from "./type-of-schema.ts";
import type { Json } from "../../src/http/openapi/json-schema.ts";

const NOTE = "// `npm run openapi` writes this file from the routes.";

/** Generates the client's files, as text by path, from the OpenAPI document. */
export function clientFiles(document: Json): Record<string, string> {
  const operations = readOperations(document);
  return {
    "client/src/operations.ts": tableOf(operations),
    "client/src/types.ts": typesOf(operations, document),
  };
}

/** Generates the method and path of each call; `!` marks those that support `Idempotency-Key`. */
function tableOf(operations: ReadOperation[]): string {
  const lines = operations.map(({ name, method, path, takesIdempotencyKey }) => {
    const short = path.startsWith("/api/v1/") ? path.slice("/api/v1/".length) : path;
    return `  "${name}": "${method}${takesIdempotencyKey ? "!" : ""} ${short}",`;
  });
  return `${NOTE}\nexport const OPERATIONS: Record<string, string> = {\n${lines.join("\n")}\n};\n`;
}

type Tree = Map<string, Tree | ReadOperation>;

/** The interfaces of calls, with the credentials that a call in them takes. */
const INTERFACES = [
  { name: "PublicCalls", about: "Calls without a credential.", credentials: "" },
  {
    name: "ProjectCalls",
    about: "Calls with a project key (`sk_`), an access token (`pat_`) or a session.",
    credentials: "session accessToken projectKey",
  },
  {
    name: "PersonCalls",
    about: "Calls with an access token (`pat_`) or a session.",
    credentials: "session accessToken",
  },
  { name: "SessionCalls", about: "Calls with a session.", credentials: "session" },
  {
    name: "KeyedCalls",
    about: "Calls with a secret key (`sdk_`); `join` also takes a public key (`pk_`).",
    credentials: "secretKey",
  },
];

/** The clients by their credential. */
const CLIENTS = `/** The calls of a key. */
export type KeyClient = PublicCalls & ProjectCalls & KeyedCalls;

/** The calls of an access token. */
export type TokenClient = PublicCalls & ProjectCalls & PersonCalls;

/** The calls of a session. */
export type Client = TokenClient & SessionCalls;`;

function typesOf(operations: ReadOperation[], document: Json): string {
  const { schemas } = document["components"] as { schemas: Record<string, Json> };
  const named = Object.entries(schemas).map(
    ([name, schema]) => `export type ${name} = ${typeOf(schema)};`,
  );
  const imports = 'import type { Call, PagedCall } from "./calls.ts";';
  const interfaces = INTERFACES.map(({ name, about, credentials }) => {
    const calls = operations.filter(
      (one) => one.credentials.filter((kind) => kind !== "publicKey").join(" ") === credentials,
    );
    return `/** ${about} */\nexport interface ${name} ${fieldsOf(treeOf(calls), schemas, "")}`;
  });
  return `${[NOTE, imports, ...named, ...interfaces, CLIENTS].join("\n\n")}\n`;
}

/** Returns the calls by the words of their names. */
function treeOf(operations: ReadOperation[]): Tree {
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
  return tree;
}

type Schemas = Record<string, Json>;

function fieldsOf(tree: Tree, schemas: Schemas, indent: string): string {
  const inner = `${indent}  `;
  const lines = [...tree].flatMap(([name, node]) =>
    node instanceof Map
      ? [`${inner}${name}: ${fieldsOf(node, schemas, inner)};`]
      : [`${inner}/** ${node.summary}. */`, `${inner}${name}: ${callOf(node, schemas, inner)};`],
  );
  return `{\n${lines.join("\n")}\n${indent}}`;
}

function callOf(operation: ReadOperation, schemas: Schemas, indent: string): string {
  const { parameters, body, answers } = operation;
  const inner = `${indent}  `;
  const args = [
    ...parameters.map(({ name, required, schema }) => ({ name, required, schema })),
    ...(body ? [{ name: "body", ...body }] : []),
  ].map(({ name, required, schema }) => ({
    text: `${keyOf(name)}${required ? "" : "?"}: ${typeOf(schema, inner)};`,
  }));
  const all = answers.map((schema) => (schema ? typeOf(schema, indent) : "undefined"));
  const types = [block(args, indent), [...new Set(all)].join(" | ")];
  const entry = entryOf(operation, schemas);
  return entry === undefined
    ? `Call<${types.join(", ")}>`
    : `PagedCall<${types.join(", ")}, ${typeOf(entry, indent)}>`;
}

/** Returns the item schema of a list that is paged by cursor. */
function entryOf({ parameters, answers }: ReadOperation, schemas: Schemas): Json | undefined {
  const [answer] = answers;
  if (!answer || !parameters.some(({ name }) => name === "after")) return undefined;
  const listIn = (schema: Json): Json | undefined =>
    Object.values((schema["properties"] ?? {}) as Record<string, Json>)
      .map((field) => (field["type"] === "array" ? (field["items"] as Json) : listIn(field)))
      .find((items) => items !== undefined);
  const name = typeof answer["$ref"] === "string" ? typeOf(answer) : "";
  const items = listIn(schemas[name] ?? answer);
  if (!items) throw new Error("a list by cursor has no entries");
  return items;
}
