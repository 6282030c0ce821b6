/*
 * Broadcasts, templates, suppressions and webhooks of the Resend door, called by Resend's own
 * package with nothing but another base URL.
 */
import PostalMime from "postal-mime";
import { Webhook } from "svix/dist/webhook.js";
import { describe, expect, it } from "vitest";
import { runScheduled } from "../../src/cron/run-scheduled.ts";
import { manualService, newNewsletter } from "../support/broadcasting.ts";
import { waitForMessage } from "../support/mailbox.ts";
import { address, dataOf, mail, openDoor, refused } from "../support/resend-door.ts";
import { unique } from "../support/service.ts";
import { DAY, EVERY_MINUTE, HOUR, SECOND } from "../support/times.ts";
import { createDispatching } from "../support/webhooks/dispatching.ts";
import { endpoint, waitForRequests } from "../support/webhooks/received.ts";

const { service, dispatch } = createDispatching();
const owner = await service.newOwner();
const { clientWith, newDoor, newToken } = openDoor(service, owner);

describe("a webhook", async () => {
  const { project, resend } = await newDoor();

  /** Creates a webhook whose deliveries the test reads as their handlers do. */
  async function newWebhook(events: Parameters<typeof resend.webhooks.create>[0]["events"]) {
    const name = unique("hook");
    const created = dataOf(
      await resend.webhooks.create({ endpoint: endpoint(`ok/${name}`), events }),
    );
    const handled = async (count: number) => {
      await dispatch([created.id]);
      return (await waitForRequests(name, count)).map(({ body, headers }) =>
        resend.webhooks.verify({
          payload: body,
          headers: {
            id: headers["svix-id"] ?? "",
            timestamp: headers["svix-timestamp"] ?? "",
            signature: headers["svix-signature"] ?? "",
          },
          webhookSecret: created.signing_secret,
        }),
      );
    };
    return { ...created, name, handled };
  }

  it("gets the events of emails as Resend sends them, with a signature of Svix", async () => {
    const {
      handled,
      id,
      name,
      signing_secret: secret,
    } = await newWebhook(["email.sent", "email.suppressed"]);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]+={0,2}$/);
    const [to, stopped] = [address(), address()];
    await owner.post(`/projects/${project.id}/suppressions`, { emails: [stopped] });
    const tags = [{ name: "order", value: "1042" }];
    const sent = dataOf(await resend.emails.send({ ...mail(to), tags }));
    const other = dataOf(await resend.emails.send(mail(stopped)));
    const events = await handled(2);
    const emailOf = (email: { id: string }, recipient: string) => ({
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      email_id: email.id,
      message_id: "",
      from: "",
      to: [recipient],
      subject: "Hello",
    });
    expect(events.toSorted((one, two) => one.type.localeCompare(two.type))).toEqual([
      {
        type: "email.sent",
        created_at: expect.any(String),
        data: { ...emailOf(sent, to), tags: { order: "1042" } },
      },
      {
        type: "email.suppressed",
        created_at: expect.any(String),
        data: {
          ...emailOf(other, stopped),
          suppressed: { message: expect.stringMatching(/./), type: "OnAccountSuppressionList" },
        },
      },
    ]);
    const [request] = await waitForRequests(name, 1);
    const verified = new Webhook(secret).verify(request?.body ?? "", request?.headers ?? {});
    expect(events).toContainEqual(verified);
    const tampered = { id: "x", timestamp: "1", signature: "v1,AAAA" };
    expect(() =>
      resend.webhooks.verify({
        payload: request?.body ?? "",
        headers: tampered,
        webhookSecret: secret,
      }),
    ).toThrow();
    const { body } = await owner.get(`/projects/${project.id}/webhooks/${id}`);
    expect(body).toMatchObject({ format: "resend", events: ["email.sent", "email.suppressed"] });
  });

  it("gets the changes of subscribers as those of contacts", async () => {
    const { handled } = await newWebhook(["contact.created", "contact.updated"]);
    const email = address();
    const path = `/projects/${project.id}/subscribers`;
    const { body } = await owner.post<{ id: string }>(path, { email, name: "Ann" });
    await owner.request("PATCH", `${path}/${body.id}`, { status: "unsubscribed" });
    const events = await handled(2);
    const contact = { id: body.id, email, first_name: "Ann", audience_id: project.id };
    expect(events.find(({ type }) => type === "contact.created")?.data).toMatchObject({
      ...contact,
      unsubscribed: false,
    });
    expect(events.find(({ type }) => type === "contact.updated")?.data).toMatchObject({
      ...contact,
      unsubscribed: true,
    });
  });

  it("gets events that Resend lacks in the format of Postrider", async () => {
    const { handled, id } = await newWebhook(["email.sent"]);
    await owner.post(`/projects/${project.id}/webhooks/${id}/test`);
    expect(await handled(1)).toEqual([
      expect.objectContaining({ type: "webhook.test", project_id: project.id }),
    ]);
  });

  it("is listed, read, changed and deleted", async () => {
    const own = await newDoor();
    const events = ["email.opened", "contact.updated"] as const;
    const { id } = dataOf(
      await own.resend.webhooks.create({ endpoint: endpoint("ok/listed"), events: [...events] }),
    );
    const shown = {
      id,
      endpoint: endpoint("ok/listed"),
      events: [...events],
      status: "enabled",
      created_at: expect.any(String),
    };
    expect(dataOf(await own.resend.webhooks.get(id))).toEqual({
      object: "webhook",
      ...shown,
      signing_secret: "",
    });
    const change = { endpoint: endpoint("ok/moved"), status: "disabled" } as const;
    expect(dataOf(await own.resend.webhooks.update(id, change))).toEqual({ object: "webhook", id });
    expect(dataOf(await own.resend.webhooks.list())).toEqual({
      object: "list",
      has_more: false,
      data: [{ ...shown, ...change }],
    });
    const removed = dataOf(await own.resend.webhooks.remove(id));
    expect(removed).toEqual({ object: "webhook", id, deleted: true });
    expect(await own.resend.webhooks.get(id)).toEqual(refused(404, "not_found"));
  });

  it("is refused for an event that Postrider lacks, and for a private address", async () => {
    const create = (url: string, event: "email.sent" | "email.delivered") =>
      resend.webhooks.create({ endpoint: url, events: [event] });
    expect(await create(endpoint("ok/none"), "email.delivered")).toEqual(
      refused(422, "validation_error", expect.stringContaining("email.sent")),
    );
    expect(await create("ftp://shop.test/", "email.sent")).toEqual(
      refused(422, "validation_error", expect.stringMatching(/^endpoint: /)),
    );
  });
});

