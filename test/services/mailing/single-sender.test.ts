/*
 * Single mails through the sender of their project: warm sessions, records in groups, and what
 * happens when the sender is busy, gone or wrong. The faults of SMTP are in mail/smtp-warm.test.ts.
 */
import { env, runInDurableObject } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import type { ProjectSender } from "../../../src/index.ts";
import { uuidAt } from "../../../src/lib/ids.ts";
import { hintNear } from "../../../src/lib/location-hint.ts";
import type { SendCall } from "../../../src/project-object.ts";
import { handleBatch } from "../../../src/queues/handle-batch.ts";
import type { OutcomeMessage } from "../../../src/queues/messages.ts";
import { groupRecords } from "../../../src/services/mailing/group-records.ts";
import { isRecord } from "../../support/broadcasting.ts";
import { newWebhook, WEBHOOK_QUEUE } from "../../support/events.ts";
import { runSender } from "../../support/project-objects.ts";
import { insertRow, insertSubscriber } from "../../support/rows.ts";
import { createService, unique, type Service } from "../../support/service.ts";
import { startRawServer } from "../../support/smtp/raw-client.ts";
import type { RawScript } from "../../support/smtp/raw-script.ts";
import { deliveries } from "../../support/smtp/shipping.ts";
import { eventually } from "../../support/times.ts";

type Objects = Service["env"]["PROJECT_SENDER"];
type Stub = ReturnType<Objects["get"]>;

const service = createService({ WEBHOOK_QUEUE });
const owner = await service.newOwner();
const address = () => `${unique("to")}@any.test`;
const mailTo = (to: string, more: object = {}) => ({
  to,
  subject: "Hello",
  html_body: "<p>Hi</p>",
  ...more,
});
const DATA = ["PIPELINING", "8BITMIME"];
/** Answers a mail two seconds after its final dot. */
const HELD = {
  on: "body",
  steps: [{ send: "250 2.0.0 accepted\r\n", chunkBytes: 1, everyMs: 100 }],
};
const pause = (ms: number) => new Promise((resume) => setTimeout(resume, ms));

/** A project whose server plays a script. `from` sends through another service. */
async function newSender(script: RawScript = { offers: ["PIPELINING", "8BITMIME"] }) {
  const server = await startRawServer(script);
  const { id } = await owner.newProject({ smtpPort: server.port });
  const path = `/projects/${id}`;
  const from =
    (other: Service) =>
    (to: string, more?: object, headers = {}) =>
      other.anonymous.request<{ id: string; error: string; code: string }>(
        "POST",
        `${path}/send`,
        mailTo(to, more),
        { Cookie: owner.cookie, ...headers },
      );
  const logs = async () =>
    (await owner.get<{ logs: { id: string; status: string; error: string }[] }>(`${path}/logs`))
      .body.logs;
  const mailed = async () => [...(await deliveries(server)).values()];
  const connections = async () => (await server.log()).connections.length;
  return { id, path, server, from, send: from(service), logs, mailed, connections };
}

/** A service whose objects answer `send` by this function. */
function withHub(send: (call: Parameters<Stub["send"]>[0], real: Stub) => Promise<unknown>) {
  const queued: { message: OutcomeMessage; delaySeconds: number }[] = [];
  const WAKE_QUEUE = {
    send: async (message: OutcomeMessage, { delaySeconds = 0 } = {}) => {
      queued.push({ message, delaySeconds });
    },
  } as unknown as Service["env"]["WAKE_QUEUE"];
  const other = createService({ WAKE_QUEUE, WEBHOOK_QUEUE });
  const { PROJECT_SENDER: real } = other.env;
  other.env.PROJECT_SENDER = {
    idFromName: (name: string) => real.idFromName(name),
    get: (id: DurableObjectId) => {
      const stub = real.get(id);
      return {
        take: (...hit: Parameters<Stub["take"]>) => stub.take(...hit),
        send: (call: Parameters<Stub["send"]>[0]) => send(call, stub),
      };
    },
  } as unknown as Objects;
  return { other, queued };
}

