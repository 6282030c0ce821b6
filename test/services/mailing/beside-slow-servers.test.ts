/*
 * Mails beside a project whose mail server hangs (decision D14). The consumers of the
 * queues are the test's; the servers are real.
 */
import { connect } from "cloudflare:sockets";
import { afterEach, describe, expect, it, vi } from "vitest";
import { runScheduled } from "../../../src/cron/run-scheduled.ts";
import { handleBatch } from "../../../src/queues/handle-batch.ts";
import type { SocketFactory } from "../../../src/mail/net/socket.ts";
import { queueSettle } from "../../../src/services/mailing/settle-later.ts";
import { receivedMessages, waitForMessage } from "../../support/mailbox.ts";
import { allRows } from "../../support/rows.ts";
import { mailingWorld } from "../../support/service-mail.ts";
import { CAPTURING, unique } from "../../support/service.ts";
import { FAULTS } from "../../support/smtp/faults.ts";
import { startRawServer } from "../../support/smtp/raw-client.ts";
import { eventually, EVERY_MINUTE, MINUTE, SECOND } from "../../support/times.ts";

const PATIENCE_MS = 10 * SECOND;
const clock = { aheadMs: 0 };
const sleep = (ms: number) => new Promise<void>((resume) => setTimeout(resume, ms));

/*
 * The facts that the hubs look at, since a promise of a test cannot end what an object waits for:
 * how often the patience of workers and the connections to servers have ended, and whether the
 * workers have no patience at all.
 */
const ends = { patience: 0, connections: 0 };
let patient = 0;
let isImpatient = false;
const endOf = async (what: keyof typeof ends) => {
  for (const begun = ends[what]; ends[what] === begun;) await sleep(10);
};
const wait = async (ms: number) => {
  if (ms !== PATIENCE_MS) return sleep(ms);
  if (isImpatient) return;
  patient += 1;
  await endOf("patience");
};
/** Ends the patience of all workers that wait now, and counts anew those that begin to wait. */
const endPatience = () => {
  ends.patience += 1;
  patient = 0;
};
const sockets: SocketFactory = (to, how) => {
  const socket = connect(to, how);
  const end = endOf("connections").then(() => socket.close());
  void end.catch(() => undefined); // it may be closed by then
  return socket;
};
const address = () => `${unique("to")}@any.test`;

/** A queue with consumers of its own, which take one message at a time each. */
function queueOf(name: string, most: number) {
  let consumers = most;
  const waiting: { type: string; pendingMailId?: string }[] = [];
  let working = 0;
  const take = () => {
    const body = waiting.shift();
    if (!body || working >= consumers) return void (body && waiting.unshift(body));
    working += 1;
    const message = { id: unique("m"), timestamp: new Date(), attempts: 1, body, ack: () => {} };
    const batch = { queue: name, messages: [message] } as unknown as MessageBatch;
    void world.service
      .deps()
      .then((deps) => handleBatch(deps, batch))
      .finally(() => {
        working -= 1;
        take();
      });
    take();
  };
  const sendBatch = async (messages: { body: { type: string } }[]) => {
    waiting.push(...messages.map(({ body }) => body));
    take();
  };
  const queue = { sendBatch, send: (body: { type: string }) => sendBatch([{ body }]) };
  return {
    queue: queue as unknown as Queue<never>,
    held: () => working,
    waiting,
    employ: (n: number) => void (consumers = n),
  };
}

const mailQueue = queueOf("postrider-mail", 2);
const serviceQueue = queueOf("postrider-service", 1);
const world = await mailingWorld(
  () => Date.now() + clock.aheadMs,
  { MAIL_QUEUE: mailQueue.queue, SERVICE_QUEUE: serviceQueue.queue },
  { sockets, wait },
);
const { service } = world;
const owner = await service.newOwner();
afterEach(() =>
  eventually(() => {
    endPatience(); // and again for each mail that takes a place
    ends.connections += 1;
    expect([mailQueue.held(), mailQueue.waiting]).toEqual([0, []]);
  }),
);

