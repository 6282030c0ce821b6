import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createService, unique } from "../../support/service.ts";

const T0 = Date.UTC(2026, 4, 5, 12);
let now = T0;
const service = createService({}, { now: () => now });
const SCANNER = "Mozilla/5.0 (Windows NT 10.0) BarracudaCentral";
const ONE_CLICK = "List-Unsubscribe=One-Click";
const FORM = "application/x-www-form-urlencoded";

interface Subscriber {
  projectId: string;
  id: string;
  path: string;
}

/** Inserts a subscriber with the counters of its project. */
async function newSubscriber(
  email = `${unique("reader")}@any.test`,
  status = "active",
): Promise<Subscriber> {
  const projectId = crypto.randomUUID();
  const id = crypto.randomUUID();
  const counter = `subscribers_${status}`;
  await service.env.DB.batch([
    service.env.DB.prepare(
      `insert into project_counters (project_id, ${counter}) values (?, 1)`,
    ).bind(projectId),
    service.env.DB.prepare(
      `insert into subscribers (id, project_id, email, name, status, metadata, source, subscribed_at, created_at, updated_at)
       values (?, ?, ?, '<i>Name</i>', ?, '{}', '', ?, ?, ?)`,
    ).bind(id, projectId, email, status, T0, T0, T0),
  ]);
  return { projectId, id, path: `/unsubscribe/${projectId}/${id}` };
}

async function stateOf({ id, projectId }: Subscriber) {
  const subscriber = await service.env.DB.prepare(
    "select status, unsubscribed_at from subscribers where id = ?",
  )
    .bind(id)
    .first();
  const counts = await service.env.DB.prepare(
    "select subscribers_active as active, subscribers_unsubscribed as unsubscribed from project_counters where project_id = ?",
  )
    .bind(projectId)
    .first();
  return { ...subscriber, ...counts };
}

const ACTIVE = { status: "active", unsubscribed_at: null, active: 1, unsubscribed: 0 };
const GONE = { status: "unsubscribed", unsubscribed_at: T0, active: 0, unsubscribed: 1 };

const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  service.fetch(path, { method, headers });
const post = (path: string, body: BodyInit, headers: Record<string, string> = {}) =>
  service.fetch(path, { method: "POST", body, headers: { "Content-Type": FORM, ...headers } });

/** Undo token of a page. */
const undoOf = (page: string) => /name="undo" value="([^"]+)"/.exec(page)?.[1] ?? "";

