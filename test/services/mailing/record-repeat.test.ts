import { describe, expect, it, vi } from "vitest";
import { handleBatch } from "../../../src/queues/handle-batch.ts";
import type { OutcomeMessage } from "../../../src/queues/messages.ts";
import { isRecord, newNewsletter, scenario } from "../../support/broadcasting.ts";
import { newWebhook, WEBHOOK_QUEUE } from "../../support/events.ts";
import { receivedMessages } from "../../support/mailbox.ts";
import { CAPTURING, createService, unique, type Service } from "../../support/service.ts";

const queued: OutcomeMessage[] = [];
let refusal: Error | undefined;
const WAKE_QUEUE = {
  send: async (message: OutcomeMessage) => {
    if (refusal) throw refusal;
    queued.push(message);
  },
} as unknown as Service["env"]["WAKE_QUEUE"];
const waited: number[] = [];
const wait = async (ms: number) => {
  waited.push(ms);
};
const service = createService({ WEBHOOK_QUEUE, WAKE_QUEUE }, { wait });
const owner = await service.newOwner();
const address = () => `${unique("to")}@any.test`;

interface RecordLine {
  event: string;
  waitMs: number;
}

interface LogEntry {
  id: string;
  status: string;
  to_email: string;
  sent_at: string;
}

/** Makes the queue deliver a message for the nth time and returns its verdict. */
async function consume(body: OutcomeMessage | undefined, attempts = 1) {
  if (!body) throw new Error("nothing was queued");
  const fates: string[] = [];
  const message = {
    id: "record",
    timestamp: new Date(),
    attempts,
    body,
    ack: () => fates.push("acked"),
    retry: ({ delaySeconds = 0 } = {}) => fates.push(`again in ${delaySeconds} s`),
  };
  const batch = { queue: "postrider-wake", messages: [message] } as unknown as MessageBatch;
  await handleBatch(await service.deps(), batch);
  return fates;
}

async function newSender() {
  const project = await owner.newProject(CAPTURING);
  const path = `/projects/${project.id}`;
  const hook = await newWebhook(project.id);
  const send = (to: string, headers: Record<string, string> = {}) =>
    owner.post<{ id: string }>(
      `${path}/send`,
      { to, subject: "Hello", html_body: "<p>Hi</p>" },
      headers,
    );
  const logs = async () => (await owner.get<{ logs: LogEntry[] }>(`${path}/logs`)).body.logs;
  return { path, hook, send, logs };
}

