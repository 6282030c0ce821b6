/*
 * Batches inside a test, with a queue that the test drives:
 *
 *   const all = await batchScenario();
 *   const id = await all.start(recipientsOf(all.news, 40));
 *   await all.work();
 *   expect(await all.batch(id)).toMatchObject({ state: "done", sent: 40 });
 */
import { env } from "cloudflare:test";
import { ASYNC, manualService, newNewsletter } from "./broadcasting.ts";
import { runSender } from "./project-objects.ts";

export interface BatchAnswer {
  id: string;
  state: string;
  recipients: number;
  sent: number;
  failed: number;
  bounced: number;
  suppressed: number;
  failures: { to: string; status: string; error: string }[];
}

export type BatchScenario = Awaited<ReturnType<typeof batchScenario>>;

/** Recipients whose address and data say which project and which number they have. */
export const recipientsOf = ({ from }: { from: string }, count: number, prefix = "b") =>
  Array.from({ length: count }, (_, n) => ({
    to: `${prefix}${n}.${from}`,
    data: { name: `n${n}`, email: `b${n}` },
  }));

/** A project, and a queue whose messages the test delivers. */
export async function batchScenario(given?: ReturnType<typeof manualService>) {
  const { service, queued, clock, workAll } = given ?? manualService();
  const owner = await service.newOwner();
  const news = await newNewsletter(service, owner);
  const deps = await service.deps();
  const post = (recipients: object[], headers: Record<string, string> = {}, more: object = {}) =>
    owner.post(
      `${news.path}/send/batch`,
      { template_id: news.templateId, recipients, ...more },
      headers,
    );
  return {
    service,
    queued,
    clock,
    owner,
    news,
    deps,
    post,
    /** Starts a batch that nobody waits for. */
    start: async (recipients: object[]) => String((await post(recipients, ASYNC)).body["batch_id"]),
    batch: async (id: string, query = "") =>
      (await owner.get<BatchAnswer>(`${news.path}/batches/${id}${query}`)).body,
    /** Runs the senders that were woken. */
    work: () => workAll(deps),
    /** Runs the sender of the project once, whether it was woken or not. */
    run: (world = deps) => runSender(env.PROJECT_SENDER, news.id, world),
  };
}
