/* Fields that a call does not know: named as warnings, or as errors (API reference §1.3). */
import { beforeAll, describe, expect, it } from "vitest";
import { CAPTURING, createService, unique, type Client } from "../support/service.ts";

const service = createService();
const address = () => `${unique("unknown")}@any.test`;
const STRICT = { Prefer: "handling=strict" };

let owner: Client;
let sdk: Client;
let base: string;
let template: string;

beforeAll(async () => {
  owner = await service.newOwner();
  const project = await owner.newProject(CAPTURING);
  base = `/projects/${project.id}`;
  const made = await owner.post(`${base}/api-keys`, { name: "sdk", type: "sdk" });
  sdk = service.withKey(String(made.body["key"]));
  const { body } = await owner.post(`${base}/templates`, { name: "t", html_body: "<p>{{a}}</p>" });
  template = String(body["id"]);
});

const unknown = (path: string) => ({
  path,
  code: "unknown_field",
  message: "is not a field here",
});
const misspelled = (path: string, nearest: string) => ({
  path,
  code: "misspelled_field",
  params: { nearest },
  message: `is not a field here: did you mean ${nearest}?`,
});
const mail = (more: object = {}) => ({
  to: address(),
  subject: "Hi",
  html_body: "<p>Hi</p>",
  ...more,
});