describe("a record that D1 fails", () => {
  type When = "before" | "after";

  /**
   * Fails the records in `which`, counted from 1, before or after the write, and counts them all.
   */
  async function failing<T>(
    { d1 }: Service,
    when: When,
    which: (nth: number) => boolean,
    work: () => Promise<T>,
  ) {
    let tries = 0;
    d1[when] = (statements) => {
      if (isRecord(statements) && which(++tries)) throw new Error("D1 is out of breath");
    };
    try {
      const answer = await work();
      return { answer, tries };
    } finally {
      d1[when] = undefined;
    }
  }
  const once = (nth: number) => nth === 1;
  const everyOther = (nth: number) => nth % 2 === 1;
  const always = () => true;

  it.each<[string, When, Record<string, string>]>([
    ["a send", "before", {}],
    ["a send", "after", {}],
    ["a send with a key", "before", { "Idempotency-Key": "once-before" }],
    ["a send with a key", "after", { "Idempotency-Key": "once-after" }],
  ])(
    "once, for %s, %s the write, is repeated: counted, logged and emitted once",
    async (_what, when, headers) => {
      const { path, hook, send, logs } = await newSender();
      const to = address();
      const { answer, tries } = await failing(service, when, once, () => send(to, headers));
      expect(answer.status).toBe(200);
      expect(tries).toBe(2);
      expect(await logs()).toMatchObject([{ id: answer.body.id, status: "sent" }]);
      expect((await owner.get(`${path}/stats`)).body).toMatchObject({ total: 1, sent: 1 });
      expect(await hook.types()).toEqual(["email.sent"]);
      expect(await receivedMessages(to)).toHaveLength(1);
      if (Object.keys(headers).length > 0)
        expect((await send(to, headers)).body).toMatchObject({ id: answer.body.id });
    },
  );

  it.each<[string, Record<string, string>]>([
    ["a send", {}],
    ["a send with a key", { "Idempotency-Key": "queued" }],
  ])(
    "four times, for %s, is queued: the caller knows it is sent, and D1 has it once, later",
    async (_what, headers) => {
      const { path, hook, send, logs } = await newSender();
      const to = address();
      const sentAfter = Date.now();
      const { answer, tries } = await failing(service, "before", always, () => send(to, headers));
      expect(answer.status).toBe(200);
      expect(tries).toBe(4);
      expect(await logs()).toEqual([]);
      const [message] = queued.splice(0);
      const stillFails = await failing(service, "before", always, () => consume(message, 3));
      expect(stillFails.answer).toEqual(["again in 20 s"]);
      const knownAt = Date.now();
      expect(await consume(message)).toEqual(["acked"]);
      expect(await consume(message)).toEqual(["acked"]); // queues deliver at least once
      const [entry, ...others] = await logs();
      expect(others).toEqual([]);
      expect(entry).toMatchObject({ id: answer.body.id, status: "sent", to_email: to });
      const sentAt = Date.parse(entry?.sent_at ?? "");
      expect(sentAt).toBeGreaterThanOrEqual(sentAfter);
      expect(sentAt).toBeLessThanOrEqual(knownAt);
      expect((await owner.get(`${path}/stats`)).body).toMatchObject({ total: 1, sent: 1 });
      expect(await hook.types()).toEqual(["email.sent"]);
      if (Object.keys(headers).length > 0)
        expect((await send(to, headers)).body).toMatchObject({ id: answer.body.id });
      expect(await receivedMessages(to)).toHaveLength(1);
    },
  );

  it("is recorded before the senders that its batch wakes", async () => {
    const { send } = await newSender();
    await failing(service, "before", always, () => send(address()));
    const bodies = [{ type: "wake", projectId: unique("project") }, ...queued.splice(0)];
    const acked: string[] = [];
    const messages = bodies.map((body) => ({ id: "", body, ack: () => acked.push(body.type) }));
    const batch = { queue: "postrider-wake", messages } as unknown as MessageBatch;
    await handleBatch(await service.deps(), batch);
    expect(acked).toEqual(["outcome", "wake"]);
  });

  it("four times, of a mail that bounced, is queued with the suppression", async () => {
    const { path, send, logs } = await newSender();
    const to = `rcpt.550.5.1.1.${unique("gone")}@any.test`;
    const { answer } = await failing(service, "before", always, () => send(to));
    expect(answer.status).toBe(502);
    expect((await owner.get(`${path}/suppressions`)).body).toMatchObject({ total: 0 });
    expect(await consume(queued.splice(0)[0])).toEqual(["acked"]);
    expect((await owner.get(`${path}/suppressions`)).body).toMatchObject({ total: 1 });
    expect(await logs()).toMatchObject([{ status: "bounced", reason: "user_unknown" }]);
  });

  it("four times is queued with all that the timeline of the mail tells", async () => {
    const { path, send } = await newSender();
    const { answer } = await failing(service, "before", always, () => send(address()));
    const [message] = queued.splice(0);
    if (!message) throw new Error("nothing was queued");
    const earlier = [{ at: Date.now(), error: "could not connect" }];
    const main = { ...message.outcome.main, queueId: "4XyZ12", earlier };
    const outcome = { ...message.outcome, main };
    expect(await consume({ ...message, outcome })).toEqual(["acked"]);
    expect((await owner.get(`${path}/logs/${answer.body.id}`)).body).toMatchObject({
      queue_id: "4XyZ12",
      attempts: [{ status: "deferred", error: "could not connect" }, { status: "sent" }],
    });
  });

  it("and that no queue takes fails the send after four tries, and logs each wait", async () => {
    waited.length = 0;
    const { hook, send, logs } = await newSender();
    const warned = vi.spyOn(console, "warn").mockReturnValue();
    refusal = new Error("the queue is out of breath");
    const { answer, tries } = await failing(service, "before", always, () => send(address()));
    refusal = undefined;
    const lines = warned.mock.calls.map(([line]) => JSON.parse(String(line)) as RecordLine);
    warned.mockRestore();
    expect(lines.map(({ event }) => event)).toEqual(Array(3).fill("record_repeated"));
    [100, 500, 2_000].forEach((leastMs, nth) => {
      expect(lines[nth]?.waitMs).toBeGreaterThanOrEqual(leastMs);
      expect(lines[nth]?.waitMs).toBeLessThanOrEqual(1.2 * leastMs);
    });
    expect(waited).toEqual(lines.map(({ waitMs }) => waitMs));
    expect(tries).toBe(4);
    expect(answer.status).toBe(500);
    expect(await logs()).toEqual([]);
    expect(await hook.types()).toEqual([]);
  });

  it("for seconds loses no recipient of a broadcast, and its sender goes on", async () => {
    const { service: world, news, id, work } = await scenario(60);
    await failing(world, "before", (nth) => nth < 5, work);
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 60, failed: 0 });
    expect(new Set(await news.received()).size).toBe(60);
  });

  it("for longer than the sender of a broadcast waits is made up for from the journal by its next run", async () => {
    const { service: world, news, id, work, run } = await scenario(60);
    await failing(world, "before", always, () => expect(work()).rejects.toThrow("out of breath"));
    expect(await news.logs()).toEqual([]);
    await run();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 60, failed: 0 });
    expect(await news.logs()).toHaveLength(60);
    expect(new Set(await news.received()).size).toBe(60);
  });

  it.each<[When]>([["before"], ["after"]])(
    "once, for each record of a batch, %s the write, loses and doubles nothing",
    async (when) => {
      const news = await newNewsletter(service, owner);
      const hook = await newWebhook(news.id, ["email.sent"]);
      const recipients = Array.from({ length: 100 }, (_, n) => ({
        to: `b${n}.${news.from}`,
        data: {},
      }));
      const { answer } = await failing(service, when, everyOther, () =>
        owner.post(`${news.path}/send/batch`, { template_id: news.templateId, recipients }),
      );
      expect(answer.body).toEqual({
        sent: 100,
        failed: 0,
        bounced: 0,
        suppressed: 0,
        failures: [],
      });
      const received = await news.received();
      expect(received).toHaveLength(100);
      expect(new Set(received).size).toBe(100);
      expect(await news.logs()).toHaveLength(100);
      expect(await news.stats()).toMatchObject({ total: 100, sent: 100 });
      expect(await hook.types()).toHaveLength(100);
    },
  );

  it.each<[When]>([["before"], ["after"]])(
    "once, for each record of a broadcast, %s the write, loses and doubles no recipient",
    async (when) => {
      const { service: world, news, id, work } = await scenario(150);
      const hook = await newWebhook(news.id, ["email.sent"]);
      await failing(world, when, everyOther, work);
      expect(await news.progress(id)).toMatchObject({ state: "done", sent: 150, failed: 0 });
      const received = await news.received();
      expect(received).toHaveLength(150);
      expect(new Set(received).size).toBe(150);
      expect(await news.logs()).toHaveLength(150);
      expect(await news.stats()).toMatchObject({ total: 150, sent: 150 });
      expect(await hook.types()).toHaveLength(150);
    },
  );

  it("after it took effect, and paused before it is repeated, mails everybody once in the end", async () => {
    const { service: world, news, id, work, owner: person, finish } = await scenario(150);
    let paused: Promise<unknown> | undefined;
    const firstAndPause = (nth: number) => {
      if (nth > 1) return false;
      paused = person.post(`${news.path}/broadcasts/${id}/pause`);
      return true;
    };
    await failing(world, "after", firstAndPause, work);
    await paused;
    expect((await news.progress(id)).state).toBe("paused");
    expect((await person.post(`${news.path}/broadcasts/${id}/resume`)).status).toBe(200);
    await finish();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 150, failed: 0 });
    const received = await news.received();
    expect(received).toHaveLength(150);
    expect(new Set(received).size).toBe(150);
    expect(await news.logs()).toHaveLength(150);
  });
});

