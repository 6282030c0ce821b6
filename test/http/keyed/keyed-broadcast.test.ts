/*
 * Broadcasts of the key-based API: their audience, their required fields and their cost. The routes
 * that it shares with the project-scoped API are in keyed-shared.test.ts.
 */
import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";
import { runScheduled } from "../../../src/cron/run-scheduled.ts";
import { namesUnsubscribe } from "../../../src/services/templates/index.ts";
import { manualService, type Progress } from "../../support/broadcasting.ts";
import { isLinear } from "../../support/growth.ts";
import { receivedMessages, waitForMessages } from "../../support/mailbox.ts";
import { CAPTURING, createService, unique, type Service } from "../../support/service.ts";
import { EVERY_MINUTE } from "../../support/times.ts";
import { keyedRefusal as refusal } from "../../support/refusals.ts";

/** The service as deployed: its queue wakes the real consumers. */
const live = createService();
const owner = await live.newOwner();

const HTML = '<p>Hello {{name}} <a href="{{unsubscribe_link}}">leave</a></p>';
interface Started {
  success: boolean;
  data: { message: string; broadcastId: string };
}

/** Project with its own From address, and two subscribers of each status and source. */
async function newList(service: Service = live, people = owner) {
  const from = `${unique("list")}@postrider.test`;
  const { id } = await people.newProject({ ...CAPTURING, fromEmail: from });
  const path = `/projects/${id}`;
  const keys = await people.post<{ key: string }>(`${path}/api-keys`, { name: "s", type: "sdk" });
  const sdk = service.withKey(keys.body.key);
  const addressOf = (status: string, source: string, n: number) =>
    `${status}.${source || "none"}.${n}.${from}`;
  const everybody = ["active", "pending", "unsubscribed"].flatMap((status) =>
    ["", "shop", "blog"].flatMap((source) => [1, 2].map((n) => ({ status, source, n }))),
  );
  const add = ({ status, source, n }: (typeof everybody)[number]) =>
    people.post(`${path}/subscribers`, {
      email: addressOf(status, source, n),
      name: `n${n}`,
      status,
      metadata: source === "" ? { source: 7 } : { source },
    });
  await Promise.all(everybody.map(add));
  return {
    path,
    sdk,
    from,
    addressOf,
    start: (body: object) => sdk.post<Started>("/broadcast", body),
    progress: async (broadcast: string) =>
      (await people.get<Progress>(`${path}/broadcasts/${broadcast}`)).body,
    list: async () =>
      (await people.get<{ broadcasts: object[] }>(`${path}/broadcasts`)).body.broadcasts,
  };
}

describe("GET /broadcasts/{id}", () => {
  it("shows the progress to the key that created the broadcast", async () => {
    const { start, sdk } = await newList();
    const { body } = await start({ subject: "For {{name}}", html: HTML });
    const { broadcastId } = body.data;
    const progress = () => sdk.get<{ data: Record<string, unknown> }>(`/broadcasts/${broadcastId}`);
    await expect.poll(async () => (await progress()).body.data).toMatchObject({ state: "done" });
    const { status, body: shown } = await progress();
    expect(status).toBe(200);
    expect(shown).toEqual({
      success: true,
      data: {
        broadcastId,
        subject: "For {{name}}",
        state: "done",
        sent: 6,
        failed: 0,
        bounced: 0,
        suppressed: 0,
        error: null,
        createdAt: expect.stringMatching(/^20.*Z$/),
        finishedAt: expect.stringMatching(/^20.*Z$/),
      },
    });
  });

  it("answers 404 in the envelope to a broadcast of another project, and 400 to an invalid id", async () => {
    const [mine, theirs] = [await newList(), await newList()];
    const { body } = await theirs.start({ subject: "s", html: HTML });
    for (const id of [body.data.broadcastId, crypto.randomUUID()])
      expect(await mine.sdk.get(`/broadcasts/${id}`)).toEqual(refusal(404, "broadcast not found"));
    expect(await mine.sdk.get("/broadcasts/1' or 1=1")).toEqual(
      refusal(400, "broadcastId: is not an ID"),
    );
  });
});

