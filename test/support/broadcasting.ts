/*
 * Broadcasts inside a test, run by hand: the test drives every queue message and every minute.
 *
 *   const { service, news, id, app, finish } = await scenario(230);
 *   await planBroadcast(app, id);
 *   await finish();
 *   expect(await news.progress(id)).toMatchObject({ state: "done", sent: 230 });
 */
import { env, runInDurableObject } from "cloudflare:test";
import { expect, vi } from "vitest";
import type { Deps } from "../../src/deps.ts";
import { runScheduled } from "../../src/cron/run-scheduled.ts";
import { openDatabase } from "../../src/db/client.ts";
import { Journal } from "../../src/durable/journal.ts";
import type { ProjectSender } from "../../src/index.ts";
import type { WakeMessage } from "../../src/queues/messages.ts";
import { selectBroadcast } from "../../src/services/broadcasts/index.ts";
import { launchDraft } from "../../src/services/broadcasts/drafts/launch-draft.ts";
import { BulkSender } from "../../src/services/mailing/index.ts";
import type { JournalEntry } from "../../src/services/mailing/journal.ts";
import { receivedMessages } from "./mailbox.ts";
import { runSender } from "./project-objects.ts";
import { deathOfWorker } from "./refusals.ts";
import { CAPTURING, createService, unique, type Service } from "./service.ts";
import { openPool } from "./smtp/shipping.ts";
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

/** A service whose queue only records its messages, and whose clock a test can advance or stop. */
export function manualService(settings: Parameters<typeof createService>[0] = {}) {
  const queued: WakeMessage[] = [];
  const clock: { aheadMs: number; stoppedAt?: number } = { aheadMs: 0 };
  const now = () => (clock.stoppedAt ?? Date.now()) + clock.aheadMs;
  const queue = {
    sendBatch: async (messages: Iterable<{ body: WakeMessage }>) => {
      for (const { body } of messages) queued.push(body);
    },
  } as unknown as Queue;
  const wait = async (ms: number) => {
    clock.aheadMs += ms;
  };
  const service = createService({ WAKE_QUEUE: queue, ...settings }, { now, wait });
  /** Runs the senders of all projects that were woken, until none has anything due. */
  const workAll = async (deps: Deps) => {
    while (queued.length > 0) {
      const woken = new Set(queued.splice(0).map(({ projectId }) => projectId));
      for (const projectId of woken) await workOff(deps, projectId);
    }
  };
  return { service, queued, clock, workAll };
}

/** Runs the sender of a project until it has nothing due. Returns when it will have. */
export async function workOff(deps: Deps, projectId: string): Promise<number | undefined> {
  for (;;) {
    const nextAt = await runSender(env.PROJECT_SENDER, projectId, deps);
    if (nextAt === undefined || nextAt > deps.now()) return nextAt;
  }
}

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
  clock: { aheadMs: number; stoppedAt?: number };
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
  const { service, queued, clock, workAll } = manualService();
  const owner = await service.newOwner();
  const news = await newNewsletter(service, owner);
  await news.subscribe(count);
  await prepare(news, owner, service);
  const deps = await service.deps();
  const id = await start({ news, owner, clock, deps });
  /** Runs everything that was woken, as the real consumers do. */
  const work = () => workAll(deps);
  /** Runs the sender of the project, whether it was woken or not. */
  const run = (world = deps) => runSender(env.PROJECT_SENDER, news.id, world);
  const finish = async (until = "done") => {
    for (let minute = 0; minute < 90; minute++) {
      await work();
      await workOff(deps, news.id); // as its alarm does
      if ((await news.progress(id)).state === until) return;
      clock.aheadMs += 60_000;
      await runScheduled(deps, EVERY_MINUTE);
    }
  };
  return { service, queued, clock, owner, news, id, deps, work, run, finish };
}

/** Lets a broadcast to many go to everybody at once. */
export const withoutSample = (news: Newsletter, owner: Owner) =>
  owner.put(`${news.path}/bounce-settings`, { brakes: { sample_first: false } });

/** Recognises a round trip that records outcomes. */
export const isRecord = (sql: string[]) => sql.some(ROUND_TRIPS.record);

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

/** The round trips of a sender to D1, by what they do to its chunk. */
const ROUND_TRIPS = {
  claim: (sql: string) =>
    sql.startsWith('update "broadcast_chunks" set "state" = ?, "lease_token" = ?'),
  record: (sql: string) => sql.includes("insert into log_entries"),
  split: (sql: string) =>
    sql.includes("on conflict do nothing") && sql.includes("broadcast_chunks"),
  end: (sql: string) => sql.startsWith('delete from "broadcast_chunks"'),
};

/** A point at which a sender dies: at a round trip to D1, or at an entry of its journal. */
export interface DeathPoint {
  at: keyof typeof ROUND_TRIPS | "entry";
  /** Before it takes effect, or after that and before its answer. */
  when: "before" | "after";
  nth?: number;
}

/**
 * Runs the sender of a scenario until it dies. Returns the recipients whose outcomes its journal
 * has.
 */
export async function runUntilDeath(
  { service, run }: Pick<Scenario, "service" | "run">,
  { at, when, nth = 1 }: DeathPoint,
): Promise<Set<string>> {
  const noted = new Set<string>();
  let seen = 0;
  const pass = (isMeant: boolean) => {
    // A refusal is never repeated, as a dead sender repeats nothing.
    if (isMeant && ++seen >= nth) throw deathOfWorker("the sender died here");
  };
  const write: Journal["write"] = Reflect.get(Journal.prototype, "write");
  const writing = vi.spyOn(Journal.prototype, "write").mockImplementation(async function (
    this: Journal,
    entry,
  ) {
    pass(at === "entry" && when === "before");
    const n = await write.call(this, entry);
    const { done } = JSON.parse(entry) as JournalEntry;
    for (const one of done) noted.add(typeof one === "string" ? one : one[0]);
    pass(at === "entry" && when === "after");
    return n;
  });
  if (at !== "entry") service.d1[when] = (sql) => pass(sql.some(ROUND_TRIPS[at]));
  try {
    await expect(run()).rejects.toThrow("died");
  } finally {
    service.d1[when] = undefined;
    writing.mockRestore();
  }
  return noted;
}

/**
 * Runs a second sender of the project, as the platform does while it believes that the object of the
 * first one is gone.
 */
export function runSuccessor({ news, deps }: Pick<Scenario, "news" | "deps">) {
  const stub = env.PROJECT_SENDER.get(env.PROJECT_SENDER.idFromName(news.id));
  return runInDurableObject(stub, (object: ProjectSender, { storage }) =>
    new BulkSender(news.id, new Journal(storage), object.gate).run(deps, openPool()),
  );
}

/** Lets something happen before the nth atomic write of a sender, or before its answer. */
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
