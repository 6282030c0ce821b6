import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";
import { receivedMessages, waitForMessage } from "../../support/mailbox.ts";
import { allRows, type Row } from "../../support/rows.ts";
import { CAPTURING, createService, unique } from "../../support/service.ts";

const service = createService();
const owner = await service.newOwner();
const project = await owner.newProject(CAPTURING);
const path = `/projects/${project.id}`;
const sk = service.withKey(project.key);
const HARMLESS = `/unsubscribe/${project.id}/00000000-0000-0000-0000-000000000000`;

interface Preview extends Row {
  problems: Row[];
  links: Row[];
}

const preview = async (body: object) =>
  (await sk.post<Preview>(`${path}/templates/preview`, body)).body;
const problemsOf = async (body: object) =>
  (await preview(body)).problems.map(({ code, field, line, column }) => [
    code,
    field,
    line,
    column,
  ]);
const WHOLE = { subject: "Hi", text_body: "Hi" };

async function newSubscriber(more: object = {}) {
  const email = `${unique("preview")}@any.test`;
  const { body } = await owner.post(`${path}/subscribers`, { email, name: "Ann", ...more });
  return { id: String(body["id"]), email };
}

describe("a preview", () => {
  it("renders the parts with data as for an address, without sending or writing anything", async () => {
    await preview({}); // notes the use of the key
    service.d1.reset();
    const html_body = '<p>Hi {{name}}</p><a href="https://shop.example/?a=1&amp;b={{id}}">x</a>';
    const answer = await preview({
      subject: "To {{name}}",
      preheader: "For {{name}}",
      html_body,
      data: { name: "A&B", id: 7 },
    });
    const url = "https://shop.example/?a=1&b=7";
    expect(answer).toEqual({
      subject: "To A&B",
      preheader: "For A&B",
      html_body: '<p>Hi A&amp;B</p><a href="https://shop.example/?a=1&amp;b=7">x</a>',
      text_body: expect.stringContaining(url),
      bytes: expect.any(Number),
      problems: [
        {
          code: "no_text_part",
          severity: "warning",
          field: "text_body",
          line: null,
          column: null,
          message: expect.any(String),
        },
      ],
      links: [{ url, tracked: true, line: 1, column: 19 }],
    });
    expect(Number(answer["bytes"])).toBeGreaterThan(String(answer["html_body"]).length); // tracked
    expect([service.d1.roundTrips, service.d1.rowsWritten]).toEqual([1, 0]);
  });

  it("responds to a form with a page that runs nothing and loads only images", async () => {
    const post = (fields: Record<string, string>) =>
      service.fetch(`/api/v1${path}/templates/preview`, {
        method: "POST",
        headers: { Cookie: owner.cookie, Origin: new URL(service.env.BASE_URL ?? "").origin },
        body: new URLSearchParams(fields),
      });
    const script = "<script>alert(1)</script>";
    const page = await post({
      html_body: `${script}<p>Hi {{name}}</p>`,
      data: JSON.stringify({ name: script }),
    });
    expect(await page.text()).toBe(`${script}<p>Hi &lt;script&gt;alert(1)&lt;/script&gt;</p>`);
    expect(page.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
    const policy = page.headers.get("Content-Security-Policy")?.split("; ");
    expect(policy).toEqual([
      "sandbox allow-same-origin", // never with allow-scripts
      "default-src 'none'",
      "style-src 'unsafe-inline'",
      "img-src 'self' https: data:",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'self'",
    ]);
    const broken = await (await post({ html_body: "{{#if <img src=x onerror=y>}}" })).text();
    expect(broken).toMatch(/^<p>template syntax error [^<>]+<\/p>$/);
    expect((await post({ html_body: "x", data: "{" })).status).toBe(400);
    const foreign = await service.fetch(`/api/v1${path}/templates/preview`, {
      method: "POST",
      headers: { Cookie: owner.cookie, Origin: "https://evil.example" },
      body: new URLSearchParams({ html_body: "x" }),
    });
    expect(foreign.status).toBe(403);
  });

  it("renders mail to a subscriber with the footer and an unsubscribe link without effect", async () => {
    const { id, email } = await newSubscriber({ metadata: { plan: "gold" } });
    const html_body = "<p>{{name}} {{metadata.plan}} {{extra}}</p>";
    const body = { ...WHOLE, html_body, subscriber_id: id, data: { extra: "!" } };
    const answer = await preview(body);
    expect(answer["html_body"]).toContain("<p>Ann gold !</p>");
    expect(answer["html_body"]).toContain(HARMLESS);
    expect(answer["text_body"]).toContain(HARMLESS);
    expect(JSON.stringify(answer)).not.toContain(id);
    expect(answer.problems).toMatchObject([{ code: "no_unsubscribe_link", severity: "warning" }]);
    const linked = { ...body, html_body: '{{email}}<a href="{{unsubscribe_link}}">Leave</a>' };
    const second = await preview(linked);
    expect(second.problems).toEqual([]);
    expect(second["html_body"]).toContain(email);
    expect(second.links).toMatchObject([
      { url: expect.stringContaining(HARMLESS), tracked: false },
    ]);
  });

  it.each<[string, object, unknown[]]>([
    ["an open block", { html_body: "<p>\n  {{#if a}}\n</p>" }, ["syntax", "html_body", 2, 3]],
    ["a broken subject", { subject: "{{name" }, ["syntax", "subject", 1, expect.any(Number)]],
    [
      "an endless text",
      {
        text_body:
          "{{#each (lookup this 'a')}}{{#each ../a}}{{#each ../../a}}{{#each ../../../a}}x{{/each}}{{/each}}{{/each}}{{/each}}",
        data: { a: Array.from({ length: 60 }, () => ({})) },
      },
      ["render", "text_body", null, null],
    ],
    [
      "an unknown variable",
      { html_body: "<p>\n {{ nmae }}</p>" },
      ["unknown_variable", "html_body", 2, 5],
    ],
    ["an unknown field", { text_body: "{{person.b.c}}" }, ["unknown_variable", "text_body", 1, 3]],
    [
      "an unknown list",
      { html_body: "{{#each things}}{{this}}{{/each}}" },
      ["unknown_variable", "html_body", 1, 9],
    ],
    [
      "an unknown variable of the root",
      { html_body: "{{#each items}}{{@root.x}}{{/each}}" },
      ["unknown_variable", "html_body", 1, 18],
    ],
    ["a relative link", { html_body: '<p>\n<a href="/shop">x</a>' }, ["link", "html_body", 2, 1]],
    ["an empty link", { html_body: '<a href="">x</a>' }, ["link", "html_body", 1, 1]],
    [
      "a link that does not parse",
      { html_body: '{{#if name}}\n<a href="https://{{name}} b/">x</a>{{/if}}' },
      ["link", "html_body", 2, 1],
    ],
    [
      "a link that is blocked",
      { html_body: '<a href=" javascript:x">x</a>' },
      ["link", "html_body", 1, 1],
    ],
    [
      "an image without alt",
      { html_body: '<img src="https://a.example/x.png">' },
      ["image_without_alt", "html_body", 1, 1],
    ],
    [
      "a text of the dashboard that nobody replaced",
      { html_body: "<p>Hi</p>\n<p>Write here what is new.</p>" },
      ["placeholder", "html_body", 2, 4],
    ],
    [
      "a button of the dashboard that nobody linked",
      { html_body: '<p>Hi</p>\n<a href="https://example.com">x</a>' },
      ["placeholder", "html_body", 2, 4],
    ],
    ["a link that data brings", { html_body: "{{{markup}}}" }, ["link", "html_body", null, null]],
    [
      "a large mail",
      { html_body: `<p>${"x".repeat(103 * 1_024)}</p>` },
      ["too_large", "html_body", null, null],
    ],
    [
      "a preheader with an unknown variable",
      { preheader: "{{coupon}}" },
      ["unknown_variable", "preheader", 1, 3],
    ],
    ["a preheader that does not parse", { preheader: "{{#if" }, ["syntax", "preheader", 1, 4]],
    ["no subject", { subject: " " }, ["no_subject", "subject", null, null]],
    ["no text part", { text_body: "" }, ["no_text_part", "text_body", null, null]],
    ["nothing at all", { html_body: "", text_body: " " }, ["empty", "html_body", null, null]],
  ])("reports %s, with its position", async (_name, change, expected) => {
    const data = { name: "Ann", person: { b: {} }, items: [1], markup: '<a href="x">x</a>' };
    const good = { ...WHOLE, html_body: "<p>Hi</p>", data };
    expect(await problemsOf(good)).toEqual([]);
    expect(await problemsOf({ ...good, ...change })).toEqual([expected]);
  });

  it.each([
    "{{#if coupon}}{{coupon}}{{/if}}{{#unless coupon}}-{{else}}{{coupon}}{{/unless}}",
    "{{#each items}}{{price}}{{@index}}{{../name}}{{/each}}{{#with person}}{{b}}{{/with}}",
    "{{#each items as |item|}}{{item.price}}{{/each}}{{lookup person name}}{{this}}{{.}}",
    '{{! nothing }}{{name}}{{person.b}}{{#*inline "p"}}{{any}}{{/inline}}{{> p x=name}}',
    '<a href="{{unsubscribe_link}}">leave</a>{{unsubscribe_url}}',
    '<a href="#top">x</a><a href="mailto:a@b.example">x</a><a href="tel:1">x</a><img alt="" src="x">',
  ])("finds no problem in %s", async (html_body) => {
    const data = { name: "Ann", person: { b: 1 }, items: [{ price: 1 }] };
    expect(await problemsOf({ ...WHOLE, html_body, data })).toEqual([]);
  });

  it("without a specific recipient knows the fields of subscribers and the metadata of the newest 100", async () => {
    const own = await owner.newProject();
    await owner.post(`/projects/${own.id}/subscribers`, {
      email: `${unique("list")}@any.test`,
      metadata: { plan: { tier: 1 } },
    });
    const text = "{{email}}{{name}}{{subscriber_id}}{{metadata.plan.tier}}{{unsubscribe_url}}";
    const html_body = `${text}{{metadata.plna}}{{city}}`;
    service.d1.reset();
    const { body } = await owner.post<Preview>(`/projects/${own.id}/templates/preview`, {
      ...WHOLE,
      html_body,
    });
    expect(body.problems.map(({ params }) => params)).toEqual([
      { name: "metadata.plna" },
      { name: "city" },
    ]);
    expect(service.d1.rowsRead).toBeLessThan(40);
  });

  it("of another project's subscriber is 404", async () => {
    const stranger = await service.newOwner();
    const { id } = await stranger.newProject();
    const made = await stranger.post(`/projects/${id}/subscribers`, {
      email: `${unique("foreign")}@any.test`,
    });
    const body = { subscriber_id: made.body["id"], html_body: "{{email}}" };
    expect((await sk.post(`${path}/templates/preview`, body)).status).toBe(404);
  });
});

describe("a test of a template", () => {
  const newTemplate = async (fields: object) =>
    String((await owner.post(`${path}/templates`, { name: unique("t"), ...fields })).body["id"]);
  const test = (id: string, body: object) =>
    sk.post<{ results: Row[] }>(`${path}/templates/${id}/test`, body);
  const address = () => `${unique("test")}@any.test`;

  it("is sent to each address like any mail, is logged with the tag test, and skips suppressed ones", async () => {
    const id = await newTemplate({ subject: "Hi {{name}}", html_body: "<p>{{name}}</p>" });
    const [good, off] = [address(), address()];
    await owner.post(`${path}/suppressions`, { emails: [off] });
    const { status, body } = await test(id, { to: [good, off], data: { name: "Ann" } });
    expect(status).toBe(200);
    expect(body.results).toEqual([
      { to: good, status: "sent", error: null, id: expect.any(String) },
      { to: off, status: "suppressed", error: null, id: expect.any(String) },
    ]);
    const mail = await PostalMime.parse((await waitForMessage(good)).raw);
    expect([mail.subject, mail.html]).toEqual(["Hi Ann", "<p>Ann</p>\n"]);
    expect(await receivedMessages(off)).toEqual([]);
    const { body: log } = await owner.get<{ logs: Row[] }>(`${path}/logs`);
    for (const { id: logId } of body.results)
      expect(log.logs).toContainEqual(
        expect.objectContaining({ id: logId, template_id: id, tags: { test: "true" } }),
      );
  });

  it("with a subscriber is that subscriber's mail, but its unsubscribe link has no effect", async () => {
    const { id: subscriber_id, email } = await newSubscriber({ metadata: { plan: "gold" } });
    const id = await newTemplate({ html_body: "<p>{{email}} {{metadata.plan}}</p>" });
    const to = address();
    expect((await test(id, { to: [to], subscriber_id })).body.results).toMatchObject([
      { status: "sent" },
    ]);
    expect(await receivedMessages(email)).toEqual([]);
    const { raw, text } = await waitForMessage(to);
    const { html = "" } = await PostalMime.parse(raw);
    expect(html).toContain(`<p>${email} gold</p>`);
    expect(html).toContain(`${HARMLESS}"`);
    expect(text).not.toContain(subscriber_id);
    await service.fetch(HARMLESS, { method: "POST" });
    const status = "select status from subscribers where id = ?";
    expect(await allRows(status, subscriber_id)).toEqual([{ status: "active" }]);
  });

  it("accepts one to five addresses, 10 times a minute, and rejects what every send rejects", async () => {
    const own = await owner.newProject(CAPTURING);
    const list = `/projects/${own.id}/templates`;
    const made = await owner.post(list, { name: "x", html_body: "{{! nothing }}" });
    const ask = (body: object) => owner.post(`${list}/${String(made.body["id"])}/test`, body);
    const six = Array.from({ length: 6 }, address);
    for (const to of [[], six, "nobody", ["nobody"]]) expect((await ask({ to })).status).toBe(400);
    expect(await ask({ to: [address()] })).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining("the email is empty") },
    });
    expect((await ask({ to: [address()], subscriber_id: crypto.randomUUID() })).status).toBe(404);
    const nowhere = `${list}/${crypto.randomUUID()}/test`;
    expect((await owner.post(nowhere, { to: [address()] })).status).toBe(404);
    const rest = await Promise.all(Array.from({ length: 6 }, () => ask({ to: [] })));
    expect(rest.filter(({ status }) => status === 429)).toHaveLength(3);
    expect((await owner.get(`/projects/${own.id}/logs`)).body).toMatchObject({ total: 0 });
  });
});
