import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";
import { AFTER_UNDO_MS, draftWorld } from "../../support/drafting.ts";
import { receivedMessages, waitForMessage, waitForMessages } from "../../support/mailbox.ts";
import { CAPTURING, createService, unique } from "../../support/service.ts";

const service = createService();
const owner = await service.newOwner();

const address = () => `${unique("to")}@any.test`;
const HTML = '<p>Hello <a href="https://shop.test/?a=1#x">shop</a></p>';

const htmlIn = async (raw: Parameters<typeof PostalMime.parse>[0]) =>
  String((await PostalMime.parse(raw)).html);
const htmlTo = async (to: string) => htmlIn((await waitForMessage(to)).raw);
const seen = (html: string) => ({
  opens: html.includes("/t/"),
  clicks: !html.includes('href="https://shop.test/'),
});

async function newProject() {
  const project = await owner.newProject(CAPTURING);
  const path = `/projects/${project.id}`;
  const key = service.withKey(project.key);
  const named = { name: "names", type: "sdk" };
  const sdk = await owner.post<{ key: string }>(`${path}/api-keys`, named);
  const byName = service.withKey(sdk.body.key);
  const save = (settings: object) => owner.put(`${path}/mail-settings`, settings);
  const subscribe = async () =>
    String((await owner.post(`${path}/subscribers`, { email: address() })).body["id"]);
  const newTemplate = async (fields: object = {}) => {
    const body = { name: unique("t"), subject: "Hi", html_body: HTML, ...fields };
    const made = await owner.post<{ id: string; name: string }>(`${path}/templates`, body);
    expect(made).toMatchObject({ status: 201, body: fields });
    return made.body;
  };
  return { ...project, path, key, byName, save, subscribe, newTemplate };
}

const on = { opens: true, clicks: true };

describe("tracking", () => {
  it("is decided for each switch by the mail, then its template, then the project", async () => {
    const { path, key, save, subscribe, newTemplate } = await newProject();
    const sent = async (template_id: string, tracking?: object) => {
      const subscriber_id = await subscribe();
      const { body: person } = await owner.get(`${path}/subscribers/${subscriber_id}`);
      const answer = await key.post(`${path}/send`, { subscriber_id, template_id, tracking });
      expect(answer.body).toMatchObject({ sent: 1 });
      return seen(await htmlTo(String(person["email"])));
    };
    const plain = await newTemplate();
    expect(await sent(plain.id)).toEqual(on);
    expect((await save({ tracking: { opens: false } })).body).toMatchObject({
      tracking: { opens: false, clicks: true },
    });
    expect(await sent(plain.id)).toEqual({ opens: false, clicks: true });
    const own = await newTemplate({ tracking: { opens: true, clicks: false } });
    expect(await sent(own.id)).toEqual({ opens: true, clicks: false });
    expect(await sent(own.id, { opens: false })).toEqual({ opens: false, clicks: false });
    expect(await sent(own.id, { clicks: true })).toEqual(on);
    expect((await save({ tracking: {} })).body).toMatchObject({ tracking: on });
    expect(await sent(plain.id)).toEqual(on);
  });

  it("is set by a raw send, a batch, a send with names, and its template", async () => {
    const { path, key, byName, newTemplate } = await newProject();
    const tracking = { clicks: false };
    const { id, name } = await newTemplate();
    const [raw, batch, named, inline, usual] = [1, 2, 3, 4, 5].map(address);
    const of = (to = "") => ({ to, tracking });
    await key.post(`${path}/send`, { ...of(raw), subject: "Hi", html_body: HTML });
    const list = { template_id: id, recipients: [{ to: batch }], tracking };
    expect((await key.post(`${path}/send/batch`, list)).body).toMatchObject({ sent: 1 });
    await byName.post("/send", { ...of(named), template: name });
    await byName.post("/send", { ...of(inline), html: HTML, subject: "Hi" });
    await byName.post("/send", { to: usual, template: name });
    for (const to of [raw, batch, named, inline])
      expect(seen(await htmlTo(to ?? ""))).toMatchObject({ clicks: false });
    expect(seen(await htmlTo(usual ?? ""))).toMatchObject({ clicks: true });
  });

  it("off leaves the unsubscribe link and headers as they are", async () => {
    const { path, key, save, subscribe, newTemplate } = await newProject();
    await save({ tracking: { opens: false, clicks: false }, utm: { source: "shop" } });
    const subscriber_id = await subscribe();
    const { id } = await newTemplate({ html_body: `${HTML}<a href="{{unsubscribe_url}}">bye</a>` });
    const { body: person } = await owner.get(`${path}/subscribers/${subscriber_id}`);
    await key.post(`${path}/send`, { subscriber_id, template_id: id });
    const mail = await PostalMime.parse((await waitForMessage(String(person["email"]))).raw);
    expect(seen(String(mail.html))).toEqual({ opens: false, clicks: false });
    expect(mail.html).toMatch(/href="[^"?]+\/unsubscribe\/[^"?]+">bye/);
    expect(mail.headers.map(({ key: name }) => name)).toEqual(
      expect.arrayContaining(["list-unsubscribe", "list-unsubscribe-post"]),
    );
  });

  it('leaves a link with `data-track="off"` as it is, without the attribute', async () => {
    const { path, key, save } = await newProject();
    await save({ utm: { source: "shop" } });
    const to = address();
    const html_body = `<a DATA-TRACK=' Off ' href="https://off.test/?a=1">x</a><a data-track="yes" href="https://on.test/">y</a>`;
    await key.post(`${path}/send`, { to, subject: "Hi", html_body });
    const html = await htmlTo(to);
    expect(html).toMatch(/<a\s+href="https:\/\/off\.test\/\?a=1">x<\/a>/);
    expect(html).toContain('data-track="yes"');
    expect(html).not.toContain("on.test");
  });

  it.each([
    [{ opened: false }, "tracking"],
    [{ opens: "no" }, "tracking.opens"],
    [[], "tracking"],
  ])("is not %j", async (tracking, path) => {
    const project = await newProject();
    for (const answer of [
      await project.key.post(`${project.path}/send`, {
        to: address(),
        subject: "Hi",
        html_body: HTML,
        tracking,
      }),
      await project.save({ tracking }),
      await owner.post(`${project.path}/templates`, { name: "x", tracking }),
    ])
      expect(answer).toMatchObject({
        status: 400,
        body: { details: [{ path: expect.stringContaining(path) }] },
      });
  });
});