describe("GET /unsubscribe/{projectId}/{subscriberId}", () => {
  it("unsubscribes and shows a confirmation with an undo", async () => {
    now = T0;
    const subscriber = await newSubscriber("reader@any.test");
    const response = await get(subscriber.path);
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe("text/html; charset=UTF-8");
    const page = await response.text();
    expect(page).toContain("<h1>You are unsubscribed</h1>");
    expect(page).toContain("<strong>r…@a….test</strong> will get no more emails");
    expect(undoOf(page)).not.toBe("");
    expect(await stateOf(subscriber)).toEqual(GONE);
  });

  it("changes nothing when it is opened again", async () => {
    now = T0;
    const subscriber = await newSubscriber();
    await get(subscriber.path);
    now = T0 + 60_000;
    expect(await (await get(subscriber.path)).text()).toContain("You are unsubscribed");
    expect(await stateOf(subscriber)).toEqual(GONE);
  });

  it.each(["curl/8.5.0", "node", "python-requests/2.32", ""])(
    "treats %o as a person, even within a second of delivery",
    async (userAgent) => {
      now = T0;
      const subscriber = await newSubscriber();
      await get(subscriber.path, { "User-Agent": userAgent });
      expect(await stateOf(subscriber)).toEqual(GONE);
    },
  );

  it("also unsubscribes a pending subscriber, from any site and without an Origin header", async () => {
    now = T0;
    const subscriber = await newSubscriber(undefined, "pending");
    await get(subscriber.path, { Origin: "https://webmail.test", "Sec-Fetch-Site": "cross-site" });
    expect(await stateOf(subscriber)).toMatchObject({ status: "unsubscribed", unsubscribed: 1 });
  });

  it.each([
    ["HEAD", {}],
    ["GET", { "Sec-Purpose": "prefetch;prerender" }],
    ["GET", { Purpose: "prefetch" }],
    ["GET", { "X-Moz": "prefetch" }],
    ...[
      SCANNER,
      "Mozilla/5.0 (Windows NT 6.1; WOW64) AppleWebKit/534+ (KHTML, like Gecko) BingPreview/1.0b",
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/120.0",
      "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
      "facebookexternalhit/1.1",
      "WhatsApp/2.23.20.0",
      "Mozilla/5.0 (via ggpht.com GoogleImageProxy)",
    ].map((name): [string, Record<string, string>] => ["GET", { "User-Agent": name }]),
  ])("answers %s %o with 200 and changes nothing", async (method, headers) => {
    const subscriber = await newSubscriber("<b>@any.test");
    service.d1.reset();
    const response = await get(subscriber.path, headers, method);
    expect(response.status).toBe(200);
    expect(service.d1.rowsWritten).toBe(0);
    expect(await stateOf(subscriber)).toEqual(ACTIVE);
    const page = await response.text();
    if (method === "HEAD") return expect(page).toBe("");
    expect(page).toContain("<h1>Unsubscribe from this list?</h1>");
    expect(page).toContain('name="List-Unsubscribe" value="One-Click"');
    expect(page).toContain("<strong>&lt;…@a….test</strong>");
  });

  it("shows a scanner the undo, not the button, after the subscriber unsubscribed", async () => {
    const subscriber = await newSubscriber();
    await get(subscriber.path);
    const page = await (await get(subscriber.path, { "User-Agent": SCANNER })).text();
    expect(page).toContain("<h1>You are unsubscribed</h1>");
  });

  it("shows the same friendly page for every link without a subscriber", async () => {
    const known = await newSubscriber();
    const other = await newSubscriber();
    const nobody = [
      `/unsubscribe/${known.projectId}/${crypto.randomUUID()}`,
      `/unsubscribe/${crypto.randomUUID()}/${known.id}`,
      `/unsubscribe/${other.projectId}/${known.id}`,
      "/unsubscribe/x/y",
      "/unsubscribe/%E0%A4%A/%00",
      `/unsubscribe/${known.projectId}/' or 1=1 --`,
    ];
    const pages = new Set<string>();
    for (const path of nobody) {
      for (const response of [
        await get(path),
        await get(path, { "User-Agent": SCANNER }),
        await post(path, ONE_CLICK),
      ]) {
        expect(response.status).toBe(404);
        pages.add(await response.text());
      }
      expect((await get(path, {}, "HEAD")).status).toBe(404);
    }
    expect(pages.size).toBe(1);
    expect([...pages][0]).toContain("This link does not work");
    expect(await stateOf(known)).toEqual(ACTIVE);
  });
});