describe("a broadcast", async () => {
  const { service: app, clock, workAll } = manualService();
  const news = await newNewsletter(app, owner);
  const resend = clientWith(await newToken(news.id));
  const { body: topic } = await owner.post<{ id: string }>(`/projects/${news.id}/topics`, {
    name: unique("topic"),
  });
  const { body: segment } = await owner.post<{ id: string }>(`/projects/${news.id}/segments`, {
    name: unique("segment"),
    where: 'metadata.plan = "pro"',
  });
  const pro = address();
  await owner.post(`/projects/${news.id}/subscribers`, {
    email: pro,
    metadata: { plan: "pro", first_name: "Ann" },
  });
  await owner.post(`/projects/${news.id}/subscribers`, { email: address() });

  const content = {
    from: `Ann of the shop <${news.from}>`,
    subject: unique("News"),
    html: '<p>Hi {{{FIRST_NAME|there}}}</p><a href="{{{RESEND_UNSUBSCRIBE_URL}}}">Leave</a>',
  };

  /** Lets the broadcasts that are due begin, and finishes them. */
  async function pass(ms: number) {
    const deps = await app.deps();
    clock.aheadMs += ms;
    await runScheduled(deps, EVERY_MINUTE);
    await workAll(deps);
  }

  it("is drafted, read, changed, sent to its segment and done", async () => {
    const { id } = dataOf(
      await resend.broadcasts.create({
        ...content,
        name: "May",
        segmentId: segment.id,
        replyTo: "help@postrider.test",
        previewText: "For {{{FIRST_NAME|you}}}",
      }),
    );
    dataOf(await resend.broadcasts.update(id, { name: "June", text: "Hi {{{contact.plan}}}" }));
    const shown = {
      object: "broadcast",
      id,
      name: "June",
      segment_id: segment.id,
      audience_id: segment.id,
      from: content.from,
      subject: content.subject,
      reply_to: ["help@postrider.test"],
      status: "draft",
      created_at: expect.any(String),
      scheduled_at: null,
      sent_at: null,
      topic_id: null,
      preview_text: expect.stringContaining("{{#if metadata.first_name"),
      html: expect.stringContaining("{{{unsubscribe_url}}}"),
      text: "Hi {{{metadata.plan}}}",
    };
    expect(dataOf(await resend.broadcasts.get(id))).toEqual(shown);
    expect(dataOf(await resend.broadcasts.send(id))).toEqual({ id });
    expect(dataOf(await resend.broadcasts.get(id))).toEqual({ ...shown, status: "queued" });
    expect(await resend.broadcasts.send(id)).toEqual(refused(409, "validation_error"));
    await pass(20_000);
    const { raw } = await waitForMessage(pro);
    const message = await PostalMime.parse(raw);
    expect(message).toMatchObject({
      from: { name: "Ann of the shop", address: news.from },
      subject: content.subject,
      text: expect.stringContaining("Hi pro"),
      html: expect.stringMatching(/Hi Ann<[^]*href="https?:[^]*Leave/),
    });
    expect(dataOf(await resend.broadcasts.get(id))).toEqual({
      ...shown,
      status: "sent",
      sent_at: expect.any(String),
    });
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 1 });
  });

  it("is sent at a time in words, and can be canceled and deleted", async () => {
    const subject = unique("Later");
    const { id } = dataOf(
      await resend.broadcasts.create({
        ...content,
        subject,
        html: `<p>${subject}</p>`,
        topicId: topic.id,
        segmentId: segment.id,
      }),
    );
    dataOf(await resend.broadcasts.update(id, { topicId: "" }));
    dataOf(await resend.broadcasts.send(id, { scheduledAt: "in 2 hours" }));
    const { scheduled_at: at, status, topic_id } = dataOf(await resend.broadcasts.get(id));
    expect({ status, topic_id }).toEqual({ status: "queued", topic_id: null });
    expect(Math.abs(Date.parse(at ?? "") - Date.now() - 2 * HOUR)).toBeLessThan(60_000);
    const listed = dataOf(await resend.broadcasts.list({ limit: 1 }));
    expect(listed).toMatchObject({ has_more: true, data: [{ id, name: subject }] });
    expect(dataOf(await resend.broadcasts.cancel(id))).toEqual({ object: "broadcast", id });
    const copy = dataOf(await resend.broadcasts.duplicate(id));
    for (const one of [id, copy.id])
      expect(dataOf(await resend.broadcasts.remove(one))).toEqual({
        object: "broadcast",
        id: one,
        deleted: true,
      });
    expect(await resend.broadcasts.get(id)).toEqual(refused(404, "not_found"));
  });

  it("is sent to everybody as it is created, or leaves no draft if its check stops it", async () => {
    const send = (audienceId: string, subject = unique("Now")) =>
      resend.broadcasts.create({
        from: content.from,
        subject,
        html: `<p>${subject}</p>`,
        audienceId,
        send: true,
      });
    const { id } = dataOf(await send(news.id));
    expect(dataOf(await resend.broadcasts.get(id))).toMatchObject({
      status: "queued",
      segment_id: null,
      audience_id: news.id,
    });
    await pass(20_000);
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 2 });
    const before = dataOf(await resend.broadcasts.list());
    const { body: nobody } = await owner.post<{ id: string }>(`/projects/${news.id}/segments`, {
      name: unique("nobody"),
      where: 'metadata.plan = "none"',
    });
    expect(await send(nobody.id)).toEqual(refused(409, "validation_error"));
    expect(dataOf(await resend.broadcasts.list())).toEqual(before);
  });

  it("needs a segment, and is only sent by the sender of the project", async () => {
    const draft = { ...content, segmentId: segment.id };
    expect(await resend.broadcasts.create({ ...draft, from: "eve@else.test" })).toEqual(
      refused(403, "validation_error"),
    );
    expect(await resend.broadcasts.create({ ...draft, segmentId: undefined } as never)).toEqual(
      refused(422, "missing_required_field", expect.stringMatching(/^segment_id: /)),
    );
    expect(
      await resend.broadcasts.create({ ...draft, scheduledAt: "in 2 hours" } as never),
    ).toEqual(refused(422, "validation_error", expect.stringMatching(/^scheduled_at: /)));
  });
});