describe("the preheader", () => {
  const shown = (html: string) =>
    /^(?:.*<body>)?<div style="display:none[^>]*>([^&]*)/.exec(html)?.[1];

  it("is that of the mail, or else of its template, with variables", async () => {
    const { path, key, byName, newTemplate } = await newProject();
    const { id, name } = await newTemplate({ preheader: "For {{name}}" });
    const data = { name: "A<b>" };
    const cases: [string, object, string][] = [
      ["/send", { template: name, data }, "For A"],
      ["/send", { template: name, data, preheader: "Own {{name}}!" }, "Own A"],
      ["/send", { html: HTML, data, preheader: "In {{name}}" }, "In A"],
      [`${path}/send`, { template_id: id, data }, "For A"],
      [
        `${path}/send`,
        { subject: "x", html_body: HTML, preheader: "Raw {{name}}" },
        "Raw {{name}}",
      ],
    ];
    for (const [at, body, expected] of cases) {
      const to = address();
      expect((await (at === "/send" ? byName : key).post(at, { to, ...body })).status).toBe(200);
      expect(shown(await htmlTo(to))).toBe(expected);
    }
    const to = [address(), address()];
    for (const [n, more] of [{}, { preheader: "Batch {{name}}" }].entries())
      await key.post(`${path}/send/batch`, {
        template_id: id,
        recipients: [{ to: to[n], data: { name: "B" } }],
        ...more,
      });
    expect(shown(await htmlTo(to[0] ?? ""))).toBe("For B");
    expect(shown(await htmlTo(to[1] ?? ""))).toBe("Batch B");
  });

  it("must parse, and is part of a template's versions", async () => {
    const { path, key, newTemplate } = await newProject();
    const { id } = await newTemplate({ preheader: "first" });
    const at = `${path}/templates/${id}`;
    const broken = { preheader: "{{#if" };
    const to = address();
    for (const answer of [
      await owner.put(at, broken),
      await key.post(`${path}/send`, { to, template_id: id, ...broken }),
      await key.post(`${path}/send/batch`, { template_id: id, recipients: [{ to }], ...broken }),
    ])
      expect(answer).toMatchObject({
        status: 400,
        body: { error: expect.stringContaining("preheader") },
      });
    await owner.put(at, { preheader: "second", tracking: { opens: false } });
    const { body } = await owner.get<{ versions: { id: string }[] }>(`${at}/versions`);
    const restored = await owner.post(`${at}/versions/${body.versions[0]?.id}/restore`);
    expect(restored.body).toMatchObject({ preheader: "first", tracking: { opens: false } });
    const copy = await owner.post(`${at}/duplicate`, {});
    expect(copy.body).toMatchObject({ preheader: "first", tracking: { opens: false } });
  });
});

