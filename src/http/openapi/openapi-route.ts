import { z } from "zod";
import { sha256Hex } from "../../lib/hash.ts";
import type { Route } from "../route/declaration.ts";
import { route } from "../route/route.ts";
import { makeDocument } from "./document.ts";

/** The path of the document below `/api/v1`. */
export const DOCUMENT_PATH = "/openapi.json";

/** How long caches may keep the document, because a deployment may change it. */
const MAX_AGE_SECONDS = 300;

/**
 * Declares the route of the OpenAPI document (API reference §1.6). It needs no database. Each
 * isolate builds the document on the first request.
 */
export function openApiRoute(routes: () => Route[]): Route {
  let made: { text: string; etag: string } | undefined;
  const make = () => {
    const text = JSON.stringify(makeDocument(routes()));
    return { text, etag: `"${sha256Hex(text).slice(0, 32)}"` };
  };
  return route({
    auth: "public",
    method: "GET",
    path: DOCUMENT_PATH,
    operation: "service.openapi",
    summary: "Returns this document.",
    anyOrigin: true,
    answer: z.record(z.string(), z.unknown()),
    otherAnswers: { 304: undefined },
    handle: async ({ c }) => {
      made ??= make();
      const { text, etag } = made;
      const headers = { ETag: etag, "Cache-Control": `public, max-age=${MAX_AGE_SECONDS}` };
      if (isKnown(c.req.header("If-None-Match"), etag)) return c.body(null, 304, headers);
      return c.body(text, 200, { ...headers, "Content-Type": "application/json" });
    },
  });
}

/** Returns true if `If-None-Match` lists the tag, by weak comparison (RFC 9110 §13.1.2). */
const isKnown = (header: string | undefined, etag: string) =>
  (header ?? "").split(",").some((one) => ["*", etag].includes(one.trim().replace(/^W\//, "")));