describe("a template", async () => {
  const { resend } = await newDoor();

  it("is sent with its variables and their fallbacks, by its ID", async () => {
    const { id } = dataOf(
      await resend.templates
        .create({
          name: "Order confirmation",
          subject: "Order {{{ORDER}}}",
          html: "<p>{{{PRODUCT}}} for {{{PRICE}}}</p>",
          variables: [
            { key: "PRODUCT", type: "string", fallbackValue: "Something" },
            { key: "PRICE", type: "number", fallbackValue: 25 },
          ],
        })
        .publish(),
    );
    const to = address();
    const template = { id, variables: { ORDER: "7", PRICE: 0 } };
    dataOf(await resend.emails.send({ to, template }));
    const message = await PostalMime.parse((await waitForMessage(to)).raw);
    expect(message).toMatchObject({
      subject: "Order 7",
      html: expect.stringContaining("<p>Something for 0</p>"),
    });
  });

  it("is listed, read and changed by ID or alias, duplicated and deleted", async () => {
    const own = (await newDoor()).resend.templates;
    const { id } = dataOf(
      await own.create({ name: "Weekly: News!", alias: "weekly-news", html: "<p>Hi</p>" }),
    );
    dataOf(await own.update("weekly-news", { subject: "Hello", html: "<p>{{{A|b}}}</p>" }));
    const listed = {
      id,
      name: "Weekly: News!",
      alias: "weekly-news",
      status: "published",
      published_at: expect.any(String),
      created_at: expect.any(String),
      updated_at: expect.any(String),
    };
    expect(dataOf(await own.get("weekly-news"))).toEqual({
      object: "template",
      ...listed,
      subject: "Hello",
      html: "<p>{{#if A includeZero=true}}{{{A}}}{{else}}b{{/if}}</p>",
      text: null,
      from: null,
      reply_to: null,
      variables: null,
      current_version_id: id,
      has_unpublished_versions: false,
    });
    const copy = dataOf(await own.duplicate(id));
    const { data } = dataOf(await own.list());
    expect(data).toHaveLength(2);
    expect(data).toContainEqual(listed);
    for (const one of [copy.id, "weekly-news"])
      expect(dataOf(await own.remove(one))).toMatchObject({ object: "template", deleted: true });
    expect(await own.get("weekly-news")).toEqual(refused(404, "not_found"));
    expect(await own.get(id)).toEqual(refused(404, "not_found"));
  });

  it("has no alias but that of its name, no sender, and HTML", async () => {
    const own = { name: "Receipt", html: "<p>Hi</p>" };
    expect(await resend.templates.create({ ...own, alias: "bill" })).toEqual(
      refused(422, "validation_error", expect.stringMatching(/^alias: .*receipt/)),
    );
    expect(await resend.templates.create({ ...own, from: "a@b.test" })).toEqual(
      refused(422, "validation_error", expect.stringContaining("from")),
    );
    expect(await resend.templates.create({ name: "Receipt", html: "" })).toEqual(
      refused(422, "missing_required_field", expect.stringMatching(/^html: /)),
    );
  });
});

