/* The link in mail of a broadcast that shows the mail in the browser (API reference §13.9). */
import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";
import { DAY_MS } from "../../../src/lib/durations.ts";
import { viewUrl } from "../../../src/services/tracking/index.ts";
import { AFTER_UNDO_MS, draftWorld, type DraftWorld } from "../../support/drafting.ts";
import { receivedMessages, waitForMessage } from "../../support/mailbox.ts";
import { allRows } from "../../support/rows.ts";
import { CAPTURING, createService, unique } from "../../support/service.ts";

const HTML = `<body><h1>Issue {{broadcast.issue}}</h1><p>Hi {{name}} <a href="https://a.test/x">more</a></p>
<p>{{#if view_url}}<a href="{{view_url}}">In the browser</a>{{/if}} <a href="{{unsubscribe_url}}">Leave</a></p></body>`;
const OWN = { template_id: undefined, subject: "May for {{name}}", html_body: HTML };

const LINK = /https?:\/\/[^"\s]+\/view\/[\w.-]+/;

/** Sends a draft to its recipients, and returns the mail of each with its link. */
async function sent(world: DraftWorld) {
  await world.start();
  await world.pass(AFTER_UNDO_MS);
  const mails = [];
  for (const { raw, to } of await receivedMessages({ from: world.news.from })) {
    const { html = "", text = "", subject } = await PostalMime.parse(raw);
    mails.push({ to: to[0] ?? "", html, text, subject, link: LINK.exec(html)?.[0] ?? "" });
  }
  return mails.toSorted((one, other) => one.to.localeCompare(other.to));
}

const world = await draftWorld(2, { ...OWN, variables: { issue: 7 } });
const [first, second] = await sent(world);
const { service, owner, news } = world;
const link = first?.link ?? "";
const view = (at = link) => service.fetch(at);

describe("the link to a mail in the browser", () => {
  it("shows the recipient's own mail, without pixel and tracked links", async () => {
    const answer = await view();
    expect(answer.status).toBe(200);
    const html = await answer.text();
    expect(html).toContain("<title>May for n0</title>");
    expect(html).toContain("<h1>Issue 7</h1>");
    expect(html).toContain('Hi n0 <a href="https://a.test/x">');
    expect(html).not.toMatch(/\/t\/|\/c\/|<script|(?:for|Hi) n1/);
    expect(first?.html).toMatch(/\/c\/[\s\S]*\/t\//);
    const leave = /\/preferences\/[\w.-]+/;
    const page = await service.fetch(leave.exec(html)?.[0] ?? "");
    expect([page.status, await page.text()]).toEqual([
      200,
      expect.stringContaining(first?.to ?? "none"),
    ]);
    expect(await (await view(second?.link)).text()).toContain("May for n1");
  });

  it("is neither tracked in the mail nor renewed by the page, and is in the text", async () => {
    expect(first?.html).toContain(`href="${link}"`);
    expect(first?.text).toContain(link);
    expect(LINK.exec(await (await view()).text())?.[0]).toBe(link);
  });

  it("changes and records nothing, and costs one round trip", async () => {
    const before = await world.mails();
    service.d1.reset();
    await view();
    expect([service.d1.roundTrips, service.d1.rowsWritten]).toEqual([1, 0]);
    await service.fetch(link, { method: "HEAD" });
    expect(await world.mails()).toEqual(before);
  });

  it("is a page of an origin of its own, without scripts, cache and index", async () => {
    const { headers } = await view();
    const policy = headers.get("Content-Security-Policy") ?? "";
    expect(policy).toBe(
      "default-src 'none'; img-src https: data: https://mail.postrider.test; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation",
    );
    expect(policy).not.toMatch(/allow-(?:scripts|same-origin|forms)/);
    expect([
      headers.get("Cross-Origin-Opener-Policy"),
      headers.get("Referrer-Policy"),
      headers.get("X-Robots-Tag"),
      headers.get("X-Content-Type-Options"),
      headers.get("Set-Cookie"),
    ]).toEqual(["unsafe-none", "no-referrer", "noindex, nofollow", "nosniff", null]);
    expect(headers.get("Cache-Control")).toContain("no-store");
  });

  it("is 404 without a look at the database if it is forged or of another kind", async () => {
    const token = link.split("/").at(-1) ?? "";
    const [payload = "", mac = ""] = token.split(".");
    const other = second?.link.split("/").at(-1)?.split(".") ?? [];
    const preferences = /\/preferences\/([\w.-]+)/.exec(first?.html ?? "")?.[1];
    service.d1.reset();
    for (const forged of [`${payload}.${other[1]}`, `${other[0]}.${mac}`, "x", preferences])
      expect([forged, (await view(`/view/${forged}`)).status]).toEqual([forged, 404]);
    expect(service.d1.roundTrips).toBe(0);
  });

  it("of one project shows no mail and no person of another", async () => {
    const stranger = await draftWorld(1, OWN);
    const [theirs] = await sent(stranger);
    const { deps } = world;
    const [person] = await allRows("select id from subscribers where email = ?", theirs?.to);
    const recipient = { id: String(person?.["id"]), email: theirs?.to ?? "" };
    const mail = (broadcastId: string) => ({ broadcastId, variant: null });
    const [own] = await allRows("select id from subscribers where email = ?", first?.to);
    const mine = { id: String(own?.["id"]), email: first?.to ?? "" };
    const links = [
      await viewUrl(deps, news.id, recipient, mail(world.id)),
      await viewUrl(deps, news.id, mine, mail(stranger.id)),
      await viewUrl(deps, stranger.news.id, mine, mail(stranger.id)),
    ];
    for (const at of links) expect((await view(at)).status).toBe(410);
    expect((await view(await viewUrl(deps, news.id, mine, mail(world.id)))).status).toBe(200);
  });

  it("expires after 90 days, with a page in the language of the browser", async () => {
    world.clock.aheadMs += 89 * DAY_MS;
    expect((await view()).status).toBe(200);
    world.clock.aheadMs += DAY_MS;
    const answer = await service.fetch(link, { headers: { "Accept-Language": "de-AT,en" } });
    world.clock.aheadMs -= 90 * DAY_MS;
    expect(answer.status).toBe(410);
    const text = await answer.text();
    expect(text).toContain("Diese E-Mail ist nicht mehr verfügbar");
    expect(text).not.toContain("Issue");
    expect(answer.headers.get("X-Robots-Tag")).toBe("noindex, nofollow");
  });

  it("is 410 for a person with another address, an erased person and a deleted project", async () => {
    const gone = await draftWorld(3, OWN);
    const [moved, erased, left] = await sent(gone);
    const path = async (to = "") => {
      const [row] = await allRows("select id from subscribers where email = ?", to);
      return `${gone.news.path}/subscribers/${String(row?.["id"])}`;
    };
    const at = (to = "") => gone.service.fetch(to).then(({ status }) => status);
    expect([await at(moved?.link), await at(erased?.link)]).toEqual([200, 200]);
    const email = `${unique("new")}@any.test`;
    await gone.owner.request("PATCH", await path(moved?.to), { email });
    await gone.owner.request("DELETE", `${await path(erased?.to)}?erase=true`);
    expect([await at(moved?.link), await at(erased?.link)]).toEqual([410, 410]);
    await gone.owner.request("PATCH", await path(left?.to), { status: "unsubscribed" });
    expect(await at(left?.link)).toBe(200);
    await gone.owner.request("DELETE", gone.news.path);
    expect(await at(left?.link)).toBe(410);
  });

  it("shows the variant of an A/B test that the person got", async () => {
    const variants = [{ subject: "First" }, { subject: "Second" }];
    const ab = { variants, share: 100, wait_hours: 1, by: "manual" };
    const tested = await draftWorld(20, { ...OWN, ab });
    const mails = await sent(tested);
    expect(new Set(mails.map(({ subject }) => subject))).toEqual(new Set(["First", "Second"]));
    for (const { link: of, subject } of mails)
      expect(await (await tested.service.fetch(of)).text()).toContain(`<title>${subject}</title>`);
  });

  it("works for a broadcast that was never a draft, and for a mail of text alone", async () => {
    const sdk = await owner.post<{ key: string }>(`${news.path}/api-keys`, {
      name: "s",
      type: "sdk",
    });
    const key = service.withKey(sdk.body.key);
    const subject = unique("Plain");
    const html = `${HTML}{{name}}`;
    expect((await key.post("/broadcast", { subject, html })).status).toBe(202);
    await world.work();
    await world.pass(60_000);
    const own = (await receivedMessages({ from: news.from })).filter(({ text }) =>
      text.includes(`Subject: ${subject}`),
    );
    expect(own).toHaveLength(2);
    const { html: mail = "" } = await PostalMime.parse(own[0]?.raw ?? "");
    const page = await (await view(LINK.exec(mail)?.[0])).text();
    expect(page).toContain(`<title>${subject}</title>`);

    const text_body = "Hi {{name}} <b>, {{{view_link}}}";
    const plain = await draftWorld(1, { ...OWN, html_body: " ", text_body });
    await plain.start();
    await plain.pass(AFTER_UNDO_MS);
    const [got] = await receivedMessages({ from: plain.news.from });
    const { text = "" } = await PostalMime.parse(got?.raw ?? "");
    const shown = await (await plain.service.fetch(LINK.exec(text)?.[0] ?? "")).text();
    expect(shown).toContain("Hi n0 &lt;b&gt;");
  });
});

describe("the link to a mail in the browser, outside broadcasts,", () => {
  const alone = createService();

  it("says in a test that it is one, and changes nothing", async () => {
    const person = await alone.newOwner();
    const project = await person.newProject(CAPTURING);
    const path = `/projects/${project.id}`;
    const draft = { name: "May", subject: "May", html_body: HTML };
    const { body } = await person.post<{ id: string }>(`${path}/broadcasts`, draft);
    const to = `${unique("t")}@any.test`;
    await person.post(`${path}/broadcasts/${body.id}/test`, { to: [to] });
    const { html = "" } = await PostalMime.parse((await waitForMessage(to)).raw);
    const answer = await alone.fetch(LINK.exec(html)?.[0] ?? "");
    expect([answer.status, await answer.text()]).toEqual([
      200,
      expect.stringContaining("This is a test email"),
    ]);
    const rendered = await person.post<{ html_body: string }>(`${path}/templates/preview`, draft);
    const preview = await alone.fetch(LINK.exec(rendered.body.html_body)?.[0] ?? "");
    expect(await preview.text()).toContain("This is a test email");
  });

  it("is empty in a single send, keeps a variable of that name, and the check says so", async () => {
    const person = await alone.newOwner();
    const project = await person.newProject(CAPTURING);
    const path = `/projects/${project.id}`;
    const key = alone.withKey(project.key);
    const html_body = "[{{view_url}}{{view_link}}]";
    const template = { name: unique("t"), subject: "Hi", html_body };
    const { body } = await person.post<{ id: string }>(`${path}/templates`, template);
    const [plain, given] = [`${unique("a")}@any.test`, `${unique("b")}@any.test`];
    await key.post(`${path}/send`, { to: plain, template_id: body.id, data: {} });
    const data = { view_url: "https://own.test/" };
    await key.post(`${path}/send`, { to: given, template_id: body.id, data });
    expect((await waitForMessage(plain)).text).toContain("[]");
    expect((await waitForMessage(given)).text).toContain("[https://own.test/]");
    const check = async (more: object) => {
      const preview = { subject: "Hi", html_body, text_body: "x", ...more };
      const { body: found } = await person.post<{ problems: { code: string }[] }>(
        `${path}/templates/preview`,
        preview,
      );
      return found.problems.map(({ code }) => code);
    };
    expect(await check({ data: {} })).toEqual(["broadcasts_only", "broadcasts_only"]);
    expect(await check({ data: { view_url: "x", view_link: "x" } })).toEqual([]);
    expect(await check({})).toEqual(["no_unsubscribe_link"]);
  });
});
