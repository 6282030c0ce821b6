import { Hono } from "hono";
import { AppError } from "../../errors.ts";
import { readLimited } from "../../lib/read-limited.ts";
import { acceptIngest, requireIngestToken } from "../../services/bounces/index.ts";
import type { HttpEnv } from "../http-env.ts";

/** API reference §4.2: bounce ingest body. */
const MAX_INGEST_BYTES = 65_536;

/**
 * `POST /webhooks/bounces/{projectId}?token=` (API reference §14.4). Nothing of the body
 * is read before the token was found right, and no more than its limit after.
 */
export const bounceIngestRoutes = new Hono<HttpEnv>().post(
  "/webhooks/bounces/:projectId",
  async (c) => {
    const { app } = c.var.ctx;
    const { projectId } = c.req.param();
    await requireIngestToken(app, projectId, c.req.query("token") ?? "");
    const read = await readLimited(c.req.raw.body, MAX_INGEST_BYTES);
    if (!read.ok) throw new AppError("payload_too_large", "payload too large");
    const email = await acceptIngest(app, projectId, new TextDecoder().decode(read.bytes));
    return c.json({ status: "accepted", email });
  },
);
