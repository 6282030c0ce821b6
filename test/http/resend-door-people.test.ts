/*
 * Contacts, audiences, segments, topics and contact properties of the Resend door, called by
 * Resend's own package with nothing but another base URL.
 */
import PostalMime from "postal-mime";
import type { CreateContactOptions } from "resend";
import { describe, expect, it } from "vitest";
import { receivedMessages, waitForMessage } from "../support/mailbox.ts";
import { address, dataOf, mail, openDoor, refused } from "../support/resend-door.ts";
import { createService, unique } from "../support/service.ts";

const service = createService();
const owner = await service.newOwner();
const { callWith, clientWith, newDoor } = openDoor(service, owner);
const { project, token, resend } = await newDoor();
const SUBSCRIBERS = `/projects/${project.id}/subscribers`;

type NewContact = Omit<CreateContactOptions, "email">;

async function newContact(more: NewContact = {}) {
  const email = address();
  const { id } = dataOf(await resend.contacts.create({ email, ...more }));
  return { id, email };
}

const newSegment = async (name = unique("Segment")) =>
  dataOf(await resend.segments.create({ name })).id;

const call = callWith(token);

describe("a contact", () => {
  it("is a subscriber with its names and properties", async () => {
    const { id, email } = await newContact({
      firstName: "Mary Ann",
      lastName: "Smith",
      properties: { company: "Acme", seats: 5 },
    });
    for (const similar of [`a${email}`, `${email}.de`])
      dataOf(await resend.contacts.create({ email: similar }));
    const { body } = await owner.get(`${SUBSCRIBERS}/${id}`);
    expect(body).toMatchObject({ email, name: "Mary Ann Smith", status: "active" });
    for (const which of [id, { id }, { email }, { email: email.toUpperCase() }])
      expect(dataOf(await resend.contacts.get(which as string))).toEqual({
        object: "contact",
        id,
        email,
        first_name: "Mary Ann",
        last_name: "Smith",
        created_at: expect.any(String),
        unsubscribed: false,
        properties: {
          company: { type: "string", value: "Acme" },
          seats: { type: "number", value: 5 },
        },
      });
  });

  it("has events, by ID or email", async () => {
    const { id, email } = await newContact();
    const events = clientWith(project.key).events;
    const payload = { total: 42 };
    for (const whom of [{ contactId: id }, { email }]) {
      const answer = await events.send({ event: "order.paid", payload, ...whom });
      expect(dataOf(answer)).toEqual({ object: "event", event: "order.paid" });
    }
    const { body } = await owner.get(`${SUBSCRIBERS}/${id}/events`);
    expect(body).toMatchObject({
      events: [1, 2].map(() => ({ name: "order.paid", data: payload })),
    });
    expect(await events.send({ event: "order.paid", email: address() })).toEqual(
      refused(404, "not_found"),
    );
    expect(await events.send({ event: "a b", email })).toEqual(refused(422, "validation_error"));
    expect(await events.send({ event: "a", email, payload: [] as never })).toEqual(
      refused(422, "validation_error"),
    );
  });

  it("changes only in what is given, by ID or email", async () => {
    const { id, email } = await newContact({
      firstName: "Ann",
      lastName: "Smith",
      properties: { a: "1", b: "2" },
    });
    const answer = await resend.contacts.update({
      email,
      lastName: "Miller",
      properties: { b: null, c: 3 },
    });
    expect(answer.data).toEqual({ object: "contact", id });
    const { body } = await owner.get(`${SUBSCRIBERS}/${id}`);
    expect(body).toMatchObject({
      name: "Ann Miller",
      status: "active",
      metadata: { first_name: "Ann", last_name: "Miller", a: "1", c: 3 },
    });
    expect(body["metadata"]).not.toHaveProperty("b");
    dataOf(await resend.contacts.update({ id, unsubscribed: true, firstName: null }));
    expect(dataOf(await resend.contacts.get(id))).toMatchObject({
      first_name: null,
      last_name: "Miller",
      unsubscribed: true,
    });
  });

  it("whose name came from elsewhere has it as the first name", async () => {
    const { body } = await owner.post(SUBSCRIBERS, { email: address(), name: "Ann" });
    const id = String(body["id"]);
    expect(dataOf(await resend.contacts.get(id))).toMatchObject({ first_name: "Ann" });
    dataOf(await resend.contacts.update({ id, lastName: "Smith" }));
    expect((await owner.get(`${SUBSCRIBERS}/${id}`)).body["name"]).toBe("Ann Smith");
  });

  it("that exists is neither changed nor resubscribed by another creation", async () => {
    const { id, email } = await newContact({ firstName: "Ann" });
    await service.fetch(`/unsubscribe/${project.id}/${id}`, { method: "POST" });
    expect((await owner.get(`${SUBSCRIBERS}/${id}`)).body["status"]).toBe("unsubscribed");
    const segment = await newSegment();
    const again = await resend.contacts.create({
      email,
      firstName: "Eve",
      unsubscribed: false,
      segments: [{ id: segment }],
    });
    expect(again.data).toEqual({ object: "contact", id });
    expect(dataOf(await resend.contacts.get(id))).toMatchObject({
      first_name: "Ann",
      unsubscribed: true,
    });
    expect(dataOf(await resend.contacts.segments.list({ email })).data).toMatchObject([
      { id: segment },
    ]);
  });

  it("that was erased does not come back", async () => {
    const { id, email } = await newContact();
    await owner.delete(`${SUBSCRIBERS}/${id}?erase=true`);
    expect(await resend.contacts.create({ email })).toEqual(refused(409, "validation_error"));
  });

  it("is removed by ID or email", async () => {
    const [first, second] = [await newContact(), await newContact()];
    for (const [which, { id }] of [
      [first.id, first],
      [{ email: second.email }, second],
    ] as const) {
      expect((await resend.contacts.remove(which as string)).data).toEqual({
        object: "contact",
        contact: id,
        deleted: true,
      });
      expect(await resend.contacts.get(id)).toEqual(refused(404, "not_found"));
    }
  });

  it("of another project is not found", async () => {
    const { resend: other } = await newDoor();
    const { id, email } = await newContact();
    const answers = await Promise.all([
      other.contacts.get(id),
      other.contacts.get({ email }),
      other.contacts.update({ id, unsubscribed: true }),
      other.contacts.remove({ email }),
      other.contacts.topics.list({ id }),
    ]);
    for (const answer of answers) expect(answer).toEqual(refused(404, "not_found"));
  });

  it("is refused with the names of Resend", async () => {
    const { email } = await newContact();
    const wrong: [object, number, string, string][] = [
      [{ email: "nobody" }, 422, "validation_error", "email: is not an email address"],
      [{}, 422, "missing_required_field", "email: is required"],
      [{ email, properties: { a: {} } }, 422, "validation_error", "properties.a"],
      [
        { email, properties: { a: "x".repeat(9_000) } },
        422,
        "validation_error",
        "properties: must",
      ],
      [{ email, segments: [{ id: crypto.randomUUID() }] }, 404, "not_found", "segment"],
    ];
    for (const [payload, status, name, message] of wrong)
      expect(await resend.contacts.create(payload as never)).toEqual(
        refused(status, name, expect.stringContaining(message)),
      );
    const unknown = await call("POST", "/contacts", { email, phone: "1" });
    expect(unknown).toMatchObject({ status: 422, body: { message: /phone/ } });
  });

  it("needs an access token to be changed; a key adds and lists contacts", async () => {
    const keyed = clientWith(project.key);
    const { id } = dataOf(await keyed.contacts.create({ email: address() }));
    expect(dataOf(await keyed.contacts.list({ limit: 1 })).data).toMatchObject([{ id }]);
    const update = await keyed.contacts.update({ id, unsubscribed: true });
    expect(update).toEqual(refused(401, "restricted_api_key"));
  });

  it("is listed in pages", async () => {
    const { resend: through } = await newDoor();
    const ids: string[] = [];
    for (let n = 0; n < 25; n += 1)
      ids.unshift(dataOf(await through.contacts.create({ email: address() })).id);
    const page = async (options: object) => {
      const { data, has_more: hasMore } = dataOf(await through.contacts.list(options));
      return { ids: data.map(({ id }) => id), hasMore };
    };
    expect(await page({})).toEqual({ ids, hasMore: false });
    expect(await page({ limit: 2 })).toEqual({ ids: ids.slice(0, 2), hasMore: true });
    const last = ids.slice(23);
    expect(await page({ limit: 2, after: ids[22] })).toEqual({ ids: last, hasMore: false });
    const middle = ids.slice(20, 22);
    expect(await page({ limit: 2, before: ids[22] })).toEqual({ ids: middle, hasMore: true });
    expect(await page({ before: ids[1] })).toEqual({ ids: ids.slice(0, 1), hasMore: false });
  });
});