/** A project with a server, and the joins of new subscribers, who get a welcome. */
async function projectAt(smtpPort = CAPTURING.smtpPort) {
  const project = await owner.newProject({ smtpPort });
  const made = await owner.post<{ key: string }>(`/projects/${project.id}/api-keys`, {
    name: "p",
    type: "pk",
  });
  const key = service.withKey(made.body.key);
  const join = async (email = address()) => {
    expect((await key.post("/join", { email, sendWelcomeEmail: true })).status).toBe(201);
    return email;
  };
  const owed = () =>
    allRows(
      "select attempts, due_at - ? as wait from pending_mails where project_id = ?",
      Date.now() + clock.aheadMs,
      project.id,
    );
  const logged = () =>
    allRows(
      "select status, count(*) as mails from logged_mails where project_id = ? group by status",
      project.id,
    );
  return { ...project, join, owed, logged };
}

/** Queues the outcome of a mail, as when D1 does not take it. */
async function settleLater() {
  const logId = unique("log");
  const facts = { subject: "s", tags: null, templateId: null, subscriberId: null };
  await queueSettle(await service.deps(), {
    projectId: world.project.id,
    mail: { logId, ...facts, broadcastId: null },
    outcome: { main: { email: "a@any.test", status: "sent", error: null }, copies: [] },
    operation: null,
  });
  return logId;
}
const isLogged = (logId: string) =>
  eventually(async () =>
    expect(await allRows("select status from logged_mails where id = ?", logId)).toHaveLength(1),
  );

describe("while the servers of projects hold every worker of their mail", () => {
  it("the service's own mail goes at once, and so does an outcome that waits for the log", async () => {
    const { port } = await startRawServer(FAULTS.silentAfterFinalDot);
    const { join } = await projectAt(port);
    for (let n = 0; n < 3; n++) await join();
    await eventually(() => expect([mailQueue.held(), mailQueue.waiting.length]).toEqual([2, 1]));
    const logId = await settleLater();
    await service.anonymous.post("/auth/forgot", { email: world.operator.email });
    await waitForMessage(world.operator.email, 10_000);
    await isLogged(logId);
    expect(mailQueue.held()).toBe(2);
  });
});

const idle = () => eventually(() => expect([mailQueue.held(), mailQueue.waiting]).toEqual([0, []]));

/** Runs the sweep of each minute until a project owes no mail. */
async function sweepUntilSent({ owed }: { owed: () => Promise<unknown[]> }) {
  for (let minute = 0; minute < 30 && (await owed()).length > 0; minute++) {
    clock.aheadMs += MINUTE;
    await runScheduled(await service.deps(), EVERY_MINUTE);
    await idle();
  }
  expect(await owed()).toEqual([]);
}

/** The minutes after which the mails that a project owes are due. */
async function waitsOf({ owed }: { owed: () => Promise<Record<string, unknown>[]> }) {
  const waits = (await owed()).map(({ wait: ms }) => Math.max(0, Math.ceil(Number(ms) / MINUTE)));
  return waits.toSorted((a, b) => a - b);
}

async function useServer({ id }: { id: string }, smtp_port: number) {
  const server = { smtp_host: "127.0.0.1", smtp_port, smtp_user: "user", smtp_password: "pass" };
  const settings = { ...server, from_email: "sender@postrider.test" };
  expect((await owner.put(`/projects/${id}/smtp`, settings)).status).toBe(200);
}

/** A project whose server has hung with four mails for so long that it is slow. */
async function slowProject() {
  mailQueue.employ(4);
  const { port } = await startRawServer(FAULTS.silentAtRcpt);
  const project = await projectAt(port);
  await Promise.all(Array.from({ length: 4 }, () => project.join()));
  await eventually(() => expect(patient).toBe(4));
  clock.aheadMs += PATIENCE_MS;
  endPatience();
  await idle();
  return project;
}

const EVENTS = new Set(["mail_server_slow", "mail_server_quick"]);

