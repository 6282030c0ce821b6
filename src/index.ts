import { buildDeps } from "./deps.ts";
import type { Bindings } from "./config.ts";
import { runScheduled } from "./cron/run-scheduled.ts";
import { receiveEmail } from "./inbound/receive-email.ts";
import { handleBatch } from "./queues/handle-batch.ts";
import { runtime } from "./runtime.ts";
import { server } from "./server.ts";

export { ProjectSender } from "./durable/project-sender.ts";
export { Mail } from "./rpc/mail.ts";

export default {
  fetch: server.fetch,
  async queue(batch, env, context) {
    const deps = await buildDeps(env, (work) => context.waitUntil(work), runtime);
    await handleBatch(deps, batch);
  },
  async email(message, env, context) {
    const deps = await buildDeps(env, (work) => context.waitUntil(work), runtime);
    await receiveEmail(deps, message);
  },
  async scheduled(controller, env, context) {
    const deps = await buildDeps(env, (work) => context.waitUntil(work), runtime);
    await runScheduled(deps, controller.cron);
  },
} satisfies ExportedHandler<Bindings>;