describe("the page", () => {
  it("escapes the subscriber's data", async () => {
    const subscriber = await newSubscriber(`<script>@"x.&`);
    const page = await (await get(subscriber.path)).text();
    expect(page).toContain("<strong>&lt;…@&quot;….&amp;</strong>");
  });

  it("masks the address, because the link may be in an earlier mailbox", async () => {
    now = T0;
    const subscriber = await newSubscriber("ann.lee@mail.example.co.uk");
    const left = await (await get(subscriber.path)).text();
    const pages = [
      left,
      await (await post(subscriber.path, new URLSearchParams({ undo: undoOf(left) }))).text(),
      await (await get(subscriber.path, { "User-Agent": SCANNER })).text(),
    ];
    for (const page of pages) {
      expect(page).toContain("<strong>a…@m….uk</strong>");
      expect(page).not.toMatch(/ann|lee|mail\.|example/);
    }
  });

  it("prevents caching, indexing, framing and referrers, and runs no script", async () => {
    const subscriber = await newSubscriber();
    const pages = [
      await get(subscriber.path),
      await get("/unsubscribe/x/y"),
      await get(subscriber.path, { "User-Agent": SCANNER }),
    ];
    for (const response of pages) {
      const { headers } = response;
      expect(headers.get("Cache-Control")).toContain("no-store");
      expect(headers.get("X-Robots-Tag")).toBe("noindex, nofollow");
      expect(headers.get("Referrer-Policy")).toBe("no-referrer");
      expect(headers.get("X-Frame-Options")).toBe("DENY");
      const page = await response.text();
      const style = /<style>([^]*)<\/style>/.exec(page)?.[1] ?? "";
      const hash = createHash("sha256").update(style).digest("base64");
      expect(headers.get("Content-Security-Policy")).toBe(
        `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      );
      expect(page).toContain('<html lang="en">');
      expect(page).toContain('<meta name="robots" content="noindex, nofollow" />');
      expect(page).toContain('name="viewport"');
      expect(page).not.toMatch(/<script| style=| on\w+=|https?:/);
    }
  });

  it("reports that it failed, without the cause, when the database fails", async () => {
    const subscriber = await newSubscriber();
    service.d1.before = () => {
      throw new Error("secret detail");
    };
    const response = await get(subscriber.path);
    service.d1.before = undefined;
    expect(response.status).toBe(500);
    const page = await response.text();
    expect(page).toContain("Something went wrong");
    expect(page).not.toContain("secret detail");
  });
});

describe("POST /unsubscribe/{projectId}/{subscriberId}", () => {
  const multipart = new FormData();
  multipart.set("List-Unsubscribe", "One-Click");
  it.each<[string, BodyInit, Record<string, string>]>([
    ["the one-click form of RFC 8058", ONE_CLICK, {}],
    ["a cross-site post", ONE_CLICK, { Origin: "https://webmail.test" }],
    ["a mail program that forgot the body", "", {}],
    ["a JSON body", "{}", { "Content-Type": "application/json" }],
    ["a scanner's user agent", ONE_CLICK, { "User-Agent": SCANNER }],
  ])("unsubscribes with 200: %s", async (_what, body, headers) => {
    now = T0;
    const subscriber = await newSubscriber();
    for (let time = 0; time < 2; time++) {
      const response = await post(subscriber.path, body, headers);
      expect(response.status).toBe(200);
      expect(await response.text()).toContain("You are unsubscribed");
    }
    expect(await stateOf(subscriber)).toEqual(GONE);
  });

  it("unsubscribes with 200: the one-click form as multipart/form-data", async () => {
    now = T0;
    const subscriber = await newSubscriber();
    const response = await service.fetch(subscriber.path, { method: "POST", body: multipart });
    expect(response.status).toBe(200);
    expect(await stateOf(subscriber)).toEqual(GONE);
  });

  it("resubscribes with the page's token, however often it is sent", async () => {
    now = T0;
    const subscriber = await newSubscriber();
    const undo = undoOf(await (await get(subscriber.path)).text());
    for (let time = 0; time < 2; time++) {
      const response = await post(subscriber.path, new URLSearchParams({ undo }));
      expect(response.status).toBe(200);
      expect(await response.text()).toContain("You are subscribed again");
    }
    expect(await stateOf(subscriber)).toMatchObject({
      status: "active",
      active: 1,
      unsubscribed: 0,
    });
    await post(subscriber.path, ONE_CLICK);
    expect(await stateOf(subscriber)).toMatchObject({ status: "unsubscribed", unsubscribed: 1 });
  });

  it("restores the earlier status: a pending subscriber is pending again", async () => {
    now = T0;
    const subscriber = await newSubscriber(undefined, "pending");
    const undo = undoOf(await (await get(subscriber.path)).text());
    const response = await post(subscriber.path, new URLSearchParams({ undo }));
    expect(response.status).toBe(200);
    expect(await stateOf(subscriber)).toMatchObject({ status: "pending", active: 0 });
  });

  it("rejects an undo of an earlier unsubscription and changes nothing", async () => {
    now = T0;
    const subscriber = await newSubscriber();
    const undo = undoOf(await (await get(subscriber.path)).text());
    await post(subscriber.path, new URLSearchParams({ undo }));
    now = T0 + 1_000;
    await get(subscriber.path);
    expect((await post(subscriber.path, new URLSearchParams({ undo }))).status).toBe(400);
    expect(await stateOf(subscriber)).toMatchObject({
      status: "unsubscribed",
      unsubscribed_at: T0 + 1_000,
    });
  });

  it("allows an undo within 48 hours, then neither offers nor accepts one", async () => {
    now = T0;
    const [early, late] = [await newSubscriber(), await newSubscriber()];
    const [one, two] = [
      undoOf(await (await get(early.path)).text()),
      undoOf(await (await get(late.path)).text()),
    ];
    now = T0 + 48 * 3_600_000 - 1;
    expect((await post(early.path, new URLSearchParams({ undo: one }))).status).toBe(200);
    expect(await stateOf(early)).toMatchObject({ status: "active" });
    now = T0 + 48 * 3_600_000;
    expect((await post(late.path, new URLSearchParams({ undo: two }))).status).toBe(400);
    expect(undoOf(await (await get(late.path)).text())).toBe("");
    expect(await stateOf(late)).toEqual(GONE);
  });

  it("offers no undo after the project itself unsubscribed the subscriber", async () => {
    const owner = await service.newOwner();
    const { id } = await owner.newProject();
    const path = `/projects/${id}/subscribers`;
    const email = `${unique("reader")}@any.test`;
    const { body } = await owner.post<{ id: string }>(path, { email });
    await owner.request("PATCH", `${path}/${body.id}`, { status: "unsubscribed" });
    const page = await (await get(`/unsubscribe/${id}/${body.id}`)).text();
    expect(page).toContain("You are unsubscribed");
    expect(undoOf(page)).toBe("");
  });

  it("writes nothing for unknown ids, and reads nothing for ids that are not UUIDs", async () => {
    const [known, other] = [await newSubscriber(), crypto.randomUUID()];
    for (const [path, trips] of [
      [`/unsubscribe/${known.projectId}/nonsense`, 0],
      [`/unsubscribe/nonsense/${known.id}`, 0],
      [`/unsubscribe/${known.projectId}/${other}`, 1],
    ] as const)
      for (const method of ["GET", "POST"]) {
        service.d1.reset();
        const response = await service.fetch(path, { method, headers: { "Content-Type": FORM } });
        expect(response.status).toBe(404);
        expect([service.d1.roundTrips, service.d1.rowsWritten]).toEqual([trips, 0]);
      }
  });

  it("rejects an undo whose token is wrong, empty or another subscriber's", async () => {
    now = T0;
    const [subscriber, other] = [await newSubscriber(), await newSubscriber()];
    const undo = undoOf(await (await get(other.path)).text());
    await get(subscriber.path);
    const mine = undoOf(await (await get(subscriber.path)).text());
    for (const token of [undo, "", "x", `${mine}A`, `${mine}=`, mine.toLowerCase()]) {
      const response = await post(subscriber.path, new URLSearchParams({ undo: token }));
      expect(response.status).toBe(400);
      expect(await response.text()).toContain("Something went wrong");
    }
    expect(await stateOf(subscriber)).toEqual(GONE);
  });

  it("accepts an undo token from before a rotation of JWT_SECRET", async () => {
    const [old, next] = ["o".repeat(40), "n".repeat(40)];
    const subscriber = await newSubscriber();
    const before = createService({ JWT_SECRET: old });
    const after = createService({ JWT_SECRET: next, JWT_SECRET_PREVIOUS: old });
    const later = createService({ JWT_SECRET: next });
    const undo = undoOf(await (await before.fetch(subscriber.path)).text());
    const init = { method: "POST", body: new URLSearchParams({ undo }) };
    expect((await later.fetch(subscriber.path, init)).status).toBe(400);
    expect((await after.fetch(subscriber.path, init)).status).toBe(200);
    expect(await stateOf(subscriber)).toMatchObject({ status: "active" });
  });

  it("rejects an undo of another subscriber of the same project", async () => {
    now = T0;
    const [subscriber, second] = [await newSubscriber(), await newSubscriber()];
    const { projectId } = subscriber;
    await service.env.DB.prepare("update subscribers set project_id = ? where id = ?")
      .bind(projectId, second.id)
      .run();
    const path = `/unsubscribe/${projectId}/${second.id}`;
    await get(subscriber.path);
    const undo = undoOf(await (await get(path)).text());
    expect((await post(subscriber.path, new URLSearchParams({ undo }))).status).toBe(400);
    expect(await stateOf(subscriber)).toMatchObject({ status: "unsubscribed" });
    expect((await post(path, new URLSearchParams({ undo }))).status).toBe(200);
  });

  it("reads no more than 16 KiB of a form", async () => {
    const subscriber = await newSubscriber();
    expect((await post(subscriber.path, "x".repeat(16_385))).status).toBe(413);
    expect(await stateOf(subscriber)).toEqual(ACTIVE);
  });
});