describe("a segment", () => {
  it("has the contacts that are added to it, and loses those that are taken out", async () => {
    const segmentId = await newSegment('VIP, "best" & *friends*');
    const { id: contactId, email } = await newContact({ segments: [{ id: segmentId }] });
    const other = await newContact();
    const added = await resend.contacts.segments.add({ contactId: other.id, segmentId });
    expect(added.data).toMatchObject({ id: other.id });
    const members = async () =>
      dataOf(await resend.contacts.list({ segmentId })).data.map(({ id }) => id);
    expect(await members()).toEqual([other.id, contactId]);
    const removed = await resend.contacts.segments.remove({ email, segmentId });
    expect(removed.data).toMatchObject({ id: contactId, audienceId: segmentId, deleted: true });
    expect(await members()).toEqual([other.id]);
    const { body } = await owner.get(`/projects/${project.id}/segments/${segmentId}`);
    expect(body["where"]).toMatch(/^tag:vip-best-friends-\w{8}$/);
    const preview = { where: body["where"] };
    const matching = await owner.post(`/projects/${project.id}/segments/preview`, preview);
    expect(matching.body).toMatchObject({ count: 1 });
  });

  it("is renamed, read, listed and deleted", async () => {
    const [id, name] = [await newSegment(), unique("Renamed")];
    dataOf(await resend.segments.update(id, { name }));
    const segment = { id, name, created_at: expect.any(String) };
    expect(dataOf(await resend.segments.get(id))).toEqual({ object: "segment", ...segment });
    expect(dataOf(await resend.segments.list()).data).toContainEqual(segment);
    expect(dataOf(await resend.segments.remove(id))).toEqual({
      object: "segment",
      id,
      deleted: true,
    });
    expect(await resend.segments.get(id)).toEqual(refused(404, "not_found"));
  });

  it("of the dashboard is readable; only one of a single tag takes contacts", async () => {
    const { id: contactId } = await newContact();
    const segmentOf = async (where: string) => {
      const given = { name: unique("Own"), where };
      return String((await owner.post(`/projects/${project.id}/segments`, given)).body["id"]);
    };
    const condition = await segmentOf("tag:vip and opened:90d");
    expect(dataOf(await resend.segments.get(condition)).id).toBe(condition);
    const message = expect.stringMatching(/^segment_id: is a segment whose condition/);
    const answers = [
      await resend.contacts.segments.add({ contactId, segmentId: condition }),
      await resend.contacts.list({ segmentId: condition }),
      await resend.contacts.create({ email: address(), segments: [{ id: condition }] }),
    ];
    for (const answer of answers) expect(answer).toEqual(refused(422, "validation_error", message));
    const tag = await segmentOf("tag:vip");
    dataOf(await resend.contacts.segments.add({ contactId, segmentId: tag }));
    expect((await owner.get(`${SUBSCRIBERS}/${contactId}`)).body["tags"]).toEqual(["vip"]);
  });
});

