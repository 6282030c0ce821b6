/*
 * What GET /projects/{id}/sending says about the sender: the real object of a project, and servers
 * that hold or refuse a mail.
 */
import { env, runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { launched, scenario } from "../../support/broadcasting.ts";
import { createService, unique } from "../../support/service.ts";
import { startRawServer } from "../../support/smtp/raw-client.ts";
import type { RawScript } from "../../support/smtp/raw-script.ts";
import { eventually, HOUR, iso, MINUTE } from "../../support/times.ts";

const service = createService();
const owner = await service.newOwner();

const IDLE = {
  in_flight: 0,
  waiting: 0,
  connections: 0,
  work: null,
  next_at: null,
  cooldown: null,
};

/** A server without PIPELINING whose answer to each mail takes a second. */
const SLOW: RawScript = {
  offers: ["8BITMIME"],
  rules: [{ on: "body", steps: [{ send: "250 2.0.0 ok queued\r\n", chunkBytes: 1, everyMs: 50 }] }],
};

const CLOSED_PORT = 1;

const serverAt = (port: number) => ({
  smtp_host: "127.0.0.1",
  smtp_port: port,
  smtp_user: unique("user"), // so that each first server has a cooldown of its own
  smtp_password: "secret",
});

type Person = Awaited<ReturnType<typeof service.newOwner>>;

const senderOf = async (id: string, person: Person = owner) =>
  (await person.get<{ sender: object }>(`/projects/${id}/sending`)).body.sender;

const send = (id: string) =>
  owner.post(`/projects/${id}/send`, {
    to: `${unique("to")}@any.test`,
    subject: "Hello",
    html_body: "<p>Hi</p>",
  });

it("counts the mail that the server has, and those that wait for its connection", async () => {
  const { port } = await startRawServer(SLOW);
  const { id } = await owner.newProject({ smtpPort: port });
  await owner.put(`/projects/${id}/sending`, { max_connections: 1 });
  expect(await senderOf(id)).toEqual(IDLE);
  const sending = [send(id), send(id), send(id)];
  const busy = { ...IDLE, in_flight: 1, waiting: 2, connections: 1 };
  await eventually(async () => expect(await senderOf(id)).toEqual(busy));
  expect(await Promise.all(sending)).toMatchObject([
    { status: 200 },
    { status: 200 },
    { status: 200 },
  ]);
  expect(await senderOf(id)).toEqual({ ...IDLE, connections: 1 });
});

it("counts the mails that wait for a rate", async () => {
  const { port } = await startRawServer({ offers: ["8BITMIME"] });
  const { id } = await owner.newProject({ smtpPort: port });
  await owner.put(`/projects/${id}/sending`, { max_per_second: 0.5 });
  expect(await send(id)).toMatchObject({ status: 200 });
  const second = send(id);
  await eventually(async () => expect(await senderOf(id)).toMatchObject({ waiting: 1 }));
  expect(await second).toMatchObject({ status: 200 });
  expect(await senderOf(id)).toMatchObject({ in_flight: 0, waiting: 0 });
});

it("names the broadcast in hand", async () => {
  const { port } = await startRawServer(SLOW);
  const world = await scenario(
    1,
    (news, person) => person.put(`${news.path}/smtp`, { ...serverAt(port), from_email: news.from }),
    launched,
  );
  const status = () => senderOf(world.news.id, world.owner);
  expect(await status()).toEqual(IDLE);
  const running = world.run();
  const work = { kind: "broadcast", id: world.id, name: "May" };
  const busy = { ...IDLE, in_flight: 1, connections: 1, work };
  await eventually(async () => expect(await status()).toEqual(busy));
  await running;
  expect(await status()).toEqual({ ...IDLE, connections: 1 });
});

it("shows the cooldown of a first server that failed, if a fallback takes over", async () => {
  const { port } = await startRawServer({ offers: ["8BITMIME"] });
  const { id } = await owner.newProject();
  const from_email = "sender@postrider.test";
  const servers = { ...serverAt(CLOSED_PORT), from_email, fallback: serverAt(port) };
  await owner.put(`/projects/${id}/smtp`, servers);
  const before = Date.now();
  expect(await send(id)).toMatchObject({ status: 200 });
  const { cooldown } = (await senderOf(id)) as { cooldown: { until: string } };
  expect(cooldown).toEqual({
    server: "first",
    until: expect.any(String),
    error: expect.stringMatching(/127\.0\.0\.1:1\b/),
  });
  const untilMs = Date.parse(cooldown.until);
  expect(untilMs).toBeGreaterThanOrEqual(before + MINUTE);
  expect(untilMs).toBeLessThanOrEqual(Date.now() + MINUTE);
  await owner.put(`/projects/${id}/smtp`, {
    ...serverAt(port),
    from_email,
    fallback: { smtp_host: "" },
  });
  expect(await senderOf(id)).toMatchObject({ cooldown: null });
});

it("says when the sender runs next", async () => {
  const { id } = await owner.newProject();
  const at = Date.now() + HOUR;
  const stub = env.PROJECT_SENDER.get(env.PROJECT_SENDER.idFromName(id));
  await runInDurableObject(stub, (_object, state) => state.storage.setAlarm(at));
  expect(await senderOf(id)).toEqual({ ...IDLE, next_at: iso(at) });
});