describe("a mail whose outcome arrives after the deletion of its project", () => {
  /** Deletes a project with all its rows before the first statement that contains this text. */
  const deletedBefore = (words: string, path: string) => {
    const racing = createService({ WEBHOOK_QUEUE });
    let isDeleted = false;
    racing.d1.before = async (statements) => {
      if (isDeleted || !statements.some((text) => text.includes(words))) return;
      isDeleted = true;
      expect((await owner.delete(path)).status).toBe(204);
    };
    return racing;
  };

  async function rowsOf(projectId: string) {
    const tables = ["suppressions", "logged_mails", "rollups", "send_operations"];
    const counts = await service.env.DB.batch<{ n: number }>(
      [...tables, "webhook_deliveries", "project_counters"].map((table) =>
        service.env.DB.prepare(`select count(*) as n from ${table} where project_id = ?`).bind(
          projectId,
        ),
      ),
    );
    return counts.map(({ results }) => results[0]?.n);
  }

  it.each([
    ["a send", {}],
    ["a send with a key", { "Idempotency-Key": "deleted" }],
  ])("leaves no row behind: %s that is refused at RCPT", async (_what, headers) => {
    const { path } = await newSender();
    const to = `rcpt.550.5.1.1.${unique("gone")}@any.test`;
    const mail = { to, subject: "Hello", html_body: "<p>Hi</p>" };
    const racing = deletedBefore("insert into log_entries", path);
    await racing.anonymous.request("POST", `${path}/send`, mail, {
      Cookie: owner.cookie,
      ...headers,
    });
    expect(await rowsOf(path.slice("/projects/".length))).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it("is not sent and leaves no row when the deletion precedes the claim", async () => {
    const { path } = await newSender();
    const to = address();
    const mail = { to, subject: "Hello", html_body: "<p>Hi</p>" };
    const racing = deletedBefore('insert into "send_operations"', path);
    const answer = await racing.anonymous.request("POST", `${path}/send`, mail, {
      Cookie: owner.cookie,
      "Idempotency-Key": "deleted-before",
    });
    expect([answer.status, answer.body]).toMatchObject([404, { error: "project not found" }]);
    expect(await receivedMessages(to)).toEqual([]);
    expect(await rowsOf(path.slice("/projects/".length))).toEqual([0, 0, 0, 0, 0, 0]);
  });
});