describe("an audience", () => {
  it("is the project, which has all contacts", async () => {
    const { project: place, resend: through } = await newDoor();
    const audienceId = place.id;
    const email = address();
    const { id } = dataOf(await through.contacts.create({ audienceId, email, firstName: "Ann" }));
    expect(dataOf(await through.contacts.list({ audienceId })).data).toMatchObject([{ id }]);
    dataOf(await through.contacts.update({ audienceId, email, lastName: "Smith" }));
    expect(dataOf(await through.contacts.get({ audienceId, id }))).toMatchObject({
      first_name: "Ann",
      last_name: "Smith",
    });
    dataOf(await through.contacts.remove({ audienceId, email }));
    expect(await through.contacts.get(id)).toEqual(refused(404, "not_found"));
  });

  it("is a segment, which a contact leaves without being deleted", async () => {
    const audienceId = await newSegment();
    const email = address();
    const { id } = dataOf(await resend.contacts.create({ audienceId, email }));
    expect(dataOf(await resend.contacts.get({ audienceId, email })).id).toBe(id);
    dataOf(await resend.contacts.remove({ audienceId, email }));
    const gone = await resend.contacts.get({ audienceId, email });
    expect(gone).toEqual(refused(404, "not_found"));
    expect(dataOf(await resend.contacts.get({ email })).id).toBe(id);
  });

  it("is made, listed and read by older clients", async () => {
    const name = unique("Audience");
    const made = await call("POST", "/audiences", { name });
    expect(made).toMatchObject({ status: 200, body: { object: "audience", name } });
    const { id } = made.body as { id: string };
    const { body: list } = await call("GET", "/audiences");
    expect(list).toMatchObject({ object: "list", has_more: false });
    const { data } = list as { data: { id: string }[] };
    expect(data[0]).toMatchObject({ id: project.id });
    expect(data.map((one) => one.id)).toContain(id);
    const whole = await call("GET", `/audiences/${project.id}`);
    expect(whole.body).toMatchObject({ object: "audience", id: project.id });
    // clients in Python and Ruby repeat the parameters of the path
    const email = address();
    const contacts = `/audiences/${id}/contacts`;
    await call("POST", contacts, { audience_id: id, email, unsubscribed: false });
    const { status } = await call("PATCH", `${contacts}/${email}`, {
      audience_id: id,
      email,
      first_name: "Ann",
    });
    expect(status).toBe(200);
    expect((await call("GET", contacts)).body).toMatchObject({ data: [{ email }] });
    expect((await call("DELETE", `/audiences/${project.id}`)).status).toBe(404);
  });
});

