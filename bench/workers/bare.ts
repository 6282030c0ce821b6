// The baseline in the service's own runtime: the same responses and rows, and nothing else.
import { Hono } from "hono";
import type { Bindings } from "./settler.ts";

export { Settler } from "./settler.ts";

const PIXEL = Uint8Array.from(
  atob("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAICRAEAOw=="),
  (character) => character.charCodeAt(0),
);
const GIF = { "Content-Type": "image/gif", "Cache-Control": "no-store" };
const AWAY = { Location: "https://example.com/", "Cache-Control": "no-store" };

const app = new Hono<{ Bindings: Bindings }>();
app.get("/t/:file", (c) => c.body(PIXEL, 200, GIF));
app.get("/c/:logId/:payload", (c) => c.body(null, 302, AWAY));

// The minimum work of any tracker: the same response, and one queued message.
app.get("/queued/t/:file", (c) => {
  c.executionCtx.waitUntil(c.env.BOUNCE_QUEUE.send({ file: c.req.param("file") }));
  return c.body(PIXEL, 200, GIF);
});

/** Inserts rows directly into the subscribers table: no validation, no totals, no events. */
app.post("/import/:projectId", async (c) => {
  const rows = await c.req.json<{ email: string; name: string }[]>();
  const statement = c.env.DB.prepare(
    `insert into subscribers
       (id, project_id, email, name, status, metadata, source, subscribed_at, created_at, updated_at)
     select value ->> 'id', ?2, value ->> 'email', value ->> 'name', 'active', '{}', '', 1, 1, 1
     from json_each(?1)`,
  );
  const chunk = 5_000;
  for (let at = 0; at < rows.length; at += chunk) {
    const part = rows.slice(at, at + chunk).map((row) => ({ ...row, id: crypto.randomUUID() }));
    await statement.bind(JSON.stringify(part), c.req.param("projectId")).run();
  }
  return c.json({ imported: rows.length });
});

// The minimum work of any send that reads D1, calls a project's Durable Object, and logs in D1; it
// sends no mail.
app.post("/least-send", async (c) => {
  const mail = await c.req.json<{ to: string }>();
  await c.env.DB.batch([c.env.DB.prepare("select 1")]);
  const settler = c.env.SETTLER.get(c.env.SETTLER.idFromName("bare"));
  return c.json({ id: await settler.settle(mail) });
});

export default {
  fetch: app.fetch,
  async queue(batch) {
    batch.ackAll();
  },
} satisfies ExportedHandler<Env>;
