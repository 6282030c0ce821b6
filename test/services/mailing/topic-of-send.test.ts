/* Single sends with a topic: who gets them, and how their readers leave it. */
import { describe, expect, it } from "vitest";
import PostalMime from "postal-mime";
import { manualService, workOff } from "../../support/broadcasting.ts";
import { receivedMessages, waitForMessage } from "../../support/mailbox.ts";
import { CAPTURING, unique } from "../../support/service.ts";
import { HOUR, iso } from "../../support/times.ts";

const { service, clock } = manualService();
const deps = await service.deps();
const owner = await service.newOwner();
const project = await owner.newProject(CAPTURING);
const key = service.withKey(project.key);
const PROJECT = `/projects/${project.id}`;
const OPTED_OUT = "the address has not consented to the topic";
const REFUSED = { status: 422, body: { code: "opted_out", id: expect.any(String) } };

const address = () => `${unique("to")}@any.test`;
const send = (body: object, client = key) => client.post<{ id: string }>(`${PROJECT}/send`, body);
const mail = (to: string | string[], topic_id: string, more: object = {}) => ({
  to,
  subject: "Hello",
  html_body: "<p>Hi</p>",
  topic_id,
  ...more,
});

async function make(path: string, body: object, id = project.id): Promise<string> {
  const answer = await owner.post(`/projects/${id}/${path}`, body);
  expect(answer.status).toBe(201);
  return String(answer.body["id"]);
}

const newTopic = (more: object = {}) => make("topics", { name: unique("Topic"), ...more });

/** Creates a subscriber of topics. */
async function newSubscriber(topics: string[], more: object = {}) {
  const email = address();
  return { email, id: await make("subscribers", { email, topics, ...more }) };
}

async function parsed(to: string) {
  const message = await PostalMime.parse((await waitForMessage(to)).raw);
  const header = (name: string) => message.headers.find((one) => one.key === name)?.value;
  const link = header("list-unsubscribe")?.slice(1, -1) ?? "";
  return { message, link, listId: header("list-id"), path: new URL(link).pathname };
}

const entryOf = async (id: string) => (await owner.get(`${PROJECT}/logs/${id}`)).body;