describe("suppressions", async () => {
  const { project, resend } = await newDoor();

  it("are added, found by ID and address, listed and removed", async () => {
    const [email, second] = [address(), address()];
    const { id } = dataOf(await resend.suppressions.add({ email: email.toUpperCase() }));
    expect(dataOf(await resend.suppressions.add({ email }))).toEqual({ object: "suppression", id });
    const entry = { id, email, origin: "manual", source_id: null, created_at: expect.any(String) };
    for (const name of [id, email])
      expect(dataOf(await resend.suppressions.get(name))).toEqual({
        object: "suppression",
        ...entry,
      });
    const added = dataOf(await resend.suppressions.batch.add({ emails: [email, second] }));
    expect(added.data).toEqual([
      { object: "suppression", id },
      { object: "suppression", id: expect.not.stringMatching(id) },
    ]);
    const bounced = { emails: [address()], reason: "hard_bounce" };
    await owner.post(`/projects/${project.id}/suppressions`, bounced);
    expect(dataOf(await resend.suppressions.list({ origin: "bounce" })).data).toEqual([
      expect.objectContaining({ email: bounced.emails[0], origin: "bounce" }),
    ]);
    const page = dataOf(
      await resend.suppressions.list({ limit: 1, after: added.data[1]?.id ?? "" }),
    );
    expect(page).toEqual({ object: "list", has_more: false, data: [entry] });
    expect(dataOf(await resend.suppressions.remove(email))).toEqual({
      object: "suppression",
      id,
      deleted: true,
    });
    const both = { emails: [email, second] };
    expect(dataOf(await resend.suppressions.batch.remove(both)).data).toEqual([
      { object: "suppression", id: email, deleted: false },
      { object: "suppression", id: added.data[1]?.id, deleted: true },
    ]);
    expect(await resend.suppressions.get(id)).toEqual(refused(404, "not_found"));
  });

  it("are refused for a text that is no address", async () => {
    expect(await resend.suppressions.add({ email: "nobody" })).toEqual(
      refused(422, "validation_error", expect.stringMatching(/^email: /)),
    );
    expect(await resend.suppressions.batch.add({ emails: ["nobody"] })).toEqual(
      refused(422, "validation_error", expect.stringMatching(/^emails\.0: /)),
    );
  });
});

