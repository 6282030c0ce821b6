/*
 * Two projects of one owner: no query of one finds rows of the other. Each test fails when a query
 * loses its condition on the project.
 */
import { describe, expect, it } from "vitest";
import { receivedMessages, waitForMessage, waitForMessages } from "./support/mailbox.ts";
import { testLicense } from "./support/license.ts";
import { type Row } from "./support/rows.ts";
import { CAPTURING, createService, unique } from "./support/service.ts";

const service = createService(await testLicense("team"));
const owner = await service.newOwner();
const address = () => `${unique("second")}@any.test`;
const HTML = '<p>Hello {{email}} <a href="{{unsubscribe_link}}">leave</a></p>';

/** Project with a key of each surface and a template named `news`. */
async function newProject(word: string) {
  const from = `${unique(word)}@postrider.test`;
  const { id, key } = await owner.newProject({ ...CAPTURING, fromEmail: from });
  const path = `/projects/${id}`;
  const made = await owner.post<{ key: string }>(`${path}/api-keys`, { name: "s", type: "sdk" });
  const fields = { name: "news", subject: `From ${word}`, html_body: "<p>Hello {{email}}</p>" };
  const template = await owner.post<{ id: string }>(`${path}/templates`, fields);
  const subscribe = async (email: string) =>
    (await owner.post<{ id: string }>(`${path}/subscribers`, { email })).body.id;
  const suppress = async (email: string) => {
    const { body } = await owner.post(`${path}/suppressions`, { emails: [email] });
    expect(body).toMatchObject({ added: 1 });
  };
  return {
    id,
    path,
    from,
    sk: service.withKey(key),
    sdk: service.withKey(made.body.key),
    templateId: template.body.id,
    subscribe,
    suppress,
  };
}

const pair = async () => [await newProject("first"), await newProject("other")] as const;
const from = (project: { from: string }, to: string) =>
  receivedMessages({ from: project.from, to });
const raw = (to: string, more: object = {}) => ({
  to,
  subject: "s",
  html_body: "<p>x</p>",
  ...more,
});

describe("an address suppressed in one project", () => {
  it("gets the single sends of another: as recipient, as a copy, as a subscriber, by name", async () => {
    const [first, other] = await pair();
    const to = address();
    await first.suppress(to);
    const [here, there] = [await first.subscribe(to), await other.subscribe(to)];
    const { templateId: template_id } = other;
    expect((await first.sk.post(`${first.path}/send`, raw(to))).status).toBe(422);
    const own = { subscriber_id: here, template_id: first.templateId };
    expect((await first.sk.post(`${first.path}/send`, own)).status).toBe(422);
    expect((await first.sdk.post("/send", { to, template: "news" })).status).toBe(422);
    for (const body of [
      raw(to),
      raw(address(), { cc: [to] }),
      { to, template_id },
      { subscriber_id: there, template_id },
    ])
      expect((await other.sk.post(`${other.path}/send`, body)).status).toBe(200);
    expect((await other.sdk.post("/send", { to, template: "news" })).status).toBe(200);
    expect(await from(other, to)).toHaveLength(5);
    expect(await from(first, to)).toEqual([]);
  });

  it("gets the batches of another", async () => {
    const [first, other] = await pair();
    const to = address();
    await first.suppress(to);
    const batch = ({ sk, path, templateId }: typeof first) =>
      sk.post(`${path}/send/batch`, { template_id: templateId, recipients: [{ to }] });
    expect((await batch(first)).body).toMatchObject({ sent: 0, suppressed: 1 });
    expect((await batch(other)).body).toMatchObject({ sent: 1, suppressed: 0 });
    expect(await from(other, to)).toHaveLength(1);
  });

  it("gets the broadcasts of another", async () => {
    const [first, other] = await pair();
    const to = address();
    await first.suppress(to);
    for (const { subscribe } of [first, other]) await subscribe(to);
    const broadcast = ({ sk, path, templateId }: typeof first) =>
      sk.post(`${path}/broadcast`, { template_id: templateId });
    expect((await broadcast(first)).body).toMatchObject({ sent: 0, suppressed: 1 });
    expect((await broadcast(other)).body).toMatchObject({ sent: 1, suppressed: 0 });
    expect(await from(other, to)).toHaveLength(1);
    expect(await from(first, to)).toEqual([]);
  });

  it("gets the pending mails of another", async () => {
    const [first, other] = await pair();
    const to = address();
    await first.suppress(to);
    const { status } = await other.sdk.post("/join", { email: to, sendWelcomeEmail: true });
    expect(status).toBe(201);
    expect(await waitForMessages({ from: other.from, to }, 1, 10_000)).toHaveLength(1);
  });

  it("keeps last_seen_at on the list of another project that suppresses it as well", async () => {
    const [first, other] = await pair();
    const to = address();
    for (const { suppress } of [first, other]) await suppress(to);
    const entry = async ({ path }: typeof first) =>
      (await owner.get<{ suppressions: Row[] }>(`${path}/suppressions`)).body.suppressions[0];
    const [before, mine] = [await entry(first), await entry(other)];
    await expect
      .poll(async () => {
        expect((await other.sk.post(`${other.path}/send`, raw(to))).status).toBe(422);
        return (await entry(other))?.["last_seen_at"];
      })
      .not.toBe(mine?.["last_seen_at"]);
    expect(await entry(first)).toEqual(before);
  });
});