describe("a project whose mail server hangs", () => {
  it("holds a few workers for ten seconds; its other mails wait, and those of other projects do not", async () => {
    mailQueue.employ(4);
    const { port } = await startRawServer(FAULTS.silentAtRcpt);
    const hanging = await projectAt(port);
    const healthy = await projectAt();
    const emails = await Promise.all(Array.from({ length: 9 }, () => hanging.join()));
    await eventually(() => expect(patient).toBe(4));
    expect(mailQueue.held()).toBe(4);

    clock.aheadMs += PATIENCE_MS;
    endPatience();
    await idle(); // without any further outcome of the server
    const others = await Promise.all(Array.from({ length: 6 }, () => healthy.join()));
    for (const email of others) await waitForMessage(email);
    await eventually(async () => expect(await healthy.owed()).toEqual([]));
    expect(await waitsOf(hanging)).toEqual([0, 0, 0, 0, 0, 3, 3, 3, 3]);

    await useServer(hanging, CAPTURING.smtpPort);
    ends.connections += 1; // the server is gone, and another one has taken its place
    const failed = { status: "failed", mails: 4 };
    const sent = { status: "sent", mails: 5 }; // each end wakes the next mail, without the sweep
    await eventually(async () => expect(await hanging.logged()).toEqual([failed, sent]));
    await sweepUntilSent(hanging);
    for (const email of emails) expect(await receivedMessages(email)).toHaveLength(1);
    expect(await hanging.logged()).toEqual([failed, { status: "sent", mails: 9 }]);
  });

  it("holds no worker any more once it is slow, which the log says once, as it says the end", async () => {
    const lines = (["warn", "info"] as const).map((level) => vi.spyOn(console, level));
    const project = await slowProject();
    await project.join();
    await project.join();
    await eventually(async () => expect(await waitsOf(project)).toEqual([0, 0, 3, 3, 3, 3]));
    ends.connections += 1; // the four end, and the server hangs with the two
    await eventually(async () => expect(await waitsOf(project)).toEqual([3, 3, 3, 3, 3, 3]));
    await idle();

    await useServer(project, CAPTURING.smtpPort);
    ends.connections += 1;
    await eventually(async () =>
      expect(await project.logged()).toEqual([{ status: "failed", mails: 6 }]),
    );
    await idle();
    const told = lines.map(({ mock: { calls } }) =>
      calls.map(([line]) => JSON.parse(String(line))).filter(({ event }) => EVENTS.has(event)),
    );
    expect(told).toMatchObject([
      [{ event: "mail_server_slow", projectId: project.id }],
      [{ event: "mail_server_quick", projectId: project.id }],
    ]);
    await sweepUntilSent(project);
    expect(await project.logged()).toEqual([
      { status: "failed", mails: 6 },
      { status: "sent", mails: 6 },
    ]);
  });

  it("gets none of its deferred mails before their time when others end", async () => {
    const project = await slowProject();
    await project.join();
    await eventually(async () => expect(await waitsOf(project)).toEqual([0, 3, 3, 3, 3]));
    const dueAt = Date.now() + clock.aheadMs + 20 * SECOND;
    await allRows(
      "update pending_mails set due_at = ?1 where project_id = ?2 and due_at < ?1",
      dueAt,
      project.id,
    );
    await useServer(project, CAPTURING.smtpPort);
    ends.connections += 1;
    await eventually(async () =>
      expect(await project.logged()).toEqual([{ status: "failed", mails: 4 }]),
    );
    await idle();
    expect(await waitsOf(project)).toEqual([1, 3, 3, 3, 3]);
    await sweepUntilSent(project);
  });

  it("keeps no worker, and its mail that arrives late is neither repeated nor lost", async () => {
    const project = await projectAt();
    isImpatient = true;
    const email = await project.join();
    await eventually(async () =>
      expect(await project.logged()).toEqual([{ status: "sent", mails: 1 }]),
    );
    await idle();
    isImpatient = false;
    expect(await waitsOf(project)).toEqual([3]);
    await sweepUntilSent(project);
    expect(await receivedMessages(email)).toHaveLength(1);
    expect(await project.logged()).toEqual([{ status: "sent", mails: 1 }]);
  });
});

describe("the sweep", () => {
  it("wakes mail of the service first, even before older mails of its project and of many others", async () => {
    serviceQueue.employ(0);
    mailQueue.employ(0);
    const at = Date.now() + clock.aheadMs;
    const insert = `insert into pending_mails (id, project_id, subscriber_id, kind, due_at, created_at)
      with recursive n(i) as (select 1 union all select i + 1 from n where i < ?1)
      select 'fake ' || ?2 || i, case ?2 when 'p' then i else ?2 end, '', ?3, ?4, ?4 from n`;
    await allRows(insert, 100, "p", "subscriber", at - MINUTE);
    await allRows(insert, 70, world.project.id, "subscriber", at - MINUTE);
    await allRows(insert.replace("fake", "own"), 70, world.project.id, "notice", at);
    await runScheduled(await service.deps(), EVERY_MINUTE);
    await allRows("delete from pending_mails where id like 'fake %' or id like 'own %'");
    expect([serviceQueue.waiting.length, mailQueue.waiting.length]).toEqual([60, 40]);
    for (const queue of [serviceQueue, mailQueue]) queue.waiting.length = 0;
  });
});
