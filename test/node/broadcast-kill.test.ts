import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startMailbox, type Mailbox } from "../../scripts/mailbox/mailbox.ts";
import { startDeferringServer, type DeferringServer } from "./support/deferring-server.ts";
import {
  endEverything,
  killEverything,
  logIn,
  makeStateDir,
  readJson,
  readLine,
  runCurl,
  start,
  sweep,
  type Run,
} from "./support/local-run.ts";
import { freePorts } from "../support/free-port.ts";

const SET_UP_TIMEOUT_MS = 300_000;
const POLL_MS = 250;
const WATCH_LIMIT_MS = 100_000;
const TAKE_OVER_LIMIT_MS = 120_000;

/** Addresses of nobody: the mailbox shows no image and reports no mail here. */
const ORIGINS = { imageOrigin: "http://127.0.0.1:9", serviceOrigin: "http://127.0.0.1:9" };

/** Mails whose outcome one dead worker may leave unknown: four sessions with four in flight. */
const MAX_UNKNOWN = 16;

/** Returns the lines of the service's log about unknown outcomes: one for each dead worker. */
const unknownInLog = (output: string, broadcastId: string) =>
  output
    .split("\n")
    .filter((line) => line.includes("broadcast_outcome_unknown") && line.includes(broadcastId))
    .join("\n");

interface Progress {
  id: string;
  state: string;
  sent: number;
  failed: number;
  bounced: number;
  suppressed: number;
}

interface LogEntry {
  subscriber_id: string;
  to_email: string;
  status: string;
  error: string | null;
}

interface InboxStats {
  received: number;
  recipients: number;
}

/** The local service from its owner's side. */
async function openOwner(run: Run) {
  const base = `${readLine(run, "Address")}/api/v1`;
  // A new connection each: the service closes an idle one about when Node would use it.
  const headers = {
    Connection: "close",
    Cookie: await logIn(run),
    "Content-Type": "application/json",
  };
  const ask = (method: string, path: string, body?: unknown, extra = {}) => {
    const init: RequestInit = { method, headers: { ...headers, ...extra } };
    if (body !== undefined) init.body = JSON.stringify(body);
    return fetch(base + path, init);
  };
  const call = async <T>(method: string, path: string, body?: unknown, extra = {}) => {
    const response = await ask(method, path, body, extra);
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return readJson<T>(response);
  };
  return {
    get: <T>(path: string) => call<T>("GET", path),
    put: <T>(path: string, body: unknown) => call<T>("PUT", path, body),
    /** Returns the status of the answer, whatever it is. */
    try: async (path: string) => (await ask("POST", path)).status,
    post: <T>(path: string, body?: unknown, extra = {}) => call<T>("POST", path, body, extra),
  };
}

type Owner = Awaited<ReturnType<typeof openOwner>>;

/** Imports `count` subscribers into a project and creates a newsletter with three links. */
async function prepareNewsletter(owner: Owner, projectId: string, count: number) {
  const path = `/projects/${projectId}`;
  const rows = Array.from({ length: count }, (_, n) => ({
    email: `reader-${n}@${projectId}.example`,
    name: `Reader ${n}`,
  }));
  const imported = await owner.post(`${path}/subscribers/import`, rows);
  expect(imported).toEqual({ imported: count, skipped: 0, rejected: [] });
  // Everybody is mailed at once: the sample and its minute have tests of their own.
  await owner.put(`${path}/bounce-settings`, { brakes: { sample_first: false } });
  const template = await owner.post<{ id: string }>(`${path}/templates`, {
    name: "Newsletter",
    subject: "News for {{name}}",
    html_body: `<body><h1>Hello {{name}}</h1>
      <p><a href="https://shop.example/new?for={{email}}&amp;ref=mail">New</a>,
      <a href="https://shop.example/sale">reduced</a> and
      <a href="https://shop.example/about#us">about us</a></p></body>`,
  });
  return { path, body: { template_id: template.id } };
}

/** Creates a project that sends over a local server. */
async function prepareProject(owner: Owner, name: string, smtpPort: number) {
  const { id } = await owner.post<{ id: string }>("/projects", { name });
  await owner.put(`/projects/${id}/smtp`, {
    smtp_host: "127.0.0.1",
    smtp_port: smtpPort,
    smtp_user: "any",
    smtp_password: "any",
    from_name: "News",
    from_email: "news@sender.example",
  });
  return id;
}

