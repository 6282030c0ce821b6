import { connect } from "cloudflare:sockets";
import { buildApp, type Runtime } from "./app.ts";
import type { Bindings } from "./config.ts";
import { runScheduled } from "./cron/run-scheduled.ts";
import { createServer } from "./http/server.ts";
import { handleBatch } from "./queues/handle-batch.ts";

export { ProjectLimiter } from "./durable/project-limiter.ts";

const runtime: Runtime = {
  sockets: connect,
  fetch: (input, init) => fetch(input, init),
  now: Date.now,
};
const server = createServer(runtime);

export default {
  fetch: server.fetch,
  async queue(batch, env, context) {
    const app = await buildApp(env, (work) => context.waitUntil(work), runtime);
    await handleBatch(app, batch);
  },
  async scheduled(controller, env, context) {
    const app = await buildApp(env, (work) => context.waitUntil(work), runtime);
    await runScheduled(app, controller.cron);
  },
} satisfies ExportedHandler<Bindings>;