describe("a send with a topic", () => {
  it("reaches a subscriber with consent, who leaves the topic alone by its header", async () => {
    const [topic, other] = [await newTopic({ name: "Product news" }), await newTopic()];
    const { email, id } = await newSubscriber([topic, other]);
    expect(await send(mail(email, topic))).toMatchObject({ status: 200 });
    const { message, link, listId, path } = await parsed(email);
    expect(listId).toBe(`Product news <${topic}.postrider.test>`);
    expect(path).toMatch(/^\/preferences\//);
    expect(message.html).toContain(`href="${link}"`);
    const body = "List-Unsubscribe=One-Click";
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    expect((await service.fetch(path, { method: "POST", body, headers })).status).toBe(200);

    const refused = await send(mail(email, topic));
    expect(refused).toMatchObject(REFUSED);
    expect(await entryOf(refused.body.id)).toMatchObject({
      status: "suppressed",
      error: OPTED_OUT,
      explanation: { code: "opted_out", what_to_do_code: "respect_unsubscribe" },
    });
    const again = await owner.post(`${PROJECT}/logs/${refused.body.id}/resend`, {});
    expect(again).toMatchObject({ status: 422, body: { code: "opted_out" } });
    expect(await send(mail(email, other))).toMatchObject({ status: 200 });
    expect((await owner.get(`${PROJECT}/subscribers/${id}`)).body).toMatchObject({
      status: "active",
      suppressed: null,
    });
    expect(await receivedMessages(email)).toHaveLength(2);
  });

  it("costs two D1 round trips", async () => {
    const topic = await newTopic({ is_default: true });
    await send(mail(address(), topic));
    service.d1.reset();
    expect(await send(mail(address(), topic))).toMatchObject({ status: 200 });
    expect(service.d1.roundTrips).toBe(2);
  });

  it.each([
    ["no subscriber, of a topic that is given to new ones", undefined, true, 200],
    ["no subscriber, of any other topic", undefined, false, 422],
    [
      "a subscriber without consent, of a topic that is given to new ones",
      { topics: [] },
      true,
      422,
    ],
    ["a subscriber who left the list", { status: "unsubscribed" }, false, 422],
    ["a subscriber who has not confirmed", { status: "pending" }, false, 422],
  ])("to %s", async (_who, subscriber, is_default, status) => {
    const topic = await newTopic({ is_default });
    const email = subscriber ? (await newSubscriber([topic], subscriber)).email : address();
    expect(await send(mail(email, topic))).toMatchObject(status === 200 ? { status } : REFUSED);
    if (status === 200) expect((await parsed(email)).path).toMatch(/^\/unsubscribe\//);
    else expect(await receivedMessages(email)).toEqual([]);
  });

  it("leaves out the addresses without consent, with a link of the recipient who remains", async () => {
    const topic = await newTopic();
    const [{ email: out }, { email }, cc] = [
      await newSubscriber([]),
      await newSubscriber([topic]),
      address(),
    ];
    const { status, body } = await send(mail([out, email], topic, { cc }));
    expect(status).toBe(200);
    expect(await entryOf(body.id)).toMatchObject({
      to_email: email,
      status: "sent",
      copies: [
        { email: out, status: "suppressed", error: OPTED_OUT },
        { email: cc, status: "suppressed", error: OPTED_OUT },
      ],
    });
    const { path } = await parsed(email);
    await service.fetch(path, { method: "POST", body: "List-Unsubscribe=One-Click" });
    expect(await send(mail(email, topic))).toMatchObject(REFUSED);
    expect(await receivedMessages(cc)).toEqual([]);
  });

  it("holds in every shape, and `{{unsubscribe_url}}` is the link of the topic", async () => {
    const topic = await newTopic();
    const name = unique("template");
    const html_body = '<a href="{{unsubscribe_url}}">leave</a>';
    const template_id = await make("templates", { name, subject: "s", html_body });
    const [inside, outside] = [await newSubscriber([topic]), await newSubscriber([])];
    const sdk = await owner.post(`${PROJECT}/api-keys`, { name: "sdk", type: "sdk" });
    const byName = service.withKey(String(sdk.body["key"]));
    const shapes: ((one: typeof inside) => ReturnType<typeof send>)[] = [
      ({ email }) => send({ to: email, template_id, topic_id: topic }),
      ({ id }) => send({ subscriber_id: id, template_id, topic_id: topic }),
      ({ email }) => byName.post("/send", { to: email, template: name, topic_id: topic }),
    ];
    for (const [index, shape] of shapes.entries()) {
      expect(await shape(inside)).toMatchObject({ status: 200 });
      const raw = (await receivedMessages(inside.email))[index]?.raw ?? "";
      const { html } = await PostalMime.parse(raw);
      expect(html?.match(/\/preferences\/|\/unsubscribe\//g)).toEqual(["/preferences/"]);
      expect(await shape(outside)).toMatchObject({ status: 422, body: { code: "opted_out" } });
    }
    expect(await receivedMessages(outside.email)).toEqual([]);
  });

  it("is refused for the topic of another project, and for none", async () => {
    const other = await owner.newProject();
    const topic = await make("topics", { name: "T", is_default: true }, other.id);
    const { id: subscriber_id } = await newSubscriber([]);
    const template_id = await make("templates", { name: unique("t"), html_body: "x" });
    const to = address();
    for (const topic_id of [topic, crypto.randomUUID()])
      for (const body of [mail(to, topic_id), { subscriber_id, template_id, topic_id }])
        expect(await send(body)).toMatchObject({
          status: 404,
          body: { params: { what: "topic" } },
        });
    expect(await send(mail(to, "news"))).toMatchObject({ status: 400 });
    const template = { subscriber_id: crypto.randomUUID(), template_id };
    expect(await send({ ...template, topic_id: await newTopic() })).toMatchObject({
      status: 404,
      body: { params: { what: "subscriber" } },
    });
    expect(await receivedMessages(to)).toEqual([]);
  });

  it("is suppressed rather than opted out, and repeats its answer for an Idempotency-Key", async () => {
    const topic = await newTopic();
    const [listed, to] = [address(), address()];
    await owner.post(`${PROJECT}/suppressions`, { emails: [listed] });
    expect(await send(mail(listed, topic))).toMatchObject({ body: { code: "suppressed" } });
    const headers = { "Idempotency-Key": unique("key") };
    const first = await key.post(`${PROJECT}/send`, mail(to, topic), headers);
    expect(first).toMatchObject(REFUSED);
    expect((await key.post(`${PROJECT}/send`, mail(to, topic), headers)).body).toEqual(first.body);
  });

  it("asks for the consent again when a scheduled email is due", async () => {
    const topic = await newTopic();
    const { email, id } = await newSubscriber([topic]);
    const scheduled_at = iso(deps.now() + HOUR);
    const { status, body } = await send(mail(email, topic, { scheduled_at }));
    expect(status).toBe(202);
    await owner.request("PUT", `${PROJECT}/subscribers/${id}/topics`, { [topic]: "unsubscribed" });
    clock.aheadMs += 2 * HOUR;
    await workOff(deps, project.id);
    expect(await entryOf(body.id)).toMatchObject({ status: "suppressed", error: OPTED_OUT });
    expect(await receivedMessages(email)).toEqual([]);
  });
});
