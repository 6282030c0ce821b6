import { z } from "zod";
import type { Ctx } from "../../context.ts";
import type { Deps } from "../../deps.ts";
import { notFound, refusal } from "../../errors.ts";
import { readLimited } from "../../lib/read-limited.ts";
import { PROVIDERS } from "../../mail/bounce/index.ts";
import { acceptIngest } from "../../services/bounces/index.ts";
import { selectBounceSettings } from "../../services/projects/index.ts";
import type { HttpContext } from "../http-env.ts";
import { route } from "../route/route.ts";

/**
 * Maximum body size of the bounce ingest (API reference §4.2): providers post many events at once.
 */
const MAX_INGEST_BYTES = 65_536;
const MAX_PROVIDER_BYTES = 1_048_576;

const ingestedAnswer = z.discriminatedUnion("status", [
  z.strictObject({ status: z.literal("accepted"), email: z.string() }),
  z.strictObject({ status: z.literal("confirmed") }),
  z.strictObject({ status: z.literal("ignored") }),
]);

const facts = {
  auth: "ingest_token",
  answer: ingestedAnswer,
  reads: ({ deps: { db }, projectId }: { deps: Deps; projectId: string }) =>
    [selectBounceSettings(db, projectId)] as const,
} as const;

const posted = {
  ...facts,
  method: "POST",
  freeBody: "A report of a provider; the API reference lists the forms (§14.4).",
  example: { body: { email: "ben@example.com", type: "hard" } },
} as const;

/**
 * `POST /webhooks/bounces/{projectId}?token=` (API reference §14.4). Reads the body only after the
 * token is verified, and never beyond the limit. The body is the provider's format, so no schema
 * describes it.
 */
export const bounceIngestRoute = route({
  ...posted,
  path: "/webhooks/bounces/:projectId",
  operation: "bounces.report",
  summary: "Reports a bounce or a complaint from a provider.",
  refusals: [400],
  handle: ({ c, ctx, param, reads }) =>
    accept(c, ctx, param("projectId"), reads[0], MAX_INGEST_BYTES),
});

/** The same at a provider's URL, with a larger limit. */
export const providerIngestRoute = route({
  ...posted,
  path: "/webhooks/bounces/:projectId/:provider",
  operation: "bounces.reportMany",
  summary: "Reports many events from a provider.",
  refusals: [400, 404],
  handle: ({ c, ctx, param, reads }) => {
    requireProvider(param("provider"));
    return accept(c, ctx, param("projectId"), reads[0], MAX_PROVIDER_BYTES);
  },
});

/** The same for a provider that reports an event in the parameters of a URL, and tests it first. */
export const providerUrlRoute = route({
  ...facts,
  example: { query: { to: "ben@example.com", status: "AbuseReport", transaction: "1" } },
  method: "GET",
  path: "/webhooks/bounces/:projectId/:provider",
  operation: "bounces.reportByUrl",
  summary: "Reports an event from a provider that calls a URL.",
  refusals: [404],
  handle: async ({ c, ctx, param, reads: [[project]] }) => {
    requireProvider(param("provider"));
    const query = new URL(c.req.url).searchParams;
    query.delete("token");
    if (query.size === 0) return { status: "ignored" } as const;
    const bytes = new TextEncoder().encode(query.toString());
    return acceptIngest(ctx, param("projectId"), project, { bytes, header: headerOf(c) });
  },
});

function requireProvider(name: string): void {
  if (!Object.hasOwn(PROVIDERS, name)) throw notFound("provider");
}

const headerOf = (c: HttpContext) => (name: string) => c.req.header(name) ?? "";

async function accept(
  c: HttpContext,
  ctx: Ctx,
  projectId: string,
  [project]: Parameters<typeof acceptIngest>[2][],
  maxBytes: number,
) {
  const read = await readLimited(c.req.raw.body, maxBytes);
  if (!read.ok) throw refusal("report_too_large", {});
  return acceptIngest(ctx, projectId, project, { bytes: read.bytes, header: headerOf(c) });
}
