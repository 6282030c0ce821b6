import type { Route } from "../route/declaration.ts";
import { jsonSchemaOf, type Json, type NamedSchemas } from "./json-schema.ts";

/** Path parameters whose ids are not, or need not be, UUIDs. */
const OTHER_IDS = new Set(["suppressionId", "letterId", "subscriber", "provider"]);

/**
 * Returns the path in the notation of the document: `/projects/:id` becomes
 * `/projects/{projectId}`.
 */
export const templateOf = (path: string): string =>
  path.replace(/(\w+)s\/:id\b/, "$1s/{$1Id}").replaceAll(/:(\w+)/g, "{$1}");

export function parametersOf(route: Route, named: NamedSchemas): Json[] {
  return [...pathParameters(route), ...queryParameters(route, named), ...headerParameters(route)];
}

const pathParameters = ({ path }: Route): Json[] =>
  Array.from(templateOf(path).matchAll(/\{(\w+)\}/g), ([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: OTHER_IDS.has(name) ? { type: "string" } : { type: "string", format: "uuid" },
  }));

function queryParameters({ query, example }: Route, named: NamedSchemas): Json[] {
  if (!query) return [];
  const { properties = {}, required = [] } = jsonSchemaOf(query, named) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    required: required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema,
    ...exampleOf(example?.query?.[name], schema),
  }));
}

const exampleOf = (text: string | undefined, { type }: Json) =>
  text === undefined ? {} : { example: type === "integer" ? Number(text) : text };

function headerParameters(route: Route): Json[] {
  const { takesIdempotencyKey, obeysIfMatch, namesUnknownFields, headers = {} } = route;
  const prefer = [headers["Prefer"], namesUnknownFields && PREFER_STRICT].filter(Boolean).join(" ");
  const all = {
    ...(takesIdempotencyKey ? { "Idempotency-Key": IDEMPOTENCY_KEY } : {}),
    ...(obeysIfMatch ? { "If-Match": IF_MATCH } : {}),
    ...headers,
    ...(prefer === "" ? {} : { Prefer: prefer }),
  };
  return Object.entries(all).map(([name, description]) => ({
    name,
    in: "header",
    description,
    schema: { type: "string" },
  }));
}

const PREFER_STRICT =
  "With `handling=strict`, unknown fields of the body are an error instead of `warnings`.";
const IF_MATCH =
  "The `ETag` of the resource as the client knows it; if it no longer matches, the answer is 412.";
const IDEMPOTENCY_KEY =
  "A repeated request with the same key gets the first answer again, for 24 hours.";
