/*
 * Broadcasts, templates, suppressions and webhooks of the Resend door, called by Resend's own
 * package with nothing but another base URL.
 */
import { Resend } from "resend";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CAPTURING, unique } from "../support/service.ts";
import { createDispatching } from "../support/webhooks/dispatching.ts";
import { endpoint, waitForRequests } from "../support/webhooks/received.ts";

const { service, dispatch } = createDispatching();
const owner = await service.newOwner();
const base = new URL("/resend", service.env.BASE_URL).href;
const network = fetch;

beforeEach(() => {
  vi.stubGlobal("fetch", (input: RequestInfo | URL, init?: RequestInit) =>
    typeof input === "string" && input.startsWith(base)
      ? service.fetch(input, init)
      : network(input, init),
  );
});

afterEach(() => void vi.unstubAllGlobals());

/** A project with a client that may do everything in it. */
async function newDoor(options: object = {}) {
  const project = await owner.newProject({ ...CAPTURING, ...options });
  const { body } = await owner.post("/auth/tokens", { name: "door", project_ids: [project.id] });
  return { project, resend: new Resend(String(body["token"]), { baseUrl: base }) };
}

const address = () => `${unique("to")}@any.test`;
const mail = (to = address()) => ({
  from: "sender@postrider.test",
  to,
  subject: "Hello",
  html: '<p>Hi <a href="https://shop.test/">there</a></p>',
});

/** Returns the data of an answer that must not be an error. */
function done<T>({ data, error }: { data: T | null; error: unknown }): T {
  expect(error).toBeNull();
  return data as T;
}

const refused = (statusCode: number, name: string, message: unknown = expect.any(String)) => ({
  data: null,
  error: { statusCode, name, message },
  headers: expect.any(Object),
});

describe("a webhook", async () => {
  const { project, resend } = await newDoor();

  /** Creates a webhook whose deliveries the test reads as their handlers do. */
  async function newWebhook(events: Parameters<typeof resend.webhooks.create>[0]["events"]) {
    const name = unique("hook");
    const created = done(
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
    const sent = done(await resend.emails.send(mail(to)));
    const other = done(await resend.emails.send(mail(stopped)));
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
      { type: "email.sent", created_at: expect.any(String), data: emailOf(sent, to) },
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
    const { id } = done(
      await own.resend.webhooks.create({ endpoint: endpoint("ok/listed"), events: [...events] }),
    );
    const shown = {
      id,
      endpoint: endpoint("ok/listed"),
      events: [...events],
      status: "enabled",
      created_at: expect.any(String),
    };
    expect(done(await own.resend.webhooks.get(id))).toEqual({
      object: "webhook",
      ...shown,
      signing_secret: "",
    });
    const change = { endpoint: endpoint("ok/moved"), status: "disabled" } as const;
    expect(done(await own.resend.webhooks.update(id, change))).toEqual({ object: "webhook", id });
    expect(done(await own.resend.webhooks.list())).toEqual({
      object: "list",
      has_more: false,
      data: [{ ...shown, ...change }],
    });
    const removed = done(await own.resend.webhooks.remove(id));
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