describe("an Idempotency-Key", () => {
  it("of one project is free in another for the same and other requests: single, batch, by name", async () => {
    const [first, other] = await pair();
    for (const kind of ["single", "batch", "named"] as const) {
      const [to, headers] = [address(), { "Idempotency-Key": unique("key") }];
      const ask = (project: typeof first) => {
        const { sk, sdk, path, templateId } = project;
        if (kind === "single") return sk.post(`${path}/send`, raw(to), headers);
        if (kind === "named") return sdk.post("/send", { to, template: "news" }, headers);
        const batch = { template_id: templateId, recipients: [{ to }] };
        return sk.post(`${path}/send/batch`, batch, headers);
      };
      for (const project of [first, other, first])
        expect([kind, (await ask(project)).status]).toEqual([kind, 200]);
      for (const project of [first, other]) expect(await from(project, to)).toHaveLength(1);
    }
  });
});

describe("a template of one project", () => {
  it("is 404 by its id in every send of another", async () => {
    const [first, other] = await pair();
    const template_id = first.templateId;
    const to = address();
    const subscriber_id = await other.subscribe(to);
    const post = (path: string, body: object) => other.sk.post(`${other.path}${path}`, body);
    for (const answer of [
      await post("/send", { to, template_id }),
      await post("/send", { subscriber_id, template_id }),
      await post("/send/batch", { template_id, recipients: [{ to }] }),
      await post("/broadcast", { template_id }),
      await service.anonymous.post(`${other.path}/waitlist`, { email: address(), template_id }),
    ])
      expect(answer).toMatchObject({ status: 404, body: { error: "template not found" } });
    expect(await receivedMessages(to)).toEqual([]);
  });

  it("is not found by its name in another, which has its own of that name", async () => {
    const [first, other] = await pair();
    const fields = { name: "only-here", subject: "Only here", html_body: HTML };
    await owner.post(`${first.path}/templates`, fields);
    const to = address();
    const refused = { status: 404, body: { success: false, error: "template not found" } };
    expect(await other.sdk.post("/send", { to, template: "only-here" })).toMatchObject(refused);
    const broadcast = { subject: "s", template: "only-here" };
    expect(await other.sdk.post("/broadcast", broadcast)).toMatchObject(refused);
    for (const [{ sdk }, subject] of [
      [first, "From first"],
      [other, "From other"],
    ] as const) {
      const mailbox = address();
      expect((await sdk.post("/send", { to: mailbox, template: "news" })).status).toBe(200);
      expect((await waitForMessage(mailbox)).text).toContain(`Subject: ${subject}`);
    }
  });
});

describe("a subscriber of one project", () => {
  it("is 404 by id in another's sends, and another's links do not change it", async () => {
    const [first, other] = await pair();
    const to = address();
    const id = await first.subscribe(to);
    const send = { subscriber_id: id, template_id: other.templateId };
    expect((await other.sk.post(`${other.path}/send`, send)).status).toBe(404);
    await service.fetch(`/unsubscribe/${other.id}/${id}`);
    await owner.request("PATCH", `${other.path}/subscribers/${id}`, { status: "unsubscribed" });
    const { body } = await owner.get<{ subscribers: Row[] }>(`${first.path}/subscribers`);
    expect(body.subscribers).toMatchObject([{ id, status: "active", unsubscribed_at: null }]);
    expect(await receivedMessages(to)).toEqual([]);
  });

  it("is unknown by email to another's key, which writes a link of its own for the address", async () => {
    const [first, other] = await pair();
    const to = address();
    const id = await first.subscribe(to);
    const mail = { to, subject: "s", html: HTML };
    expect((await first.sdk.post("/send", mail)).status).toBe(200);
    expect((await other.sdk.post("/send", mail)).status).toBe(200);
    const links = (await receivedMessages(to)).map(({ text }) => {
      const headers = text.replaceAll(/\r\n[\t ]+/g, "");
      return /^List-Unsubscribe: <([^>]+)>/im.exec(headers)?.[1] ?? "";
    });
    expect(links.map((link) => link.includes(id))).toEqual([true, false]);
  });
});

describe("the log of one project", () => {
  it("holds no entry and no count of another", async () => {
    const [first, other] = await pair();
    const to = address();
    expect((await first.sk.post(`${first.path}/send`, raw(to))).status).toBe(200);
    for (const query of ["", "?status=sent"])
      expect((await owner.get(`${other.path}/logs${query}`)).body).toMatchObject({
        logs: [],
        total: 0,
      });
    expect((await owner.get(`${other.path}/stats`)).body).toMatchObject({ total: 0, sent: 0 });
    expect((await owner.get(`${first.path}/stats`)).body).toMatchObject({ total: 1, sent: 1 });
  });
});

describe("a webhook of one project", () => {
  it("gets no event of another and shows its deliveries to no other", async () => {
    const [first, other] = await pair();
    const hook = { url: "https://hooks.example.com/first" };
    const { body } = await owner.post<{ id: string }>(`${first.path}/webhooks`, hook);
    const at = (project: typeof first) => `${project.path}/webhooks/${body.id}`;
    const deliveries = async () =>
      (await owner.get<{ deliveries: Row[] }>(`${at(first)}/deliveries`)).body.deliveries;
    await other.subscribe(address());
    await other.sk.post(`${other.path}/send`, raw(address()));
    expect(await deliveries()).toEqual([]);
    await first.subscribe(address());
    const [delivery] = await deliveries();
    expect(delivery).toMatchObject({ event_type: "subscriber.created" });
    const replay = `${at(other)}/deliveries/${String(delivery?.["id"])}/replay`;
    for (const answer of [
      await owner.get(at(other)),
      await owner.get(`${at(other)}/deliveries`),
      await owner.post(`${at(other)}/test`),
      await owner.post(replay),
      await owner.request("PATCH", at(other), { active: false }),
      await owner.delete(at(other)),
    ])
      expect(answer.status).toBe(404);
    expect((await owner.get(at(first))).body).toMatchObject({ id: body.id, active: true });
    expect(await deliveries()).toHaveLength(1);
  });
});