async function consume(body: OutcomeMessage | undefined) {
  if (!body) throw new Error("nothing was queued");
  const message = {
    id: "1",
    timestamp: new Date(),
    attempts: 1,
    body,
    ack: vi.fn(),
    retry: vi.fn(),
  };
  const batch = { queue: "postrider-wake", messages: [message] } as unknown as MessageBatch;
  await handleBatch(await service.deps(), batch);
  expect(message.ack).toHaveBeenCalledOnce();
}

const realStub = (id: string) => env.PROJECT_SENDER.get(env.PROJECT_SENDER.idFromName(id));

describe("mails of one project", () => {
  it("share a session, in the object as the platform runs it", async () => {
    const { id, server } = await newSender();
    const real = createService({ PROJECT_SENDER: env.PROJECT_SENDER });
    for (let nth = 0; nth < 3; nth++) {
      const answer = await real.anonymous.request(
        "POST",
        `/projects/${id}/send`,
        mailTo(address(), { attachments: [{ filename: "a.txt", content: btoa("attached") }] }),
        { Cookie: owner.cookie },
      );
      expect(answer).toMatchObject({ status: 200, body: { message: "sent" } });
      expect(answer.headers.get("RateLimit-Remaining")).toBe(String(59 - nth));
    }
    const { connections } = await server.log();
    expect(connections.map(({ transactions }) => transactions.length)).toEqual([3]);
    expect(connections[0]?.transactions[0]?.body).toContain(btoa("attached"));
    const { body } = await owner.get(`/projects/${id}/logs`);
    const sent = { status: "sent" };
    expect(body).toMatchObject({ total: 3, logs: [sent, sent, sent] });
    const stored = await runInDurableObject(realStub(id), (_object, { storage }) =>
      storage.sql.exec<{ slots: string }>("select slots from windows").one(),
    );
    const hits: [atMs: number, hits: number][] = JSON.parse(stored.slots);
    expect(hits.reduce((sum, [, count]) => sum + count, 0)).toBe(3); // an eviction loses none
  });

  it("open five connections at most, and record in few round trips", async () => {
    const body = [{ send: "250 2.0.0 ok\r\n" }];
    const { send, server, logs, mailed, path } = await newSender({
      offers: ["PIPELINING", "CHUNKING"],
      rules: [{ on: "body", steps: body }],
    });
    let records = 0;
    const release = Promise.withResolvers<void>(); // a slow database
    service.d1.before = async (sql) => {
      if (!isRecord(sql)) return;
      records += 1;
      await release.promise;
    };
    const sends = Array.from({ length: 50 }, () => send(address()));
    await eventually(async () => expect(await mailed()).toHaveLength(50));
    release.resolve();
    const answers = await Promise.all(sends);
    service.d1.before = undefined;
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
    expect((await server.log()).openMax).toBeLessThanOrEqual(5);
    expect(records).toBeLessThanOrEqual(10);
    const ids = (await logs()).map(({ id }) => id);
    expect(new Set(ids)).toEqual(new Set(answers.map((answer) => answer.body.id)));
    expect((await owner.get(`${path}/stats`)).body).toMatchObject({ total: 50, sent: 50 });
  });

  it("are counted before they leave: the 61st of a minute is refused and not sent", async () => {
    const { send, mailed, logs } = await newSender();
    const answers = await Promise.all(Array.from({ length: 70 }, () => send(address())));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(60);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.headers.get("Retry-After")).toMatch(/^\d+$/);
    expect(refused?.headers.get("RateLimit-Remaining")).toBe("0");
    expect(await mailed()).toEqual(Array(60).fill(1));
    expect(await logs()).toHaveLength(50); // a page
  });

  it("that cannot be sent count, and are 429 before 400, 404 and a repeated answer", async () => {
    const { send, path } = await newSender();
    const headers = { "Idempotency-Key": "first" };
    const to = address();
    expect((await send(to, {}, headers)).status).toBe(200);
    const badHeader = { headers: { "X-A": "a".repeat(2_000) } };
    const unknown = { to, template_id: crypto.randomUUID() };
    for (let nth = 0; nth < 29; nth++) {
      expect((await owner.post(`${path}/send`, unknown)).status).toBe(404);
      expect((await send(to, {}, headers)).status).toBe(200);
    }
    expect((await send(to)).headers.get("RateLimit-Remaining")).toBe("0");
    expect((await owner.post(`${path}/send`, unknown)).status).toBe(429);
    expect((await send(to, {}, headers)).status).toBe(429);
    expect((await send(to, badHeader)).status).toBe(429);
  });

  it("with one Idempotency-Key at once are one mail", async () => {
    const { send, mailed, logs } = await newSender();
    const to = address();
    const headers = { "Idempotency-Key": "same" };
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(to, {}, headers)));
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, 409, 409, 409, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.headers.get("Retry-After")).toMatch(/^\d+$/);
    expect(await mailed()).toEqual([1]);
    expect(await logs()).toHaveLength(1);
  });
});

