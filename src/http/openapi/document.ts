import { PRODUCT } from "../../lib/product.ts";
import type { Route } from "../route/declaration.ts";
import type { Json, NamedSchemas } from "./json-schema.ts";
import { operationOf, tagOf } from "./operation.ts";
import { templateOf } from "./parameters.ts";
import { PUBLIC_PATHS } from "./public-paths.ts";
import { refusalResponses } from "./refusals.ts";
import { SECURITY_SCHEMES } from "./security.ts";
import { TAGS } from "./tags.ts";

export interface OpenApiDocument extends Json {
  paths: Record<string, Json>;
  components: { schemas: NamedSchemas; responses: Json; securitySchemes: Json };
}

const DESCRIPTION =
  "An email service on your own Cloudflare account, over your own SMTP server. A field whose value is null counts as omitted.";

/** Builds the OpenAPI 3.1 document of these routes, whose paths are absolute. */
export function makeDocument(routes: Route[]): OpenApiDocument {
  const schemas: NamedSchemas = {};
  const refusals = refusalResponses(schemas);
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const place = (paths[templateOf(route.path)] ??= {});
    place[route.method.toLowerCase()] = operationOf(route, schemas);
  }
  Object.assign(paths, PUBLIC_PATHS);
  const text = JSON.stringify(paths);
  const responses = Object.fromEntries(
    Object.entries(refusals).filter(([name]) => text.includes(`#/components/responses/${name}"`)),
  );
  const tags = new Set([...routes.map(({ operation }) => tagOf(operation)), "Archive", "Mails"]);
  return {
    openapi: "3.1.1",
    info: {
      title: "Postrider",
      version: PRODUCT.version,
      description: DESCRIPTION,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/", description: "This deployment." }],
    tags: [...tags].map((name) => ({ name, description: TAGS[name] })),
    paths,
    components: { schemas, responses, securitySchemes: SECURITY_SCHEMES },
  };
}
