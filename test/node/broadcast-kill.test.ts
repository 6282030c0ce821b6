import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startMailbox, type Mailbox } from "../../scripts/mailbox/mailbox.ts";
import {
  ANNOUNCED,
  endEverything,
  freePorts,
  killEverything,
  logIn,
  makeStateDir,
  readJson,
  readLine,
  runCurl,
  start,
  type Run,
} from "./support/local-run.ts";

const SET_UP_TIMEOUT_MS = 150_000;
const POLL_MS = 250;
const WATCH_LIMIT_MS = 100_000;
const TAKE_OVER_LIMIT_MS = 60_000;
/** The time after a crash, or after a restart that took longer, by which a chunk goes on. */
const RESUME_LIMIT_MS = 30_000;
const RESTART_SLACK_MS = 10_000;

/** Addresses of nobody: the mailbox shows no image and reports no mail here. */
const ORIGINS = { imageOrigin: "http://127.0.0.1:9", serviceOrigin: "http://127.0.0.1:9" };

/** An unreachable resolver: without one no address is rejected. */
const SETTINGS = { DOH_URL: "http://127.0.0.1:9/" };

/** Mails whose outcome one dead worker may leave unknown: four sessions with four in flight. */
const MAX_UNKNOWN = 16;

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
  const headers = { Cookie: await logIn(run), "Content-Type": "application/json" };
  const call = async <T>(method: string, path: string, body?: unknown, extra = {}) => {
    const init: RequestInit = { method, headers: { ...headers, ...extra } };
    if (body !== undefined) init.body = JSON.stringify(body);
    const response = await fetch(base + path, init);
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return readJson<T>(response);
  };
  return {
    get: <T>(path: string) => call<T>("GET", path),
    put: <T>(path: string, body: unknown) => call<T>("PUT", path, body),
    post: <T>(path: string, body: unknown, extra = {}) => call<T>("POST", path, body, extra),
  };
}

type Owner = Awaited<ReturnType<typeof openOwner>>;

/** Imports `count` subscribers into a project and creates a newsletter with three links. */
async function prepareNewsletter(owner: Owner, projectId: string, count: number) {
  const path = `/projects/${projectId}`;
  const rows = Array.from({ length: count }, (_, n) => ({
    email: `reader-${n}@readers.example`,
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

/** Runs the handler of every minute ahead of its time. */
async function sweep(run: Run) {
  const path = `/cdn-cgi/handler/scheduled?cron=${encodeURIComponent("* * * * *")}`;
  expect((await fetch(readLine(run, "Address") + path)).status).toBe(200);
}

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
  const KILLED_COUNT = 2_000;
  const stateDir = makeStateDir();
  /** Outlives the service, so that it knows which mails arrived before and after the kill. */
  let mailbox: Mailbox;
  let first: Run;
  let run: Run;
  let owner: Owner;
  let killed: {
    path: string;
    id: string;
    plannedAt: number;
    killedAt: number;
    restartedAt: number;
    receivedBefore: number;
  };

  beforeAll(async () => {
    const [smtpPort = 0, httpPort = 0] = await freePorts(2);
    mailbox = await startMailbox({ smtpPort, httpPort, ...ORIGINS });
    first = await start(stateDir, ANNOUNCED, SETTINGS);
    owner = await openOwner(first);
    const project = await owner.post<{ id: string }>("/projects", { name: "Killed" });
    await owner.put(`/projects/${project.id}/smtp`, {
      smtp_host: "127.0.0.1",
      smtp_port: smtpPort,
      smtp_user: "any",
      smtp_password: "any",
      from_name: "News",
      from_email: "news@sender.example",
    });
    const { path, body } = await prepareNewsletter(owner, project.id, KILLED_COUNT);
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
    const killedAt = Date.now();
    const { received } = await readInboxStats(mailbox.url);
    expect(received).toBeLessThan(KILLED_COUNT);

    run = await start(stateDir, ANNOUNCED, SETTINGS);
    owner = await openOwner(run);
    const restartedAt = Date.now();
    killed = { path, id, plannedAt, killedAt, restartedAt, receivedBefore: received };
    return () => mailbox.close();
  }, SET_UP_TIMEOUT_MS);

  afterAll(endEverything);

  it("keeps the owner, the keys and the project for the next start, which prints them", () => {
    for (const label of ["Email", "Password", "API key", "Project"]) {
      expect(readLine(run, label)).not.toBe("");
      expect(readLine(run, label)).toBe(readLine(first, label));
    }
  });

  it(
    "killed in its middle ends by itself after a restart, with one mail for each subscriber",
    async () => {
      const { path, id, plannedAt, killedAt, restartedAt, receivedBefore } = killed;
      const look = () => owner.get<Progress>(`${path}/broadcasts/${id}`);
      const atRestart = handled(await look());
      expect(atRestart).toBeLessThan(KILLED_COUNT);
      const slowly = { pollMs: 1_000, limitMs: TAKE_OVER_LIMIT_MS };
      // The queue of the local run dies with it, and so do the guards. The sweep stands in for them.
      const sweepAndLook = () => sweep(run).then(look);
      await watch(sweepAndLook, (progress) => handled(progress) > atRestart, slowly);
      report("the dead worker's chunk was taken over after", killedAt);
      expect(Date.now()).toBeLessThan(
        Math.max(killedAt + RESUME_LIMIT_MS, restartedAt + RESTART_SLACK_MS),
      );
      const seen = await watch(sweepAndLook, ({ state }) => state !== "sending", slowly);
      const end = seen.at(-1);
      expect(end).toMatchObject({ state: "done", bounced: 0, suppressed: 0 });
      const { sent = 0, failed = 0 } = end ?? {};
      report(
        `killed after ${receivedBefore} of ${KILLED_COUNT} mails, ${failed} unknown, finished in`,
        plannedAt,
      );
      expect(sent + failed).toBe(KILLED_COUNT);
      expect(failed).toBeLessThanOrEqual(MAX_UNKNOWN);

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
    "reaches 3,000 subscribers and shows its progress meanwhile",
    async () => {
      // The mailbox now listens on another port, and the project follows it.
      expect(run.ports.MAILBOX_SMTP_PORT).not.toBe(first.ports.MAILBOX_SMTP_PORT);
      const inbox = readLine(run, "Inbox");
      expect(await runCurl(run)).toMatchObject({ message: "sent" });
      const { path, body } = await prepareNewsletter(owner, readLine(run, "Project"), 3_000);
      const before = await readInboxStats(inbox);
      const startedAt = Date.now();
      const answer = owner.post<Progress>(`${path}/broadcast`, body);
      const seen = await watch(
        async () =>
          (await owner.get<{ broadcasts: Progress[] }>(`${path}/broadcasts`)).broadcasts[0],
        (newest) => newest?.state === "done",
        { pollMs: POLL_MS / 2 },
      );
      report("3,000 subscribers mailed in", startedAt);
      expect(await answer).toMatchObject({
        sent: 3_000,
        failed: 0,
        bounced: 0,
        suppressed: 0,
        state: "done",
      });
      const counts = seen.map((progress) => progress?.sent ?? 0);
      expect(counts).toEqual(counts.toSorted((a, b) => a - b));
      expect(new Set(counts).size).toBeGreaterThanOrEqual(5);
      const after = await readInboxStats(inbox);
      expect(after.received - before.received).toBe(3_000);
      expect(after.recipients - before.recipients).toBe(3_000);
    },
    2 * WATCH_LIMIT_MS,
  );
});
