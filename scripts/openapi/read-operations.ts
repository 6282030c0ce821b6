import type { Json } from "../../src/http/openapi/json-schema.ts";

/** A call of the JSON API, as the client generator needs it. */
export interface ReadOperation {
  name: string;
  summary: string;
  method: string;
  path: string;
  takesIdempotencyKey: boolean;
  /** The security schemes of the call; none for a public one. */
  credentials: string[];
  /** Path and query parameters. */
  parameters: { name: string; required: boolean; schema: Json }[];
  body: { required: boolean; schema: Json } | undefined;
  /** Schemas of successful responses; undefined for one without a body. */
  answers: (Json | undefined)[];
}

interface Media {
  content?: Record<string, { schema: Json }>;
}

interface Operation {
  operationId: string;
  summary: string;
  security: Record<string, unknown>[];
  parameters?: { name: string; in: string; required?: boolean; schema: Json }[];
  requestBody?: Media & { required?: boolean };
  responses: Record<string, Media>;
}

const JSON_TYPE = "application/json";
/** Calls made by mails and providers rather than API clients. */
const NOT_OF_CLIENTS = /^(?:mails|bounces)\./;

/** Returns the calls of a document, sorted by name. */
export function readOperations(document: Json): ReadOperation[] {
  // The document is generated here, and tests verify this structure.
  const paths = document["paths"] as Record<string, Record<string, Operation>>;
  return Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, operation]) => !isOfFiles(operation))
        .map(([method, operation]) => readOperation(method.toUpperCase(), path, operation)),
    )
    .filter(({ name }) => !NOT_OF_CLIENTS.test(name))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Returns true for a call that sends or returns a file; programs stream it with `fetch` instead.
 */
function isOfFiles({ requestBody, responses }: Operation): boolean {
  const answered = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  return [requestBody, ...answered.map(([, answer]) => answer)].some(
    (media) => media?.content !== undefined && !(JSON_TYPE in media.content),
  );
}

function readOperation(method: string, path: string, operation: Operation): ReadOperation {
  const {
    operationId: name,
    summary,
    security,
    parameters = [],
    requestBody,
    responses,
  } = operation;
  const body = requestBody?.content?.[JSON_TYPE];
  return {
    name,
    summary,
    method,
    path,
    credentials: security.flatMap((scheme) => Object.keys(scheme)),
    takesIdempotencyKey: parameters.some((one) => one.name === "Idempotency-Key"),
    parameters: parameters
      .filter(({ in: place }) => place !== "header")
      .map(({ name: field, required = false, schema }) => ({ name: field, required, schema })),
    body: body && { required: requestBody?.required ?? false, schema: body.schema },
    answers: Object.entries(responses)
      .filter(([status]) => status.startsWith("2"))
      .map(([, { content }]) => content?.[JSON_TYPE]?.schema)
      .map((schema) => (name.startsWith("keyed.") && schema ? dataOf(schema) : schema)),
  };
}

/** Returns the data schema inside the envelope of the key-based API. */
function dataOf(schema: Json): Json {
  const { data } = schema["properties"] as { data: Json };
  return data;
}