describe("the sessions of a sender", () => {
  it("end when the SMTP settings are saved", async () => {
    const { send, server, path } = await newSender();
    await send(address());
    expect(await server.openConnections(0)).toBe(1);
    const next = await startRawServer({});
    const saved = await owner.put(`${path}/smtp`, {
      smtp_host: "127.0.0.1",
      smtp_port: next.port,
      smtp_user: "user",
      smtp_password: "pass",
    });
    expect(saved.status).toBe(200);
    expect(await server.openConnections()).toBe(0);
    expect((await send(address())).status).toBe(200);
    expect((await next.log()).connections).toHaveLength(1);
  });

  it("end when the project is deleted, after the mail that they carry", async () => {
    const slow = [{ send: "250 2.0.0 ok\r\n", chunkBytes: 1, everyMs: 20 }];
    const { send, server, path, mailed } = await newSender({
      rules: [{ on: "body", steps: slow }],
    });
    const sending = send(address());
    await eventually(async () => expect((await server.log()).connections).toHaveLength(1));
    expect((await owner.delete(path)).status).toBe(204);
    expect((await sending).status).toBe(200);
    expect(await mailed()).toEqual([1]);
    expect(await server.openConnections()).toBe(0);
  });

  it("are lost with their object, and the next mail opens another", async () => {
    const { id, from, server, mailed } = await newSender();
    const send = from(createService({ PROJECT_SENDER: env.PROJECT_SENDER }));
    expect((await send(address())).status).toBe(200);
    const aborted = runInDurableObject(realStub(id), (_object, state) => state.abort("evicted"));
    await expect(aborted).rejects.toThrow();
    expect(await server.openConnections()).toBe(0);
    expect((await send(address())).status).toBe(200);
    expect(await mailed()).toEqual([1, 1]);
  });

  it("carry the project's pending mail too", async () => {
    const { id, send, mailed, connections } = await newSender();
    await send(address());
    const subscriber = crypto.randomUUID();
    await insertSubscriber(subscriber, id);
    const pending = { id: crypto.randomUUID(), project_id: id, subscriber_id: subscriber };
    const row = { ...pending, template_name: "welcome", due_at: 1, created_at: Date.now() };
    await insertRow("pending_mails", row);
    await runSender(env.PROJECT_SENDER, id, await service.deps());
    expect(await mailed()).toEqual([1, 1]);
    expect(await connections()).toBe(1);
  });
});

