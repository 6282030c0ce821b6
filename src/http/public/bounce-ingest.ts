import { Hono } from "hono";
import { AppError } from "../../errors.ts";
import { readLimited } from "../../lib/read-limited.ts";
import { acceptIngest, requireIngestToken } from "../../services/bounces/index.ts";
import type { HttpEnv } from "../http-env.ts";

/** The largest body of a bounce ingest (API reference §4.2). */
const MAX_INGEST_BYTES = 65_536;

/**
 * Routes of `POST /webhooks/bounces/{projectId}?token=` (API reference §14.4). The route reads
 * nothing of the body before it has found the token right, and then no more than the limit.
 */
export const bounceIngestRoutes = new Hono<HttpEnv>().post(
  "/webhooks/bounces/:projectId",
  async (c) => {
    const { deps } = c.var.ctx;
    const { projectId } = c.req.param();
    await requireIngestToken(deps, projectId, c.req.query("token") ?? "");
    const read = await readLimited(c.req.raw.body, MAX_INGEST_BYTES);
    if (!read.ok) throw new AppError("payload_too_large", "payload too large");
    const email = await acceptIngest(deps, projectId, new TextDecoder().decode(read.bytes));
    return c.json({ status: "accepted", email });
  },
);
