/*
 * Broadcasts inside a test, run by hand: the test drives every queue message and every minute.
 *
 *   const { service, news, id, app, settle } = await scenario(230);
 *   await planBroadcast(app, id);
 *   await settle();
 *   expect(await news.progress(id)).toMatchObject({ state: "done", sent: 230 });
 */
import { expect } from "vitest";
import type { Deps } from "../../src/deps.ts";
import { runScheduled } from "../../src/cron/run-scheduled.ts";
import { openDatabase } from "../../src/db/client.ts";
import type { BroadcastMessage } from "../../src/queues/messages.ts";
import { planBroadcast, selectBroadcast } from "../../src/services/broadcasts/index.ts";
import { launchDraft } from "../../src/services/broadcasts/drafts/launch-draft.ts";
import { sendChunks } from "../../src/services/mailing/index.ts";
import { TURN_LIMITS } from "../../src/services/mailing/sources/broadcast/attempts.ts";
import { receivedMessages } from "./mailbox.ts";
import { CAPTURING, createService, unique, type Service } from "./service.ts";
import { EVERY_MINUTE } from "./times.ts";

export interface LogEntry {
  id: string;
  to_email: string;
  status: string;
  error: string | null;
  broadcast_id: string;
}

export interface Progress {
  id: string;
  state: string;
  sent: number;
  failed: number;
  bounced: number;
  suppressed: number;
  error: string | null;
}

/**
 * A service whose queue only records its messages, and whose clock a test can advance or stop.
 * Guards wait apart, with the time at which they arrive.
 */
export function manualService() {
  const queued: BroadcastMessage[] = [];
  const guards: { body: ChunkMessage; at: number }[] = [];
  const clock: { aheadMs: number; stoppedAt?: number } = { aheadMs: 0 };
  const now = () => (clock.stoppedAt ?? Date.now()) + clock.aheadMs;
  const queue = {
    sendBatch: async (messages: Iterable<{ body: BroadcastMessage; delaySeconds: number }>) => {
      for (const { body, delaySeconds } of messages)
        if (body.type === "broadcast_chunk" && body.isGuard && delaySeconds > 0)
          guards.push({ body, at: now() + delaySeconds * 1_000 });
        else queued.push(body);
    },
  } as unknown as Queue;
  const wait = async (ms: number) => {
    clock.aheadMs += ms;
  };
  const service = createService({ BROADCAST_QUEUE: queue }, { now, wait });
  /** Moves the guards that have arrived by now to the queue. */
  const deliverGuards = () => {
    const arrived = guards.filter(({ at }) => at <= now());
    guards.splice(0, guards.length, ...guards.filter(({ at }) => at > now()));
    queued.push(...arrived.map(({ body }) => body));
  };
  return { service, queued, guards, deliverGuards, clock };
}

/** The limits of a turn, with more time than a busy machine takes for the mails of one. */
export const LONG_TURN = { ...TURN_LIMITS, workMs: 10 * TURN_LIMITS.workMs };

/** Counts calls of `subscribe`, so that no two create the same ids. */
let blocks = 0;

/**
 * Ends the id of the n-th subscriber of a block: ids that ascend with n, with irregular digits like
 * those of real ids. The slices of an A/B test follow from them.
 */
function idEnding(n: number): string {
  const PLACES = 0x1_0000;
  return (n * PLACES + ((n * n * 7_919) % PLACES)).toString(16).padStart(8, "0");
}

type Owner = Awaited<ReturnType<Service["newOwner"]>>;

/** Project with its own From address, a template, and queries for tests. */
export async function newNewsletter(service: Service, owner: Owner, options: object = {}) {
  const from = `${unique("news")}@postrider.test`;
  const project = await owner.newProject({ ...CAPTURING, fromEmail: from, ...options });
  const template = await owner.post<{ id: string }>(`/projects/${project.id}/templates`, {
    name: "news",
    subject: "For {{name}}",
    html_body:
      '<body><p>{{email}} <a href="https://a.test/{{name}}?x=1&amp;y=2">more</a></p></body>',
  });
  const path = `/projects/${project.id}`;
  return {
    ...project,
    from,
    path,
    templateId: template.body.id,
    start: async (headers: Record<string, string> = {}) =>
      owner.post(`${path}/broadcast`, { template_id: template.body.id }, headers),
    progress: async (id: string) => (await owner.get<Progress>(`${path}/broadcasts/${id}`)).body,
    stats: async () => (await owner.get(`${path}/stats`)).body,
    logs: async () => {
      const { results } = await service.env.DB.prepare(
        "select id, to_email, status, error, broadcast_id from logged_mails where project_id = ?",
      )
        .bind(project.id)
        .all<LogEntry>();
      return results;
    },
    received: async () => (await receivedMessages({ from })).map(({ to }) => to[0] ?? ""),
    /** Writes straight into the table: other tests cover the import. */
    subscribe: async (
      count: number,
      address = (n: number) => `s${n}.${from}`,
      status = "active",
      firstId?: string,
    ) => {
      blocks += 1;
      const block = `01a00000-0000-7000-8000-${String(blocks).padStart(4, "0")}`;
      await service.env.DB.prepare(
        `insert into subscribers (id, project_id, email, name, status, metadata, source, subscribed_at, created_at, updated_at)
         select value ->> 'id', ?2, value ->> 'email', value ->> 'name', ?3, '{}', '', 1, 1, 1 from json_each(?1)`,
      )
        .bind(
          JSON.stringify(
            Array.from({ length: count }, (_, n) => ({
              id: firstId ?? `${block}${idEnding(n)}`,
              email: address(n),
              name: `n${n}`,
            })),
          ),
          project.id,
          status,
        )
        .run();
    },
  };
}