describe("the object of a project", () => {
  it("is created where its SMTP settings were first saved, or where they say", async () => {
    const places: unknown[] = [];
    const placing = createService();
    const { PROJECT_SENDER: real } = placing.env;
    const get: Objects["get"] = (id, options) => {
      places.push(options?.locationHint);
      return real.get(id, options);
    };
    const idFromName: Objects["idFromName"] = (name) => real.idFromName(name);
    placing.env.PROJECT_SENDER = { get, idFromName } as Objects;
    const { id, server } = await newSender();
    await service.env.DB.prepare("update projects set location_hint = null where id = ?")
      .bind(id)
      .run();
    const save = async (cf: object, more: object = {}) => {
      const settings = { smtp_host: "127.0.0.1", smtp_port: server.port, smtp_user: "user" };
      const response = await placing.fetch(`/api/v1/projects/${id}/smtp`, {
        method: "PUT",
        headers: { Cookie: owner.cookie, "Content-Type": "application/json" },
        body: JSON.stringify({ ...settings, smtp_password: "pass", ...more }),
        cf,
      } as RequestInit);
      return (await response.json<{ location_hint: string }>()).location_hint;
    };
    const warsaw = { continent: "EU", country: "PL", longitude: "21.0" };
    const denver = { continent: "NA", country: "US", longitude: "-105.0" };
    expect(await save(warsaw)).toBe("eeur");
    expect(await save(denver)).toBe("eeur");
    expect(await save(denver, { location_hint: "me" })).toBe("me");
    await placing.anonymous.request("POST", `/projects/${id}/send`, mailTo(address()), {
      Cookie: owner.cookie,
    });
    expect(places).toEqual(["eeur", "eeur", "me", "me"]);
  });

  it.each([
    [{ continent: "NA", longitude: "-118.2" }, "wnam"],
    [{ continent: "NA", longitude: "-74.0" }, "enam"],
    [{ continent: "SA" }, "sam"],
    [{ continent: "EU", longitude: "2.4" }, "weur"],
    [{ continent: "AS", country: "JP" }, "apac"],
    [{ continent: "AS", country: "AE" }, "me"],
    [{ continent: "OC" }, "oc"],
    [{ continent: "AF" }, "afr"],
    [{ continent: "AN" }, undefined],
    [{}, undefined],
  ])("of a request from %j is in %s", (origin, hint) => {
    expect(hintNear(origin)).toBe(hint);
  });
});

describe("the limits of a project's mail server", () => {
  const allow = async (path: string, limits: object) =>
    expect((await owner.put(`${path}/sending`, limits)).status).toBe(200);

  it("bound the connections of single mails", async () => {
    const { send, server, path, mailed } = await newSender();
    await allow(path, { max_connections: 2 });
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(address())));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect((await server.log()).openMax).toBe(2);
    expect(await mailed()).toEqual(Array(20).fill(1));
  });

  it("end resting sessions when they become lower", async () => {
    const { send, server, path } = await newSender();
    await Promise.all(Array.from({ length: 30 }, () => send(address())));
    expect((await server.log()).openMax).toBe(5);
    await allow(path, { max_connections: 1 });
    await eventually(async () => expect(await server.openConnections(0)).toBe(1));
    await Promise.all(Array.from({ length: 10 }, () => send(address())));
    expect(await server.openConnections(0)).toBe(1);
  });

  it("refuse a mail that may not go for long with 429, claim nothing, and count the others", async () => {
    const { send, path, mailed, logs } = await newSender();
    await allow(path, { max_per_hour: 3 });
    const statuses = [];
    for (let nth = 0; nth < 3; nth++) statuses.push((await send(address())).status);
    const key = { "Idempotency-Key": "once" };
    const to = address();
    const refused = await send(to, {}, key);
    expect([...statuses, refused.status]).toEqual([200, 200, 200, 429]);
    expect(refused.body.code).toBe("mail_server_limit_reached");
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(3_500);
    expect(await mailed()).toEqual([1, 1, 1]);
    expect(await logs()).toHaveLength(3);
    const { body } = await owner.get(`${path}/sending`);
    expect(body).toMatchObject({ used: { last_hour: 3, last_day: 3 } });
    await allow(path, {});
    expect((await send(to, {}, key)).status).toBe(200);
  });

  it("delay a mail that may go soon", async () => {
    const { send, path } = await newSender();
    await allow(path, { max_per_second: 1 });
    const startedAt = Date.now();
    const answers = await Promise.all([send(address()), send(address())]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(990);
  });

  it("count the mails that no rate limits, each recipient once", async () => {
    const { send, path } = await newSender();
    await send(address(), { cc: [address()] });
    const { body } = await owner.get(`${path}/sending`);
    expect(body).toMatchObject({ used: { connections: 1, last_hour: 2 } });
  });

  it("become half of the mails of the last minute when the server refuses the rate", async () => {
    const slow = "450 4.7.1 rate limit exceeded";
    const rule = { on: "RCPT TO:<slow", steps: [{ send: `${slow}\r\n` }] };
    const { send, path } = await newSender({ offers: ["PIPELINING", "8BITMIME"], rules: [rule] });
    await Promise.all(Array.from({ length: 11 }, () => send(address())));
    expect((await send(`${unique("slow")}@any.test`)).status).toBe(502);
    const { body } = await owner.get(`${path}/sending`);
    expect(body).toMatchObject({ learned: { per_minute: { limit: 6, why: slow } } });
  });

  it("that the server taught refuse a mail, but not one that no server gets", async () => {
    const rule = { on: "RCPT TO:<slow", steps: [{ send: "450 4.7.1 rate limit exceeded\r\n" }] };
    const { send, path, mailed } = await newSender({ offers: DATA, rules: [rule] });
    for (const name of ["one", "two", "slow"]) await send(`${unique(name)}@any.test`);
    expect((await send(address())).status).toBe(429);
    const to = address();
    await owner.post(`${path}/suppressions`, { emails: [to] });
    expect((await send(to)).status).toBe(422);
    expect(await mailed()).toEqual([1, 1]);
  });
});

