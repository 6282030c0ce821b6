import { Hono } from "hono";
import { notFound } from "../../errors.ts";
import { IMAGE_FILES } from "../../services/images/index.ts";
import type { HttpEnv } from "../http-env.ts";
import { callOf, type HttpCall } from "../middleware/build-context.ts";

/** Content types by the extension in an address, which the bytes decided at the upload. */
const TYPES = Object.fromEntries(
  Object.values(IMAGE_FILES).map(({ extension, contentType }) => [extension, contentType]),
);

/** Path of an image: project, SHA-256 of the bytes, and extension. */
const PATH = /^\/images\/([0-9a-f-]{36}\/([0-9a-f]{64})\.(png|jpg|gif|webp))$/;

/** Any URL that may be an image's. */
const IMAGE_URL = /^https?:\/\/[^/]+\/images\//;

/**
 * An address always has the same bytes. A browser that opens it runs nothing in them (Content
 * Security Policy Level 3), and pages of any site may show them (Fetch standard).
 */
const HEADERS = {
  "Cache-Control": "public, max-age=31536000, immutable",
  "Content-Security-Policy": "default-src 'none'; sandbox",
  "Cross-Origin-Resource-Policy": "cross-origin",
  "X-Content-Type-Options": "nosniff",
};

/**
 * Answers `GET /images/{project}/{hash}.{extension}` (API reference §10.8) from the cache of the
 * location or else from R2, never from D1. Throws not_found.
 */
async function answerImage({ request, env, executionCtx }: HttpCall): Promise<Response> {
  const { origin, pathname } = new URL(request.url);
  const [, key = "", hash = "", extension = ""] = PATH.exec(pathname) ?? [];
  const bucket = env.IMAGES;
  if (key === "" || !bucket) throw notFound("image");
  const headers = new Headers({
    ...HEADERS,
    "Content-Type": TYPES[extension] ?? "",
    ETag: `"${hash}"`,
  });
  // Whoever has this hash has had the bytes.
  if (isKnown(request, hash)) return new Response(null, { status: 304, headers });
  const isHead = request.method === "HEAD";
  // Without the query, which would make more entries of the same bytes.
  const address = new Request(origin + pathname);
  const kept = await caches.default.match(address);
  if (kept) return isHead ? new Response(null, kept) : kept;
  const found = isHead ? await bucket.head(key) : await bucket.get(key);
  if (!found) throw notFound("image");
  headers.set("Content-Length", String(found.size));
  if (!("body" in found)) return new Response(null, { headers });
  const answer = new Response(found.body as ReadableStream, { headers });
  executionCtx.waitUntil(caches.default.put(address, answer.clone()));
  return answer;
}

/** Returns true if the client already has these bytes (RFC 9110 §13.1.2). */
const isKnown = ({ headers }: Request, hash: string) =>
  (headers.get("If-None-Match") ?? "")
    .split(",")
    .some((tag) => tag.trim().replace(/^W\//, "") === `"${hash}"`);

/** Answers for the URL of an image, bypassing the router; undefined for any other request. */
export function answerImageUrl(call: HttpCall): Promise<Response> | undefined {
  const { method, url } = call.request;
  const isRead = method === "GET" || method === "HEAD";
  return isRead && IMAGE_URL.test(url) ? answerImage(call) : undefined;
}

export const imageFileRoutes = new Hono<HttpEnv>().get("/images/:projectId/:file", (c) =>
  answerImage(callOf(c)),
);