export const ASYNC = { Prefer: "respond-async" };
export const hasNobodyTwice = (addresses: string[]) => new Set(addresses).size === addresses.length;

type Newsletter = Awaited<ReturnType<typeof newNewsletter>>;

/** What a start of a broadcast needs. */
interface Unstarted {
  news: Newsletter;
  owner: Owner;
  clock: { aheadMs: number };
  deps: Deps;
}

/** Starts a broadcast without a draft. */
const started = async ({ news }: Unstarted) =>
  String((await news.start(ASYNC)).body["broadcast_id"]);

/** Starts a draft, and launches it after the time in which it can be undone. */
export async function launched({ news, owner, clock, deps }: Unstarted): Promise<string> {
  const at = `${news.path}/broadcasts`;
  const made = await owner.post<{ id: string }>(at, { name: "May", template_id: news.templateId });
  const { id } = made.body;
  await owner.post(`${at}/${id}/start`, { accept: ["empty_audience"] });
  clock.aheadMs += 16_000;
  const [row] = await selectBroadcast(deps.db, id);
  if (!row || !(await launchDraft(deps, row))) throw new Error("the draft was not launched");
  return id;
}

/**
 * Starts a broadcast to `count` subscribers without planning it; `prepare` runs before the start.
 */
export async function scenario(
  count: number,
  prepare: (news: Newsletter, owner: Owner, service: Service) => Promise<unknown> = async () => {},
  start: (world: Unstarted) => Promise<string> = started,
) {
  const { service, queued, guards, deliverGuards, clock } = manualService();
  const owner = await service.newOwner();
  const news = await newNewsletter(service, owner);
  await news.subscribe(count);
  await prepare(news, owner, service);
  const deps = await service.deps();
  const id = await start({ news, owner, clock, deps });
  /** Runs everything on the queue until it is empty, as the real consumers do. */
  const work = async () => {
    for (let message = queued.shift(); message; message = queued.shift()) {
      if (message.type === "broadcast_plan") await planBroadcast(deps, message.broadcastId);
      else await sendChunks(deps, message);
    }
  };
  const settle = async (until = "done") => {
    for (let minute = 0; minute < 90; minute++) {
      await work();
      if ((await news.progress(id)).state === until) return;
      clock.aheadMs += 60_000;
      await runScheduled(deps, EVERY_MINUTE);
    }
  };
  return { service, queued, guards, deliverGuards, clock, owner, news, id, deps, work, settle };
}

/** Lets a broadcast to many go to everybody at once. */
export const withoutSample = (news: Newsletter, owner: Owner) =>
  owner.put(`${news.path}/bounce-settings`, { brakes: { sample_first: false } });

/** Allows a project ten connections, so that two workers have four each. */
export const roomForTwo = (news: Newsletter, owner: Owner) =>
  owner.put(`${news.path}/sending`, { max_connections: 10 });

/** Recognises a round trip that records outcomes. */
export const isSettle = (sql: string[]) =>
  sql.some((text) => text.includes("insert into log_entries"));

export type ChunkMessage = Extract<BroadcastMessage, { type: "broadcast_chunk" }>;

/** First chunk on the queue, which loses all its messages. */
export function takeChunk(queued: BroadcastMessage[]): ChunkMessage {
  const chunk = queued.find((message) => message.type === "broadcast_chunk");
  queued.length = 0;
  if (!chunk) throw new Error("no chunk was planned");
  return chunk;
}

export type Scenario = Awaited<ReturnType<typeof scenario>>;

/**
 * Expects each subscriber once in the log and mailed at most once; returns the number of unknown
 * outcomes.
 */
export async function expectNobodyLost({ news }: Scenario, total: number) {
  const logs = await news.logs();
  expect(logs).toHaveLength(total);
  expect(hasNobodyTwice(logs.map(({ to_email: email }) => email))).toBe(true);
  expect(hasNobodyTwice(await news.received())).toBe(true);
  return logs.filter(({ error }) => error === "outcome unknown").length;
}

/** Plans the broadcast and returns its first chunk, whose message is lost. */
export async function plannedChunk({ deps, id, queued }: Scenario) {
  await planBroadcast(deps, id);
  return takeChunk(queued);
}

/** Lets something happen before the nth atomic write of a worker, or before its answer. */
export interface Stall {
  nth: number;
  when: "before" | "after";
  meanwhile: () => Promise<unknown>;
}

/** An app whose database stalls. */
export function stalledApp({ deps, service }: Scenario, ...stalls: Stall[]): Deps {
  let writes = 0;
  const { DB } = service.env;
  const batch = async (statements: D1PreparedStatement[]) => {
    const nth = ++writes;
    const [before, after] = (["before", "after"] as const).map((when) =>
      stalls.find((stall) => stall.nth === nth && stall.when === when),
    );
    await before?.meanwhile();
    const results = await DB.batch(statements);
    await after?.meanwhile();
    return results;
  };
  const prepare = (sql: string) => DB.prepare(sql);
  return { ...deps, db: openDatabase({ prepare, batch } as unknown as D1Database) };
}