describe("an unknown field", () => {
  it("is a warning of a send, with the field that was meant", async () => {
    const sent = await owner.post(
      `${base}/send`,
      mail({ sender: "a@b.test", replyTo: "c@d.test" }),
    );
    expect(sent).toMatchObject({
      status: 200,
      body: {
        message: "sent",
        warnings: [unknown("sender"), misspelled("replyTo", "reply_to")],
      },
    });
    const plain = await owner.post(`${base}/send`, mail({ sender: null, data: undefined }));
    expect(Object.keys(plain.body)).toEqual(["message", "id"]);
  });

  it("is one that the shape of the send does not have", async () => {
    const { body } = await owner.post(`${base}/subscribers`, { email: address() });
    const sent = await owner.post(`${base}/send`, {
      subscriber_id: body["id"],
      template_id: template,
      cc: [address()],
    });
    expect(sent).toMatchObject({ status: 200, body: { sent: 1, warnings: [unknown("cc")] } });
  });

  it("is named within lists, but not within data, headers or metadata", async () => {
    const attachment = { filename: "a.txt", content: "", contentType: "text/plain" };
    const headers = { "X-Any": "1" };
    const sent = await owner.post(`${base}/send`, mail({ headers, attachments: [attachment] }));
    expect(sent.body["warnings"]).toEqual([
      misspelled("attachments.0.contentType", "content_type"),
    ]);
    const recipients = [
      { to: address(), data: { any: 1 } },
      { to: address(), dta: {} },
    ];
    const batch = { template_id: template, recipients, sbject: "Hi" };
    const warnings = [misspelled("recipients.1.dta", "data"), misspelled("sbject", "subject")];
    const waited = await owner.post(`${base}/send/batch`, batch);
    expect(waited).toMatchObject({ status: 200, body: { sent: 2, warnings } });
    const begun = await owner.post(`${base}/send/batch`, batch, { Prefer: "respond-async" });
    expect(begun).toMatchObject({ status: 202, body: { warnings } });
    const added = await owner.post(`${base}/subscribers`, {
      email: address(),
      metadata: { any: 1 },
    });
    expect(added.body).not.toHaveProperty("warnings");
  });

  it("is a warning of a template, a subscriber and a send by name", async () => {
    const made = await owner.post(`${base}/templates`, { name: "n", html: "<p>Hi</p>" });
    const at = `${base}/templates/${String(made.body["id"])}`;
    expect(made).toMatchObject({
      status: 201,
      body: { warnings: [misspelled("html", "html_body")] },
    });
    expect((await owner.get(at)).body).not.toHaveProperty("warnings");
    const changed = await owner.put(at, { name: "m", text: "Hi" });
    expect(changed.body["warnings"]).toEqual([misspelled("text", "text_body")]);
    const copied = await owner.post(`${at}/duplicate`, { title: "c" });
    expect(copied.body["warnings"]).toEqual([unknown("title")]);

    const added = await owner.post(`${base}/subscribers`, { email: address(), tag: ["a"] });
    expect(added).toMatchObject({ status: 201, body: { warnings: [misspelled("tag", "tags")] } });
    const person = `${base}/subscribers/${String(added.body["id"])}`;
    const patched = await owner.request("PATCH", person, { name: "Ann", firstname: "Ann" });
    expect(patched.body["warnings"]).toEqual([unknown("firstname")]);

    const to = address();
    const sent = await sdk.post("/send", { to, html: "<p>Hi</p>", sender: "a@b.test" });
    expect(sent).toMatchObject({
      status: 200,
      body: { success: true, data: { to, warnings: [unknown("sender")] } },
    });
  });

  it("is a warning of a join, and of a row of an imported array", async () => {
    const made = await owner.post(`${base}/api-keys`, { name: "pk", type: "pk" });
    const pk = service.withKey(String(made.body["key"]));
    const joined = await pk.post("/join", { email: address(), meta_data: { plan: "pro" } });
    const warnings = [misspelled("meta_data", "metadata")];
    expect(joined).toMatchObject({ status: 201, body: { data: { warnings } } });
    const strict = await pk.post("/join", { email: address(), name: "Ann" }, STRICT);
    expect(strict).toMatchObject({ status: 400, body: { code: "unknown_field" } });

    const rows = [{ email: address() }, { email: address(), tag: ["vip"] }];
    const imported = await owner.post(`${base}/subscribers/import`, rows);
    expect(imported).toMatchObject({
      status: 200,
      body: { imported: 2, warnings: [misspelled("1.tag", "tags")] },
    });
    const refused = await owner.post(`${base}/subscribers/import`, rows, STRICT);
    expect(refused).toMatchObject({ status: 400, body: { code: "unknown_field" } });
  });

  it("is in the stored answer of a call that creates once", async () => {
    const key = { "Idempotency-Key": unique("key") };
    const create = () => owner.post(`${base}/templates`, { name: "once", htmlbody: "" }, key);
    const first = await create();
    expect(first.body["warnings"]).toEqual([misspelled("htmlbody", "html_body")]);
    expect((await create()).body).toEqual(first.body);
  });

  it("is named at most 20 times", async () => {
    const recipients = Array.from({ length: 30 }, () => ({ to: address(), name: "Ann" }));
    const sent = await owner.post(`${base}/send/batch`, { template_id: template, recipients });
    expect(sent.body["warnings"]).toHaveLength(20);
  });

  it("is an error with handling=strict, and nothing happens", async () => {
    const logs = async () => (await owner.get(`${base}/logs?limit=1`)).body["total"];
    const before = await logs();
    const refused = {
      status: 400,
      body: {
        error: "sender: is not a field here",
        code: "unknown_field",
        details: [unknown("sender"), misspelled("replyTo", "reply_to")],
      },
    };
    const strictly = mail({ sender: "a@b.test", replyTo: "c@d.test" });
    expect(await owner.post(`${base}/send`, strictly, STRICT)).toMatchObject(refused);
    const large = { ...strictly, html_body: "x".repeat(70_000) };
    expect(await owner.post(`${base}/send`, large, STRICT)).toMatchObject(refused);
    const both = { Prefer: 'respond-async, handling="strict"' };
    const batch = { template_id: template, recipients: [{ to: address(), dta: {} }] };
    expect(await owner.post(`${base}/send/batch`, batch, both)).toMatchObject({
      status: 400,
      body: { error: "recipients.0.dta: is not a field here: did you mean data?" },
    });
    const named = { to: address(), html: "<p>Hi</p>", sender: "a@b.test" };
    expect(await sdk.post("/send", named, STRICT)).toMatchObject({
      status: 400,
      body: { success: false, code: "unknown_field", error: "sender: is not a field here" },
    });
    expect(await logs()).toBe(before);
    expect(await owner.post(`${base}/send`, mail(), STRICT)).toMatchObject({ status: 200 });
  });

  it("comes first in the details of a refused body if it is misspelled, else last", async () => {
    const path = `${base}/send`;
    const shape = { path: "", code: "send_shape" };
    expect(await owner.post(path, { to: address(), subject: "Hi", html: "x" })).toMatchObject({
      status: 400,
      body: {
        error: "html: is not a field here: did you mean html_body?",
        code: "unknown_field",
        details: [misspelled("html", "html_body"), shape],
      },
    });
    expect(await owner.post(path, { to: address(), unsubscribe: "no" })).toMatchObject({
      status: 400,
      body: { code: "invalid_request", details: [shape, unknown("unsubscribe")] },
    });
    expect(await sdk.post("/send", { to: address(), html_body: "x" })).toMatchObject({
      status: 400,
      body: { error: "html_body: is not a field here: did you mean html?" },
    });
  });
});