/** The subscribers of the project with the drafts, of whom the server puts off every third one. */
const DRAFT_READERS = 60;
const isPutOff = (address: string) => Number(/\d+/.exec(address)?.[0]) % 3 === 0;
const TAKEN_AT_ONCE = (DRAFT_READERS * 2) / 3;

/** A zone in which it is later than in all others. */
const EARLIEST_ZONE = "Pacific/Kiritimati";

/** The time from a start to the first mail, in which the start can be undone. */
const UNDO_MS = 15_000;
/** A time at which the service is down, or has just been started again. */
const AFTER_KILL_MS = 32_000;

const trialOf = (name: string) => ({
  variants: [{ subject: `${name} A` }, { subject: `${name} B` }],
  share: 50,
  wait_hours: 1,
  by: "manual",
});

/**
 * Starts drafts of each kind, all to the same people, half of them in the earliest zone. The
 * subject of each mail begins with the name of its draft.
 */
async function startDrafts(owner: Owner, projectId: string) {
  const path = `/projects/${projectId}`;
  const rows = Array.from({ length: DRAFT_READERS }, (_, n) => ({
    email: `reader-${n}@drafts.example`,
    metadata: n < DRAFT_READERS / 2 ? { timezone: EARLIEST_ZONE } : {},
  }));
  await owner.post(`${path}/subscribers/import`, rows);
  const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
  const start = async (name: string, fields: object) => {
    const body = { name, subject: name, html_body: `<p>${name}</p>`, ...fields };
    const { id } = await owner.post<{ id: string }>(`${path}/broadcasts`, body);
    await owner.post(`${path}/broadcasts/${id}/start`, { accept: ["similar_broadcast"] });
    return `${path}/broadcasts/${id}`;
  };
  return {
    scheduled: await start("scheduled", { send_at: inMs(UNDO_MS) }),
    trying: await start("trying", { ab: trialOf("trying") }),
    decided: await start("decided", { ab: trialOf("decided") }),
    zoned: await start("zoned", { time_zone: "Etc/UTC", send_at: inMs(AFTER_KILL_MS) }),
    missed: await start("missed", { send_at: inMs(AFTER_KILL_MS) }),
  };
}

type Drafts = Awaited<ReturnType<typeof startDrafts>>;

/** Waits until each draft of the kinds that begin at once is in its middle. */
async function waitForMiddle(owner: Owner, drafts: Drafts) {
  const isTried = async (path: string) => {
    const trial = owner.get<{ variants: { mailed: number }[] }>(`${path}/trial`);
    const { variants } = await trial.catch(() => ({ variants: [{ mailed: 0 }] }));
    return variants.every(({ mailed }) => mailed > 0);
  };
  const isOver = (seen: boolean) => seen;
  await watch(() => isTried(drafts.decided), isOver);
  await owner.post(`${drafts.decided}/winner`, { variant: "B" });
  await watch(() => isTried(drafts.trying), isOver);
  for (const [path, sent] of [
    [drafts.scheduled, TAKEN_AT_ONCE],
    [drafts.decided, TAKEN_AT_ONCE],
    [drafts.zoned, TAKEN_AT_ONCE / 2],
  ] as const)
    await watch(
      () => owner.get<Progress>(path),
      (progress) => progress.sent >= sent,
    );
}

async function readInboxStats(inboxUrl: string): Promise<InboxStats> {
  return readJson(await fetch(`${inboxUrl}api/stats`));
}

/** Polls until `isOver` and returns every result. Throws when it takes too long. */
async function watch<T>(
  look: () => Promise<T>,
  isOver: (seen: T) => boolean,
  { pollMs = POLL_MS, limitMs = WATCH_LIMIT_MS } = {},
) {
  const seen: T[] = [];
  const giveUpAt = Date.now() + limitMs;
  while (Date.now() < giveUpAt) {
    const now = await look();
    seen.push(now);
    if (isOver(now)) return seen;
    await delay(pollMs);
  }
  throw new Error(`not over after ${limitMs} ms: ${JSON.stringify(seen.at(-1))}`);
}

const handled = ({ sent, failed }: Progress) => sent + failed;