describe("a topic", () => {
  const newTopic = async (defaultSubscription: "opt_in" | "opt_out") =>
    dataOf(await resend.topics.create({ name: unique("Topic"), defaultSubscription })).id;

  it("is made, changed, read, listed and deleted", async () => {
    const name = unique("Topic");
    const { id } = dataOf(await resend.topics.create({ name, defaultSubscription: "opt_out" }));
    dataOf(await resend.topics.update({ id, description: "Once a month" }));
    const topic = {
      id,
      name,
      description: "Once a month",
      default_subscription: "opt_out",
      visibility: "private",
      created_at: expect.any(String),
    };
    expect(dataOf(await resend.topics.get(id))).toEqual({ object: "topic", ...topic });
    expect(dataOf(await resend.topics.list()).data).toContainEqual(topic);
    expect(dataOf(await resend.topics.remove(id))).toMatchObject({ id, deleted: true });
    expect(await resend.topics.get(id)).toEqual(refused(404, "not_found"));
  });

  it("may be public", async () => {
    // The types of the package lack the field.
    const given = { name: unique("Topic"), defaultSubscription: "opt_out" as const };
    const made = await resend.topics.create({ ...given, visibility: "public" } as typeof given);
    const { id } = dataOf(made);
    const topic = async () => dataOf(await resend.topics.get(id));
    expect(await topic()).toMatchObject({ visibility: "public" });
    const change = (to: string) => resend.topics.update({ id, visibility: to } as { id: string });
    dataOf(await change("private"));
    const listed = dataOf(await resend.topics.list()).data.find((one) => one.id === id);
    expect(listed).toMatchObject({ visibility: "private" });
    const topics = [{ id, subscription: "opt_in" as const }];
    const contact = await newContact({ topics });
    expect(dataOf(await resend.contacts.topics.list({ id: contact.id })).data).toContainEqual(
      expect.objectContaining(topics[0]),
    );
    expect(await change("hidden")).toEqual(refused(422, "validation_error"));
    const other = await newDoor();
    expect(
      await other.resend.topics.update({ id, visibility: "public" } as { id: string }),
    ).toEqual(refused(404, "not_found"));
    expect(await topic()).toMatchObject({ visibility: "private" });
  });

  it("is consented to by a contact", async () => {
    const [everybody, nobody, chosen] = [
      await newTopic("opt_in"),
      await newTopic("opt_out"),
      await newTopic("opt_out"),
    ];
    const subscribed = async (id: string) =>
      dataOf(await resend.contacts.topics.list({ id }))
        .data.filter(({ subscription }) => subscription === "opt_in")
        .map((topic) => topic.id);
    expect(await subscribed((await newContact()).id)).toEqual([everybody]);
    const topics = [{ id: chosen, subscription: "opt_in" as const }];
    const { id, email } = await newContact({ topics });
    expect((await subscribed(id)).toSorted()).toEqual([everybody, chosen].toSorted());
    const changes = [
      { id: everybody, subscription: "opt_out" as const },
      { id: nobody, subscription: "opt_in" as const },
    ];
    expect(dataOf(await resend.contacts.topics.update({ email, topics: changes })).id).toBe(id);
    expect((await subscribed(id)).toSorted()).toEqual([nobody, chosen].toSorted());
    const left = await newContact({ topics: [{ id: everybody, subscription: "opt_out" }] });
    expect(await subscribed(left.id)).toEqual([]);
    dataOf(await resend.topics.remove(everybody));
  });

  it("keeps emails from contacts who opted out, and leads the others to it", async () => {
    const topicId = await newTopic("opt_out");
    const [out, { email: to }] = [
      await newContact(),
      await newContact({ topics: [{ id: topicId, subscription: "opt_in" }] }),
    ];
    const [{ id: stopped }] = [
      dataOf(await resend.emails.send({ ...mail(out.email), topicId })),
      dataOf(await resend.emails.send({ ...mail(to), topicId })),
    ];
    const { headers } = await PostalMime.parse((await waitForMessage(to)).raw);
    expect(headers).toContainEqual(
      expect.objectContaining({
        key: "list-unsubscribe",
        value: expect.stringContaining("/preferences/"),
      }),
    );
    expect(dataOf(await resend.emails.get(stopped)).last_event).toBe("suppressed");
    const { data, errors } = dataOf(
      await resend.batch.send([{ ...mail(out.email), topicId }], { batchValidation: "permissive" }),
    ) as { data: object[]; errors: object[] };
    expect([data, errors]).toEqual([[{ id: expect.any(String) }], []]);
    expect(await receivedMessages(out.email)).toEqual([]);
  });

  it("that does not exist is refused", async () => {
    const topics = [{ id: crypto.randomUUID(), subscription: "opt_out" as const }];
    const answer = await resend.contacts.create({ email: address(), topics });
    const message = expect.stringContaining("no topic");
    expect(answer).toEqual(refused(422, "validation_error", message));
    const email = await resend.emails.send({ ...mail(), topicId: crypto.randomUUID() });
    expect(email).toEqual(refused(404, "not_found", "topic not found"));
  });
});

describe("a contact property", () => {
  it("is a field of the project", async () => {
    const key = unique("seats");
    const { id } = dataOf(await resend.contactProperties.create({ key, type: "number" }));
    const { body } = await owner.get(`/projects/${project.id}/fields/${id}`);
    expect(body).toMatchObject({ key, type: "number" });
    const property = { id, key, type: "number", fallbackValue: null };
    expect(dataOf(await resend.contactProperties.get(id))).toMatchObject(property);
    const { data } = dataOf(await resend.contactProperties.list());
    expect(data).toEqual([{ ...property, createdAt: expect.any(String) }]);
    dataOf(await resend.contactProperties.remove(id));
    expect(await resend.contactProperties.get(id)).toEqual(refused(404, "not_found"));
  });

  it("has no fallback value", async () => {
    const given = { key: unique("key"), type: "string", fallbackValue: "x" } as const;
    const message = expect.stringContaining("fallback_value");
    const answer = await resend.contactProperties.create(given);
    expect(answer).toEqual(refused(422, "validation_error", message));
  });
});