describe("campaign parameters", () => {
  it("are on the links of a mail, before they are tracked", async () => {
    const { path, key, save } = await newProject();
    const saved = await save({ utm: { source: "shop", medium: "email" } });
    expect(saved.body).toMatchObject({ utm: { source: "shop", medium: "email" } });
    const [tracked, untracked] = [address(), address()];
    const html_body = `${HTML}<a href="mailto:a@b.test">m</a><a href="https://own.test/?utm_source=x">o</a>`;
    const mail = { subject: "Hi", html_body };
    await key.post(`${path}/send`, { ...mail, to: tracked });
    await key.post(`${path}/send`, { ...mail, to: untracked, tracking: { clicks: false } });
    const target = "https://shop.test/?a=1&utm_source=shop&utm_medium=email#x";
    const html = await htmlTo(untracked);
    expect(html).toContain(`href="${target.replaceAll("&", "&amp;")}"`);
    expect(html).toContain('href="mailto:a@b.test"');
    expect(html).toContain('href="https://own.test/?utm_source=x"');
    const click = /href="[^"]+(\/c\/[^"]+)"/.exec(await htmlTo(tracked))?.[1] ?? "";
    const encoded = click.split("/").at(-1)?.split(".")[0] ?? "";
    expect(atob(encoded.replaceAll("-", "+").replaceAll("_", "/"))).toBe(target);
    expect((await save({ utm: {} })).body).toMatchObject({ utm: {} });
  });

  it.each([
    [{ source: "" }, "utm.source"],
    [{ source: "a\nb" }, "utm.source"],
    [{ term: "x" }, "utm"],
  ])("are not %j", async (utm, path) => {
    const { save } = await newProject();
    expect(await save({ utm })).toMatchObject({ status: 400, body: { details: [{ path }] } });
  });
});

describe("a broadcast", () => {
  it("that begins at once replaces the switches of its template, too", async () => {
    const { path, key, byName, subscribe, newTemplate } = await newProject();
    const id = await subscribe();
    const to = String((await owner.get(`${path}/subscribers/${id}`)).body["email"]);
    const html_body = `${HTML}<a href="{{unsubscribe_url}}">bye</a>`;
    const template = await newTemplate({ html_body, tracking: { opens: false, clicks: true } });
    const tracking = { opens: true, clicks: false };
    const byId = { template_id: template.id, subject: "By id", tracking };
    expect((await key.post(`${path}/broadcast`, byId)).body).toMatchObject({ sent: 1 });
    const named = { template: template.name, subject: "By name", tracking };
    expect((await byName.post("/broadcast", named)).status).toBe(202);
    const inline = { html: html_body, subject: "Inline", tracking: { opens: false } };
    expect((await byName.post("/broadcast", inline)).status).toBe(202);
    const mails = await waitForMessages({ to }, 3);
    const found = await Promise.all(mails.map(({ raw }) => PostalMime.parse(raw)));
    const switches = found.map(({ subject, html }) => [subject, seen(String(html))]);
    expect(Object.fromEntries(switches)).toEqual({
      "By id": tracking,
      "By name": tracking,
      Inline: { opens: false, clicks: true },
    });
    const wrong = { ...byId, tracking: { opened: false } };
    expect((await key.post(`${path}/broadcast`, wrong)).status).toBe(400);
    expect((await byName.post("/broadcast", { ...inline, ...wrong })).status).toBe(400);
  });

  it("freezes the preheader and the switches of its template, and its own come first", async () => {
    const world = await draftWorld(1, { name: "May sale", utm: { medium: "news" } });
    const { news, owner: author, start, pass, one } = world;
    const template = `${news.path}/templates/${news.templateId}`;
    const fields = { preheader: "For {{name}}", tracking: { opens: false, clicks: false } };
    await author.put(template, {
      html_body: `${HTML}<a href="{{unsubscribe_url}}">bye</a>`,
      ...fields,
    });
    await author.put(`${news.path}/mail-settings`, { utm: { source: "shop", medium: "email" } });
    const test = await author.post(`${one}/test`, { to: [`t-${news.from}`] });
    expect(test.status).toBe(200);
    await start();
    await author.put(template, { preheader: "Late", tracking: {} });
    expect((await author.get(`${one}/content`)).body).toMatchObject({ preheader: "For {{name}}" });
    await pass(AFTER_UNDO_MS);
    const mails = await receivedMessages({ from: news.from });
    expect(mails).toHaveLength(2);
    for (const { raw } of mails) {
      const html = await htmlIn(raw);
      expect(html).toContain(">For ");
      expect(html).not.toContain("/t/");
      expect(html).toContain(
        'href="https://shop.test/?a=1&amp;utm_source=shop&amp;utm_medium=news&amp;utm_campaign=may-sale#x"',
      );
      expect(html).toMatch(/href="[^"?]+">bye/);
    }
  });

  it('has no campaign parameters with `utm: "off"`, until it is cleared', async () => {
    const { news, owner: author, start, pass, one, look } = await draftWorld(1, { utm: "off" });
    const at = `${news.path}/templates/${news.templateId}`;
    await author.put(at, { html_body: HTML, tracking: { clicks: false } });
    await author.put(`${news.path}/mail-settings`, { utm: { source: "shop" } });
    expect(await look()).toMatchObject({ utm: "off" });
    const { body: copy } = await author.post(`${one}/duplicate`, {});
    expect(copy).toMatchObject({ utm: "off" });
    expect((await author.post(`${one}/test`, { to: [`test-${news.from}`] })).status).toBe(200);
    await start();
    await pass(AFTER_UNDO_MS);
    const [test, mail] = await waitForMessages({ from: news.from }, 2);
    for (const { raw } of [test, mail].flatMap((one) => one ?? []))
      expect(await htmlIn(raw)).toContain('href="https://shop.test/?a=1#x"');
    const path = `${news.path}/broadcasts/${String(copy["id"])}`;
    expect((await author.request("PATCH", path, { utm: {} })).body).toMatchObject({ utm: {} });
    await author.post(`${path}/test`, { to: [`again-${news.from}`] });
    expect(await htmlTo(`again-${news.from}`)).toContain("&amp;utm_source=shop&amp;");
  });

  it.each([
    ["on", "utm"],
    [{ term: "x" }, "utm"],
    [{ source: "a\nb" }, "utm.source"],
  ])("does not take utm %j", async (utm, at) => {
    const { path } = await newProject();
    expect(await owner.post(`${path}/broadcasts`, { name: "x", utm })).toMatchObject({
      status: 400,
      body: { details: [{ path: at }] },
    });
  });

  it("says itself what it tracks, and its copies keep it", async () => {
    const mine = { tracking: { opens: true, clicks: false }, utm: { campaign: "x" } };
    const { news, owner: author, start, pass, one, look } = await draftWorld(1, mine);
    await author.put(`${news.path}/templates/${news.templateId}`, {
      html_body: HTML,
      tracking: { opens: false, clicks: true },
    });
    expect(await look()).toMatchObject(mine);
    expect((await author.post(`${one}/duplicate`, {})).body).toMatchObject(mine);
    const { body } = await author.post(`${one}/duplicate`, { name: "y" });
    const cleared = { tracking: {}, utm: {} };
    const copy = `${news.path}/broadcasts/${String(body["id"])}`;
    expect((await author.request("PATCH", copy, cleared)).body).toMatchObject(cleared);
    await start();
    await pass(AFTER_UNDO_MS);
    const [mail] = await receivedMessages({ from: news.from });
    const html = await htmlIn(mail?.raw ?? "");
    expect(html).toContain('href="https://shop.test/?a=1&amp;utm_campaign=x#x"');
    expect(html).toContain("/t/");
  });
});