describe("POST /broadcast", () => {
  it("answers 202 at once and mails the active subscribers in the background", async () => {
    const { start, from, progress, addressOf } = await newList();
    live.d1.reset();
    const { status, body } = await start({ subject: "For {{name}}", html: HTML });
    expect(live.d1.roundTrips).toBe(2);
    expect(status).toBe(202);
    const data = { message: expect.any(String), broadcastId: expect.any(String) };
    expect(body).toEqual({ success: true, data });
    const received = await waitForMessages({ from }, 6, 15_000);
    const expected = ["", "shop", "blog"].flatMap((source) =>
      [1, 2].map((n) => addressOf("active", source, n)),
    );
    expect(received.map(({ to }) => to[0] ?? "").toSorted()).toEqual(expected.toSorted());
    await expect
      .poll(() => progress(body.data.broadcastId))
      .toMatchObject({ state: "done", sent: 6, failed: 0 });
  });

  it("fills in each subscriber's variables and unsubscribe link", async () => {
    const { start, from } = await newList();
    await start({ subject: "For {{name}}", html: HTML, filter: { source: "shop" } });
    const received = await waitForMessages({ from }, 2, 15_000);
    const mails = await Promise.all(received.map(({ raw }) => PostalMime.parse(raw)));
    expect(mails.map(({ subject }) => subject ?? "").toSorted()).toEqual(["For n1", "For n2"]);
    const links = mails.map(
      ({ html }) => /href="([^"]*\/unsubscribe\/[^"]*)"/.exec(html ?? "")?.[1],
    );
    expect(new Set(links).size).toBe(2);
    const page = await live.fetch(new URL(links[0] ?? "").pathname);
    expect(page.status).toBe(200);
    for (const { html } of mails) expect(html?.match(/\/unsubscribe\//g)).toHaveLength(1);
  });

  it("prefers the project's own template to the built-in one of the same name", async () => {
    const { start, path, from, progress } = await newList();
    const source = { filter: { source: "shop" } };
    const builtIn = await start({ subject: "Built in", template: "welcome", ...source });
    expect(builtIn.status).toBe(202);
    await waitForMessages({ from }, 2, 15_000);
    const made = await owner.post(`${path}/templates`, {
      name: "welcome",
      subject: "Stored",
      html_body: `<p>Own words</p>${HTML}`,
    });
    const { body } = await start({ subject: "Own", template: "welcome", ...source });
    const received = (await waitForMessages({ from }, 4, 15_000)).slice(2);
    for (const { text } of received) expect(text).toMatch(/Subject: Own[\s\S]*Own words/);
    await expect
      .poll(() => progress(body.data.broadcastId))
      .toMatchObject({ state: "done", template_id: made.body["id"] });
  });

  it.each([
    [{ status: "active" }, "active", ["", "shop", "blog"]],
    [{ status: "confirmed" }, "active", ["", "shop", "blog"]],
    [{ status: "pending" }, "pending", ["", "shop", "blog"]],
    [{ status: "unsubscribed" }, "unsubscribed", ["", "shop", "blog"]],
    [{ source: "shop" }, "active", ["shop"]],
    [{ source: "blog", status: "pending" }, "pending", ["blog"]],
    [{ source: "SHOP" }, "active", []],
    [{ source: "7" }, "active", []],
    [{}, "active", ["", "shop", "blog"]],
  ])("reaches exactly the matches of the filter %j", async (filter, status, sources) => {
    const { service, workAll } = manualService();
    const people = await service.newOwner();
    const { start, from, addressOf, progress } = await newList(service, people);
    const { body } = await start({ subject: "s", html: HTML, filter });
    await workAll(await service.deps());
    const reached = (await receivedMessages({ from })).map(({ to }) => to[0] ?? "");
    const expected = sources.flatMap((source) => [1, 2].map((n) => addressOf(status, source, n)));
    expect(reached.toSorted()).toEqual(expected.toSorted());
    expect(await progress(body.data.broadcastId)).toMatchObject({
      state: "done",
      sent: expected.length,
    });
  });

  it("finds its audience by an index, also by source: no statement scans the subscribers", async () => {
    const { service, workAll } = manualService();
    const people = await service.newOwner();
    const { start } = await newList(service, people);
    await start({ subject: "s", html: HTML, filter: { source: "shop" } });
    const deps = await service.deps();
    const statements = new Set<string>();
    service.d1.before = (sql) => sql.forEach((text) => statements.add(text));
    await workAll(deps);
    service.d1.before = undefined;
    const ofAudience = [...statements].filter((text) => text.includes("source <> ''"));
    expect(ofAudience.length).toBeGreaterThanOrEqual(3); // planning, its end, a page
    for (const sql of ofAudience) {
      const nulls = Array<null>(sql.split("?").length - 1).fill(null);
      const plan = await service.env.DB.prepare(`explain query plan ${sql}`)
        .bind(...nulls)
        .all<{ detail: string }>();
      const steps = plan.results.map(({ detail }) => detail);
      expect(steps.join("\n")).toContain("subscribers_by_source");
      expect(steps.filter((step) => step.startsWith("SCAN subscribers"))).toEqual([]);
    }
  });

  it("neither uses templates of another project nor shows them", async () => {
    const [mine, theirs] = [await newList(), await newList()];
    const name = unique("template");
    await owner.post(`${mine.path}/templates`, { name, subject: "s", html_body: HTML });
    expect(await theirs.start({ subject: "s", template: name })).toEqual(
      refusal(404, "template not found"),
    );
    expect(await theirs.list()).toEqual([]);
  });

  it("answers 400 without SMTP settings", async () => {
    const { id } = await owner.newProject();
    const made = await owner.post<{ key: string }>(`/projects/${id}/api-keys`, {
      name: "s",
      type: "sdk",
    });
    const answer = await live
      .withKey(made.body.key)
      .post("/broadcast", { subject: "s", html: HTML });
    expect(answer).toEqual(refusal(400, "SMTP settings are not configured"));
  });

  it("answers 400 to HTML without the unsubscribe link, inline or stored", async () => {
    const { start, path, list } = await newList();
    const words = "the HTML of a broadcast must include {{unsubscribe_link}}";
    expect(await start({ subject: "s", html: "<p>unsubscribe_link</p>" })).toEqual(
      refusal(400, words),
    );
    await owner.post(`${path}/templates`, { name: "bare", subject: "s", html_body: "<p>Hi</p>" });
    expect(await start({ subject: "s", template: "bare" })).toEqual(refusal(400, words));
    expect(await list()).toEqual([]);
  });

  it("answers 400 to a missing, unknown or invalid field and starts nothing", async () => {
    const { sdk, list } = await newList();
    const refused: [object, unknown][] = [
      [{ html: HTML }, "missing required field: subject"],
      [{ subject: "s" }, "missing required field: template or html"],
      [{ subject: "s", html: HTML, template: "welcome" }, /give either template or html/],
      [{ subject: " ", html: HTML }, "subject: is required"],
      [{ subject: "{{#if", html: HTML }, /^subject: /],
      [{ subject: "s", html: `${HTML}{{#if x}}` }, /^html: /],
      [{ subject: "s", html: HTML, filter: { tag: "x" } }, /^filter: .*tag/],
    ];
    for (const [body, error] of refused) {
      const words = typeof error === "string" ? error : expect.stringMatching(error as RegExp);
      expect(await sdk.post("/broadcast", body)).toEqual(refusal(400, words));
    }
    expect(await list()).toEqual([]);
  });

  it("answers 400 to a filter with unknown fields or values", async () => {
    const { start, list } = await newList();
    const unknown = [
      { status: "ACTIVE" },
      { status: "" },
      { source: "" },
      { source: 7 },
      { status: "active", extra: 1 },
      [],
      "active",
    ];
    for (const filter of unknown)
      expect(await start({ subject: "s", html: HTML, filter })).toEqual(
        refusal(400, expect.stringContaining("filter")),
      );
    expect(await list()).toEqual([]);
  });

  it("survives a lost queue message: the minute sweep starts it", async () => {
    const { service, queued, clock, workAll } = manualService();
    const people = await service.newOwner();
    const { start, progress } = await newList(service, people);
    const { body } = await start({ subject: "s", html: HTML });
    queued.length = 0;
    clock.aheadMs += 60_000;
    const deps = await service.deps();
    await runScheduled(deps, EVERY_MINUTE);
    await workAll(deps);
    expect(await progress(body.data.broadcastId)).toMatchObject({ state: "done", sent: 6 });
  });
});

describe("HTML with the unsubscribe link", () => {
  it.each([
    "{{unsubscribe_link}}",
    "{{ unsubscribe_url }}",
    "{{{unsubscribe_link}}}",
    "{{& unsubscribe_link}}",
    "{{~unsubscribe_link~}}",
    "{{#each metadata.items}}{{../unsubscribe_link}}{{/each}}",
    "{{@root.unsubscribe_url}}",
    "{{#if name}}x{{else}}{{this.unsubscribe_link}}{{/if}}",
    "{{! a note }}{{unsubscribe_link}}",
    "<!--[if !mso]><!--><a href='{{unsubscribe_link}}'>x</a><!--<![endif]-->",
  ])("is %s", (html) => expect(namesUnsubscribe(html)).toBe(true));

  it.each([
    "unsubscribe_link",
    "{unsubscribe_link}",
    "{{unsubscribe_links}}",
    "{{my_unsubscribe_link}}",
    "{{metadata.unsubscribe_link}}",
    "{{! unsubscribe_link }}",
    "{{!-- {{unsubscribe_link}} --}}",
    "<!-- {{unsubscribe_link}} -->",
    "\\{{unsubscribe_link}}",
    "{{#if unsubscribe_link}}x{{/if}}",
    "",
  ])("is not %s", (html) => expect(namesUnsubscribe(html)).toBe(false));

  it.each(["<!--", "{{!--", "{{", "{{{{", "{{!", "\\{{", "{{ "])(
    "is found in linear time in a text of %s alone",
    async (piece) => {
      const look = (size: number) =>
        expect(namesUnsubscribe(piece.repeat(size / piece.length))).toBe(false);
      expect(await isLinear(look, 524_288)).toBe(true);
    },
  );
});