describe("a group of records", () => {
  /** Sends five mails, of which four record together, and fails the group at a chosen moment. */
  async function sendGroup(when: "before" | "after", headers = {}) {
    const { send, path, logs, mailed } = await newSender();
    const hook = await newWebhook(path.slice("/projects/".length));
    const release = Promise.withResolvers<void>();
    const sizes: number[] = [];
    service.d1.before = async (sql) => {
      if (!isRecord(sql)) return;
      sizes.push(sql.filter((text) => text.includes("insert into log_entries")).length);
      if (sizes.length === 1) await release.promise;
      if (sizes.length === 2 && when === "before") throw new Error("the group cannot be written");
    };
    service.d1.after = (sql) => {
      if (isRecord(sql) && sizes.length === 2 && when === "after")
        throw new Error("the answer was lost");
    };
    const sends = Array.from({ length: 5 }, (_, nth) => {
      const own = Object.keys(headers).length > 0 ? { "Idempotency-Key": `key-${nth}` } : {};
      return send(address(), {}, own);
    });
    await eventually(async () => expect(await mailed()).toHaveLength(5));
    await pause(600); // the server has answered; the outcomes have reached the sender
    release.resolve();
    const answers = await Promise.all(sends);
    service.d1.before = undefined;
    service.d1.after = undefined;
    return { answers, logs: await logs(), hook, path, records: sizes.length };
  }

  it.each([
    ["before the write", "before", {}],
    ["after the write", "after", {}],
    ["before the write, with keys", "before", { key: true }],
    ["after the write, with keys", "after", { key: true }],
  ] as const)(
    "that fails %s is repeated: its mails are logged, counted and emitted once",
    async (_what, when, headers) => {
      const { answers, logs, hook, path, records } = await sendGroup(when, headers);
      expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200));
      expect(records).toBe(1 + 1 + 1);
      expect(logs.map(({ id }) => id).toSorted()).toEqual(
        answers.map(({ body }) => body.id).toSorted(),
      );
      expect((await owner.get(`${path}/stats`)).body).toMatchObject({ total: 5, sent: 5 });
      expect(await hook.types()).toEqual(Array(5).fill("email.sent"));
    },
  );
});

describe("the records of mails that finish together", () => {
  it.each([
    ["are one write while many more mails are on their way", 20, 1],
    ["are not held back when no more mails are on their way", 8, 2],
    ["wait no longer than a moment for mails that do not finish", 20, 1, 3],
  ])("%s", async (_what, inHand, writes, mails = 8) => {
    const { id, logs } = await newSender();
    const finish = groupRecords(await service.deps(), () => inHand);
    let written = 0;
    service.d1.before = () => void (written += 1);
    const facts = { tags: null, templateId: null, subscriberId: null, broadcastId: null };
    const recorded = Array.from({ length: mails }, () => {
      const mail = { logId: uuidAt(Date.now()), subject: "Hello", ...facts };
      const main = { email: address(), status: "sent" as const, error: null };
      return finish({ projectId: id, mail, outcome: { main, copies: [] }, operation: null });
    });
    await Promise.all(recorded);
    service.d1.before = undefined;
    expect(written).toBe(writes);
    expect(await logs()).toHaveLength(mails);
  });
});