/** Whole log of a project, page by page. */
async function readWholeLog(owner: Owner, projectPath: string): Promise<LogEntry[]> {
  const entries: LogEntry[] = [];
  for (;;) {
    const page = await owner.get<{ logs: LogEntry[] }>(
      `${projectPath}/logs?limit=200&offset=${entries.length}`,
    );
    entries.push(...page.logs);
    if (page.logs.length === 0) return entries;
  }
}

function report(what: string, sinceMs: number) {
  console.log(`${what}: ${((Date.now() - sinceMs) / 1000).toFixed(1)} s`);
}

// Linux shows the processes of a run; other systems give no way to find what to kill.
describe.runIf(process.platform === "linux")("a broadcast of the local service", () => {
  const KILLED_COUNT = 1_000;
  const stateDir = makeStateDir();
  /** Outlives the service, so that it knows which mails arrived before and after the kill. */
  let mailbox: Mailbox;
  let first: Run;
  let run: Run;
  let owner: Owner;
  /** The server of the drafts, which outlives the service too. */
  let server: DeferringServer;
  let drafts: Drafts;
  let killed: {
    path: string;
    id: string;
    plannedAt: number;
    killedAt: number;
    receivedBefore: number;
  };

  beforeAll(async () => {
    const [smtpPort = 0, httpPort = 0, draftsPort = 0] = await freePorts(3);
    mailbox = await startMailbox({ smtpPort, httpPort, ...ORIGINS });
    server = await startDeferringServer(draftsPort, isPutOff);
    first = await start(stateDir);
    owner = await openOwner(first);
    drafts = await startDrafts(owner, await prepareProject(owner, "Drafts", draftsPort));
    const projectId = await prepareProject(owner, "Killed", smtpPort);
    const { path, body } = await prepareNewsletter(owner, projectId, KILLED_COUNT);
    await waitForMiddle(owner, drafts);
    const plannedAt = Date.now();
    const { broadcast_id: id } = await owner.post<{ broadcast_id: string }>(
      `${path}/broadcast`,
      body,
      { Prefer: "respond-async" },
    );
    await watch(
      () => readInboxStats(mailbox.url),
      ({ received }) => received > KILLED_COUNT / 4,
      { pollMs: 20 },
    );
    await killEverything();
    server.acceptEverybody();
    const killedAt = Date.now();
    const { received } = await readInboxStats(mailbox.url);
    expect(received).toBeLessThan(KILLED_COUNT);

    run = await start(stateDir);
    owner = await openOwner(run);
    killed = { path, id, plannedAt, killedAt, receivedBefore: received };
    return async () => {
      await Promise.all([mailbox.close(), server.close()]);
    };
  }, SET_UP_TIMEOUT_MS);

  afterAll(endEverything);

  it("keeps the owner, the keys and the project for the next start, which prints them", () => {
    for (const label of ["Email", "Password", "API key", "Project"]) {
      expect(readLine(run, label)).not.toBe("");
      expect(readLine(run, label)).toBe(readLine(first, label));
    }
  });

  it(
    "killed halfway, finishes by itself after a restart, with one mail for each subscriber",
    async () => {
      const { path, id, plannedAt, killedAt, receivedBefore } = killed;
      const look = () => owner.get<Progress>(`${path}/broadcasts/${id}`);
      const atRestart = handled(await look());
      expect(atRestart).toBeLessThan(KILLED_COUNT);
      const slowly = { pollMs: 1_000, limitMs: TAKE_OVER_LIMIT_MS };
      // The queue of the local run dies with it, and so do the guards. The sweep stands in for
      // them.
      const sweepAndLook = () => sweep(run).then(look);
      await watch(sweepAndLook, (progress) => handled(progress) > atRestart, slowly);
      // By how long after the crash a chunk goes on is held by the clock of broadcast-rules.test.ts.
      report("the dead worker's chunk was taken over after", killedAt);
      const seen = await watch(sweepAndLook, ({ state }) => state !== "sending", slowly);
      const end = seen.at(-1);
      expect(end).toMatchObject({ state: "done", bounced: 0, suppressed: 0 });
      const { sent = 0, failed = 0 } = end ?? {};
      report(
        `killed after ${receivedBefore} of ${KILLED_COUNT} mails, ${failed} unknown, finished in`,
        plannedAt,
      );
      expect(sent + failed).toBe(KILLED_COUNT);
      // The message says how many workers died: one whose lease ends for lack of time counts, too.
      const left = unknownInLog(first.output + run.output, id);
      expect(failed, left).toBeLessThanOrEqual(MAX_UNKNOWN);

      const log = await readWholeLog(owner, path);
      expect(log).toHaveLength(KILLED_COUNT);
      expect(new Set(log.map(({ subscriber_id: subscriber }) => subscriber)).size).toBe(
        KILLED_COUNT,
      );
      const unknown = log.filter(({ status }) => status !== "sent");
      expect(unknown).toHaveLength(failed);
      for (const entry of unknown)
        expect(entry).toMatchObject({ status: "failed", error: "outcome unknown" });

      const { received, recipients } = await readInboxStats(mailbox.url);
      expect(received).toBe(recipients);
      expect(received).toBeGreaterThanOrEqual(sent); // all others are mailed
      expect(received).toBeLessThanOrEqual(KILLED_COUNT);
    },
    2 * TAKE_OVER_LIMIT_MS,
  );

  it(
    "killed during a scheduled start, an A/B test, its rest and a send by time zones, loses nobody, mails nobody twice and gives nobody two variants",
    async () => {
      for (const path of [drafts.scheduled, drafts.trying, drafts.decided, drafts.zoned]) {
        // Those whom the server put off would wait for their next attempt, if it is not over.
        expect([200, 409]).toContain(await owner.try(`${path}/pause`));
        expect([200, 409]).toContain(await owner.try(`${path}/resume`));
      }
      await owner.post(`${drafts.trying}/winner`, { variant: "A" });
      const limit = { limitMs: TAKE_OVER_LIMIT_MS };
      for (const [name, path] of Object.entries(drafts)) {
        const seen = await watch(
          () => sweep(run).then(() => owner.get<Progress>(path)),
          ({ state }) => state === "done",
          limit,
        );
        expect(seen.at(-1)).toMatchObject({ sent: DRAFT_READERS, failed: 0 });
        const got = server.mails.filter(({ subject }) => subject.startsWith(name));
        expect(got).toHaveLength(DRAFT_READERS);
        expect(new Set(got.map(({ to }) => to)).size).toBe(DRAFT_READERS);
      }
      for (const path of [drafts.trying, drafts.decided]) {
        const { variants } = await owner.get<{ variants: { mailed: number }[] }>(`${path}/trial`);
        expect(Math.min(...variants.map(({ mailed }) => mailed))).toBeGreaterThan(0);
      }
      expect(server.mails).toHaveLength(5 * DRAFT_READERS);
    },
    2 * TAKE_OVER_LIMIT_MS,
  );

  it(
    "reaches 1,000 subscribers and reports its progress meanwhile",
    async () => {
      // The mailbox now listens on another port, and the demo project follows it.
      expect(run.ports.MAILBOX_SMTP_PORT).not.toBe(first.ports.MAILBOX_SMTP_PORT);
      const inbox = readLine(run, "Inbox");
      expect(await runCurl(run)).toMatchObject({ message: "sent" });
      const projectId = await prepareProject(owner, "Reached", run.ports.MAILBOX_SMTP_PORT);
      const { path, body } = await prepareNewsletter(owner, projectId, 1_000);
      const before = await readInboxStats(inbox);
      const startedAt = Date.now();
      const answer = owner.post<Progress>(`${path}/broadcast`, body);
      const seen = await watch(
        async () =>
          (await owner.get<{ broadcasts: Progress[] }>(`${path}/broadcasts`)).broadcasts[0],
        (newest) => newest?.state === "done",
        { pollMs: POLL_MS / 2 },
      );
      report("1,000 subscribers mailed in", startedAt);
      expect(await answer).toMatchObject({
        sent: 1_000,
        failed: 0,
        bounced: 0,
        suppressed: 0,
        state: "done",
      });
      const counts = seen.map((progress) => progress?.sent ?? 0);
      expect(counts).toEqual(counts.toSorted((a, b) => a - b));
      expect(counts.some((count) => count > 0 && count < 1_000)).toBe(true);
      const after = await readInboxStats(inbox);
      expect(after.received - before.received).toBe(1_000);
      expect(after.recipients - before.recipients).toBe(1_000);
    },
    2 * WATCH_LIMIT_MS,
  );
});