describe("a time in words", async () => {
  const { project, resend } = await newDoor();
  const dueOf = async (scheduledAt: string) => {
    const to = address();
    dataOf(await resend.emails.send({ ...mail(to), scheduledAt }));
    const query = `/projects/${project.id}/logs?status=scheduled&limit=200`;
    const { body } = await owner.get<{ logs: { to_email: string; sent_at: string }[] }>(query);
    return Date.parse(body.logs.find(({ to_email: email }) => email === to)?.sent_at ?? "");
  };
  const midnight = (days: number) => Math.floor(Date.now() / DAY + days) * DAY;

  it.each([
    ["in 1 min", () => Date.now() + 60 * SECOND],
    ["in an hour", () => Date.now() + HOUR],
    ["In 2 weeks", () => Date.now() + 14 * DAY],
    ["tomorrow at 9am", () => midnight(1) + 9 * HOUR],
    ["tomorrow at 12:30 pm", () => midnight(1) + 12.5 * HOUR],
    ["tomorrow at 12am", () => midnight(1)],
  ])("schedules an email %s", async (words, at) => {
    expect(Math.abs((await dueOf(words)) - at())).toBeLessThan(30 * SECOND);
  });

  it("moves an email, and other words are refused with the ones that are understood", async () => {
    const { id } = dataOf(await resend.emails.send({ ...mail(), scheduledAt: "in 1 day" }));
    dataOf(await resend.emails.update({ id, scheduledAt: "in 2 days" }));
    const known = expect.stringMatching(/^scheduled_at: .*in 10 minutes/);
    for (const scheduledAt of ["next friday", "in 5 parsecs", "tomorrow at 13pm"])
      expect(await resend.emails.send({ ...mail(), scheduledAt })).toEqual(
        refused(422, "validation_error", known),
      );
    expect(await resend.batch.send([mail(), { ...mail(), scheduledAt: "soon" }])).toEqual(
      refused(422, "validation_error", expect.stringMatching(/email 1 .*scheduled_at: /)),
    );
  });
});