describe("a sender that is busy", () => {
  const overloaded = async () => {
    throw new Error("Durable Object is overloaded. Too many requests queued.");
  };
  const verdict = { allowed: true, limit: 60, remaining: 41, resetMs: 1_000 };

  it.each([
    ["because its object is overloaded", overloaded],
    ["because it has too much in hand", async () => ({ kind: "busy", verdict })],
  ])("%s refuses a mail with 503, and the same call can be repeated", async (_why, answers) => {
    const { from, send, mailed, logs } = await newSender();
    const { other, queued } = withHub(answers);
    const to = address();
    const key = { "Idempotency-Key": "once" };
    const answer = await from(other)(to, {}, key);
    expect([answer.status, answer.body.code]).toEqual([503, "sender_busy"]);
    expect(answer.headers.get("Retry-After")).toBe("5");
    expect([await mailed(), await logs(), queued]).toEqual([[], [], []]);
    expect((await send(to, {}, key)).status).toBe(200);
    expect(await mailed()).toEqual([1]);
  });

  it("because of 32 MiB in hand takes mails again when it has sent others", async () => {
    const { id, from, mailed } = await newSender({ offers: DATA, rules: [HELD] });
    const calls: SendCall[] = [];
    const { other } = withHub(async (call) => {
      calls.push(call);
      return { kind: "busy", verdict };
    });
    await from(other)(address());
    const [call] = calls;
    if (!call) throw new Error("the sender was not called");
    const parts = [new TextEncoder().encode("sixteen bytes \r\n".repeat(1_048_576))];
    const send = () =>
      runInDurableObject(realStub(id), (object: ProjectSender) =>
        object.send({ ...call, parts, mail: { ...call.mail, logId: uuidAt(Date.now()) } }),
      );
    const kinds = (await Promise.all([send(), send(), send()])).map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual(["answered", "answered", "busy"]);
    expect((await send()).kind).toBe("answered");
    expect(await mailed()).toHaveLength(1); // three of one Message-ID
  });
});

describe("a sender that does not answer", () => {
  it("leaves the outcome unknown: no second mail, and the log says so later", async () => {
    const { from, mailed, logs } = await newSender();
    const { other, queued } = withHub(async () => {
      throw new Error("Network connection lost.");
    });
    const answer = await from(other)(address());
    expect(answer).toMatchObject({
      status: 502,
      body: { error: expect.stringMatching(/^outcome unknown/) },
    });
    expect([await mailed(), await logs()]).toEqual([[], []]);
    expect(queued).toMatchObject([{ delaySeconds: 900 }]);
    await consume(queued[0]?.message);
    expect(await logs()).toMatchObject([
      { id: answer.body.id, status: "failed", error: answer.body.error },
    ]);
  });

  it("but goes on with the mail logs what is true, whatever is recorded later", async () => {
    const { from, mailed, logs } = await newSender();
    const { other, queued } = withHub(async (call, real) => {
      await real.send(call);
      throw new Error("Network connection lost.");
    });
    const answer = await from(other)(address());
    expect(answer.status).toBe(502);
    await consume(queued[0]?.message);
    expect(await logs()).toMatchObject([{ id: answer.body.id, status: "sent" }]);
    expect(await mailed()).toEqual([1]);
  });
});

describe("a mail with the largest attachments", () => {
  it("goes through the object as the platform runs it", async () => {
    const { from, mailed } = await newSender();
    const real = createService({ PROJECT_SENDER: env.PROJECT_SENDER });
    const content = btoa("a".repeat(10 * 1_048_576));
    const answer = await from(real)(address(), { attachments: [{ filename: "a", content }] });
    expect(answer.status).toBe(200);
    expect(await mailed()).toEqual([1]);
  });
});

describe("a sender whose call fails", () => {
  it("answers 500 when neither the database nor the queue takes the outcome, once mailed", async () => {
    const { mailed, path } = await newSender();
    const failing = createService({
      WAKE_QUEUE: { send: () => Promise.reject(new Error("full")) } as never,
    });
    failing.d1.before = (sql) => {
      if (isRecord(sql)) throw new Error("D1 is out of breath");
    };
    const answer = await failing.anonymous.request("POST", `${path}/send`, mailTo(address()), {
      Cookie: owner.cookie,
    });
    expect(answer.status).toBe(500);
    expect(await mailed()).toEqual([1]);
  });
});
