import { createHmac } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import { createServer } from "../../../src/http/server.ts";
import { uuidAt } from "../../../src/lib/ids.ts";
import type { TrackingEvent, TrackingMessage } from "../../../src/queues/messages.ts";
import { clientOf } from "../../../src/services/limits/client-address.ts";
import {
  classifyUserAgent,
  clickLink,
  recordEvents,
  type VisitorClass,
} from "../../../src/services/tracking/index.ts";
import { createService, type Service } from "../../support/service.ts";
import { TEST_SETTINGS } from "../../support/settings.ts";
import { MINUTE } from "../../support/times.ts";
import {
  BARRACUDA,
  clickRows,
  DAY_MS,
  FIREFOX,
  GMAIL,
  logRow,
  newMails,
  SENT_AT,
  topLinks,
  totals,
  URL_A,
} from "../../support/tracking/mails.ts";

let now = SENT_AT;
let queued: TrackingMessage[] = [];
const queue = (send: (message: TrackingMessage) => Promise<unknown>) =>
  ({ TRACKING_QUEUE: { send } }) as unknown as Partial<Service["env"]>;
const service = createService(
  queue(async (message) => queued.push(message)),
  { now: () => now },
);
const deps = await service.deps();

/** Makes requests at a time after sending, and records the events they queue. */
async function visit(path: string, afterMs = 60_000, headers: Record<string, string> = {}) {
  now = SENT_AT + afterMs;
  queued = [];
  const response = await service.fetch(path, {
    headers: { "User-Agent": FIREFOX, "CF-Connecting-IP": "192.0.2.7", ...headers },
  });
  await recordEvents(
    deps,
    queued.flatMap(({ events }) => events),
  );
  return response;
}

/** Visitor of a server whose requests may outlive their answers: `held` is their remaining work. */
function visitor(of: Service) {
  const server = createServer(of.runtime);
  const held: Promise<unknown>[] = [];
  const context = { waitUntil: (work: Promise<unknown>) => held.push(work) };
  const get = async (path: string) => {
    const request = new Request(`https://mail.postrider.test${path}`);
    const { status } = await server.fetch(request, of.env, context as unknown as ExecutionContext);
    return status;
  };
  return { get, held };
}

const projectId = uuidAt(SENT_AT);
const linkPath = async (logId: string, url: string, of = deps) =>
  new URL(await clickLink(of, { projectId, logId }, url)).pathname;
/** KV that answers at once and has nothing. */
const EMPTY_KV = { get: async () => null, put: async () => undefined } as unknown as KVNamespace;

describe("GET /t/{logId}.gif", () => {
  it("answers with a transparent one-pixel GIF that no cache keeps", async () => {
    const { logId } = await newMails(deps, 1);
    const response = await visit(`/t/${logId}.gif`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe("image/gif");
    expect(response.headers.get("Cache-Control")).toContain("no-store");
    expect(bytes.length).toBe(43);
    expect(new TextDecoder().decode(bytes.slice(0, 6))).toBe("GIF89a");
    expect(Array.from(bytes.slice(6, 10))).toEqual([1, 0, 1, 0]);
    const graphicControl = [...bytes].findIndex(
      (byte, at) => byte === 0x21 && bytes[at + 1] === 0xf9,
    );
    expect((bytes[graphicControl + 3] ?? 0) & 1).toBe(1);
  });

  it("sets opened_at with class, user agent and address; later loads change nothing", async () => {
    const { projectId, logId } = await newMails(deps, 1);
    await visit(`/t/${logId}.gif`, 60_000);
    const first = await logRow(deps, logId);
    expect(first).toEqual({
      opened_at: SENT_AT + 60_000,
      clicked_at: null,
      opened_class: "human",
      opened_user_agent: FIREFOX,
      opened_ip: "192.0.2.7",
    });
    await visit(`/t/${logId}.gif`, 2 * DAY_MS, { "User-Agent": GMAIL });
    expect(await logRow(deps, logId)).toEqual(first);
    expect(await totals(deps, projectId)).toEqual({ opened: 1, clicked: 0 });
  });

  it("responds identically to an unknown and a malformed log id and changes nothing", async () => {
    const { logId } = await newMails(deps, 1);
    const known = await visit(`/t/${logId}.gif`);
    for (const id of [uuidAt(SENT_AT), "nonsense", "%E0%A4%A", "a'b", logId.toUpperCase()]) {
      const response = await visit(`/t/${id}.gif`);
      expect(response.status).toBe(200);
      expect([...response.headers]).toEqual([...known.headers]);
      expect((await response.arrayBuffer()).byteLength).toBe(43);
    }
  });

  it("queues nothing for an id that no log entry can have", async () => {
    await visit("/t/nonsense.gif");
    expect(queued).toEqual([]);
  });

  it.each([
    ["HEAD", {}],
    ["GET", { "Sec-Purpose": "prefetch" }],
    ["GET", { "Sec-Purpose": "prefetch;prerender" }],
    ["GET", { Purpose: "Prefetch" }],
    ["GET", { "X-Moz": "prefetch" }],
  ])("answers %s %o and records nothing", async (method, headers) => {
    const { logId } = await newMails(deps, 1);
    queued = [];
    for (const path of [`/t/${logId}.gif`, await linkPath(logId, URL_A)]) {
      const response = await service.fetch(path, { method, headers });
      expect(response.status).toBe(path.startsWith("/t") ? 200 : 302);
    }
    expect(queued).toEqual([]);
  });
});

describe("GET /c/{logId}/{payload}", () => {
  it("redirects to the exact URL, sets clicked_at and records the click", async () => {
    const { projectId, logId } = await newMails(deps, 1);
    const response = await visit(await linkPath(logId, URL_A));
    expect(response.status).toBe(302);
    expect(response.headers.get("Location")).toBe(URL_A);
    expect(response.headers.get("Cache-Control")).toContain("no-store");
    expect(await logRow(deps, logId)).toMatchObject({
      clicked_at: SENT_AT + 60_000,
      opened_at: null,
    });
    expect(await clickRows(deps, logId)).toEqual([
      {
        log_id: logId,
        id: expect.any(String),
        url: URL_A,
        user_agent: FIREFOX,
        ip_address: "192.0.2.7",
        class: "human",
        clicked_at: SENT_AT + 60_000,
      },
    ]);
    expect(await totals(deps, projectId)).toEqual({ opened: 0, clicked: 1 });
  });

  it("records every click and keeps the first clicked_at", async () => {
    const { projectId, logId } = await newMails(deps, 1);
    const path = await linkPath(logId, URL_A);
    for (const minutes of [1, 2, 3]) await visit(path, minutes * 60_000);
    expect(await logRow(deps, logId)).toMatchObject({ clicked_at: SENT_AT + 60_000 });
    expect(await clickRows(deps, logId)).toHaveLength(3);
    expect(await totals(deps, projectId)).toEqual({ opened: 0, clicked: 1 });
    const nextDay = SENT_AT + 60_000 - ((SENT_AT + 60_000) % DAY_MS);
    expect(await topLinks(deps, projectId)).toEqual([
      { grain: "day", bucket_at: nextDay, label: URL_A, clicks: 3 },
      { grain: "hour", bucket_at: nextDay, label: URL_A, clicks: 3 },
    ]);
  });

  it.each([
    "http://bücher.test/ä?q=ö#ß",
    "HTTPS://A.test:443/x y",
    "https:\\\\a.test\\b",
    "http://a.test",
  ])("redirects %s to the URL a browser would request", async (url) => {
    const { logId } = await newMails(deps, 1);
    const response = await visit(await linkPath(logId, url));
    expect(response.headers.get("Location")).toBe(new URL(url).href);
  });

  it("answers 400 to anything except a link of this mail and records nothing", async () => {
    const { logId, logIds } = await newMails(deps, 2);
    const path = await linkPath(logId, URL_A);
    const [url = "", mac = ""] = (path.split("/").at(-1) ?? "").split(".");
    const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const lastDigits = digits.split("").filter((digit) => digit !== mac.at(-1));
    const payloads = [
      ...lastDigits.map((digit) => `${url}.${mac.slice(0, -1)}${digit}`),
      url,
      `${url}.`,
      `.${mac}`,
      `${url}.${mac}.x`,
      `${url}.${mac}=`,
      `${url}.${mac}%20`,
      `${url}A.${mac}`,
      `${url}=.${mac}`,
      `77u_${url}.${mac}`,
      "nonsense",
      `${btoa("https://evil.test")}.${mac}`,
    ];
    for (const payload of payloads) {
      const response = await visit(`/c/${logId}/${payload}`);
      expect([payload, response.status]).toEqual([payload, 400]);
      expect(await response.json()).toMatchObject({ error: expect.any(String) });
      expect(queued).toEqual([]);
    }
    expect((await visit(path.replace(logId, logIds[1] ?? ""))).status).toBe(400);
    expect((await visit(path.replace(logId, logId.toUpperCase()))).status).toBe(302);
  });

  it.each(["javascript:alert(1)", "data:text/html,x", "ftp://a.test/", "//a.test", "a"])(
    "never redirects to %s, even with a valid signature",
    async (url) => {
      const { logId } = await newMails(deps, 1);
      expect((await visit(await linkPath(logId, url))).status).toBe(400);
      expect(queued).toEqual([]);
    },
  );

  it("responds identically for a mail that is not in the log", async () => {
    const path = await linkPath(uuidAt(SENT_AT), URL_A);
    const response = await visit(path);
    expect([response.status, response.headers.get("Location")]).toEqual([302, URL_A]);
  });

  it("accepts no token without a purpose, or for another one", async () => {
    const { logId } = await newMails(deps, 1);
    const sign = (text: string) =>
      createHmac("sha256", TEST_SETTINGS.JWT_SECRET).update(text).digest("base64url");
    const url = btoa(URL_A).replace(/=+$/, "");
    const undo = sign(`undo-unsubscribe:${url}.x.${url}`);
    for (const [id, mac] of [
      [logId, sign(`${logId}.${url}`)],
      ["undo-unsubscribe", sign(`undo-unsubscribe.${url}`)],
      [`undo-unsubscribe:${url}.x`, undo],
      ["click", sign(`click.${url}`)],
    ] as const)
      expect((await visit(`/c/${id}/${url}.${mac}`)).status).toBe(400);
  });

  it("accepts links signed with the previous JWT_SECRET, and none older", async () => {
    const settings = (JWT_SECRET: string, JWT_SECRET_PREVIOUS = "") =>
      createService({ JWT_SECRET, JWT_SECRET_PREVIOUS, ...queue(async () => undefined) });
    const [old, next] = ["o".repeat(40), "n".repeat(40)];
    const { logId } = await newMails(deps, 1);
    const path = await linkPath(logId, URL_A, await settings(old).deps());
    expect((await settings(next, old).fetch(path)).status).toBe(302);
    expect((await settings(next).fetch(path)).status).toBe(400);
  });
});

describe("the gathering of events", () => {
  /** Service whose queue keeps its messages, and a visitor of the service. */
  function gathering(send?: (message: TrackingMessage) => Promise<unknown>) {
    const sent: TrackingEvent[][] = [];
    const clock = { now: SENT_AT + 60_000 };
    const keep = async ({ events }: TrackingMessage) => sent.push(events);
    const of = createService({ ...queue(send ?? keep), KV: EMPTY_KV }, { now: () => clock.now });
    return { ...visitor(of), sent, clock, d1: of.d1 };
  }
  const pixel = (logId: string) => `/t/${logId}.gif`;
  const logIdsOf = (events: TrackingEvent[]) => events.map(({ logId }) => logId);
  const MESSAGE_BYTES = 60_000;
  const LONG_URL = `https://shop.test/${"é%20/".repeat(340)}`;

  it("turns a hundred simultaneous opens into three messages and records all of them", async () => {
    const { projectId, logIds } = await newMails(deps, 100);
    const { get, held, sent } = gathering();
    await Promise.all(logIds.map((id) => get(pixel(id))));
    expect(sent).toEqual([]); // every answer comes first
    await Promise.all(held);
    expect(sent.map(({ length }) => length)).toEqual([40, 40, 20]);
    await recordEvents(deps, sent.flat());
    expect(await totals(deps, projectId)).toEqual({ opened: 100, clicked: 0 });
  });

  it("sends a single open after some milliseconds, and a later one in a separate message", async () => {
    const { get, held, sent } = gathering();
    for (const times of [1, 2]) {
      await get(pixel(uuidAt(SENT_AT)));
      await Promise.all(held);
      expect(sent).toHaveLength(times);
    }
    expect(sent.map(({ length }) => length)).toEqual([1, 1]);
  });

  it("keeps opens and clicks of different requests in order of arrival", async () => {
    const { get, held, sent } = gathering();
    const { logId } = await newMails(deps, 1);
    await get(pixel(logId));
    await get(await linkPath(logId, URL_A));
    await get(pixel(uuidAt(SENT_AT)));
    await Promise.all(held);
    expect(sent.map((events) => events.map(({ kind }) => kind))).toEqual([
      ["open", "click", "open"],
    ]);
  });

  it("keeps each message below 60 KB, even with long links", async () => {
    const { get, held, sent } = gathering();
    const logIds = Array.from({ length: 40 }, () => uuidAt(SENT_AT));
    for (const id of logIds) await get(await linkPath(id, LONG_URL));
    await Promise.all(held);
    for (const events of sent)
      expect(Buffer.byteLength(JSON.stringify({ type: "tracking", events }))).toBeLessThan(
        MESSAGE_BYTES + 100,
      );
    expect(sent.length).toBeLessThanOrEqual(3);
    expect(sent.flatMap(logIdsOf)).toEqual(logIds);
  });

  it("puts an event that exceeds the message size into a separate message", async () => {
    const { get, held, sent } = gathering();
    const [small, large] = [uuidAt(SENT_AT), uuidAt(SENT_AT)];
    await get(pixel(small));
    await get(await linkPath(large, `https://shop.test/${"x".repeat(MESSAGE_BYTES)}`));
    await get(pixel(small));
    await Promise.all(held);
    expect(sent.map(logIdsOf)).toEqual([[small], [large], [small]]);
  });

  it("writes all events of a message directly, in one read and one write, if the queue rejects it", async () => {
    const { get, held, d1 } = gathering(() => Promise.reject(new Error("queue is full")));
    const { projectId, logId, logIds } = await newMails(deps, 30);
    await Promise.all(logIds.map((id) => get(pixel(id))));
    await get(await linkPath(logId, URL_A));
    await Promise.all(held);
    expect(d1.roundTrips).toBe(2);
    expect(await totals(deps, projectId)).toEqual({ opened: 30, clicked: 1 });
    expect(await logRow(deps, logId)).toMatchObject({
      opened_at: SENT_AT + 60_000,
      clicked_at: SENT_AT + 60_000,
    });
  });

  it("logs the number of lost events if queue and database both fail", async () => {
    const { get, held, d1 } = gathering(() => Promise.reject(new Error("queue is full")));
    d1.before = () => {
      throw new Error("no database");
    };
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    await Promise.all([1, 2, 3].map(() => get(pixel(uuidAt(SENT_AT)))));
    await Promise.all(held);
    const lines = log.mock.calls.map(([line]) => JSON.parse(String(line)) as object);
    log.mockRestore();
    expect(lines).toMatchObject([{ event: "tracking_event_lost", events: 3 }]);
  });

  it("sends the event of a request that ended too soon with the next one", async () => {
    const { get, held, sent } = gathering();
    const [first, second] = [uuidAt(SENT_AT), uuidAt(SENT_AT)];
    const timer = vi.spyOn(globalThis, "setTimeout").mockImplementation((() => 0) as never);
    await get(pixel(first));
    timer.mockRestore();
    await get(pixel(second));
    await held[1];
    expect(sent.map(logIdsOf)).toEqual([[first, second]]);
  });

  it("continues long after the first batch", async () => {
    const { get, held, sent, clock } = gathering();
    for (const count of [1, 2]) {
      for (let at = 0; at < count; at++) await get(pixel(uuidAt(SENT_AT)));
      await Promise.all(held);
      clock.now += 10_000;
    }
    expect(sent.map(({ length }) => length)).toEqual([1, 2]);
  });
});

describe("the hot path", () => {
  it("answers while the queue hangs and KV fails, without a call to D1 or Durable Objects", async () => {
    const forbidden = new Proxy(
      {},
      {
        get: () => {
          throw new Error("a call before the answer");
        },
      },
    );
    const hanging = createService({
      ...queue(() => new Promise(() => undefined)),
      KV: forbidden as KVNamespace,
      PROJECT_SENDER: forbidden as Service["env"]["PROJECT_SENDER"],
    });
    hanging.d1.before = () => {
      throw new Error("a D1 call before the answer");
    };
    const { get, held } = visitor(hanging);
    const { logId } = await newMails(deps, 1);
    vi.spyOn(console, "warn").mockReturnValueOnce();
    for (const id of [logId, uuidAt(SENT_AT)]) {
      expect(await get(`/t/${id}.gif`)).toBe(200);
      expect(await get(await linkPath(id, URL_A))).toBe(302);
    }
    expect(held).toHaveLength(4); // each event waits in its own request
    expect(hanging.d1.roundTrips).toBe(0);
  });

  it("records through the real queue within seconds", async () => {
    const real = createService();
    const { logId } = await newMails(deps, 1);
    await real.fetch(`/t/${logId}.gif`, { headers: { "User-Agent": FIREFOX } });
    await real.fetch(await linkPath(logId, URL_A));
    await expect
      .poll(() => logRow(deps, logId))
      .toMatchObject({
        opened_at: expect.any(Number),
        clicked_at: expect.any(Number),
      });
    expect(await clickRows(deps, logId)).toHaveLength(1);
  });
});

describe("the class of a visit", () => {
  it.each<[string, VisitorClass]>([
    [FIREFOX, "human"],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148",
      "human",
    ],
    [
      "Mozilla/5.0 (Linux; Android 13; CUBOT_X30) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0 Mobile Safari/537.36",
      "human",
    ],
    ["Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.17928; Pro)", "human"],
    ["Mozilla/5.0", "prefetch"],
    [GMAIL, "prefetch"],
    ["YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html", "prefetch"],
    [BARRACUDA, "scanner"],
    ["Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Mimecast/1.0", "scanner"],
    ["Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)", "scanner"],
    ["Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)", "scanner"],
    [
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/138.0 Safari/537.36",
      "scanner",
    ],
    ["curl/8.5.0", "unknown"],
    ["python-requests/2.32", "unknown"],
    ["", "unknown"],
  ])("from %s is %s", (userAgent, expected) => {
    expect(classifyUserAgent(userAgent)).toBe(expected);
  });

  it("is scanner within five seconds of sending, and still sets opened_at and clicked_at", async () => {
    const { logIds } = await newMails(deps, 2);
    const [soon = "", late = ""] = logIds;
    for (const [logId, afterMs] of [
      [soon, 4_999],
      [late, 5_000],
    ] as const) {
      await visit(`/t/${logId}.gif`, afterMs);
      await visit(await linkPath(logId, URL_A), afterMs);
    }
    expect(await logRow(deps, soon)).toMatchObject({
      opened_class: "scanner",
      opened_at: SENT_AT + 4_999,
    });
    expect(await clickRows(deps, soon)).toMatchObject([{ class: "scanner" }]);
    expect(await logRow(deps, soon)).toMatchObject({ clicked_at: SENT_AT + 4_999 });
    expect(await logRow(deps, late)).toMatchObject({ opened_class: "human" });
    expect(await clickRows(deps, late)).toMatchObject([{ class: "human" }]);
  });
});

describe("the visits of one address", () => {
  it("are recorded up to 6,000 a minute, and answered identically beyond that", async () => {
    const messages: TrackingMessage[] = [];
    // Another isolate has recorded 5,800 of them.
    const key = `ip:visits:${clientOf("192.0.2.1").name}`;
    const entries = { another: [Math.floor(SENT_AT / MINUTE), 5_800, 0] };
    const get = async (asked: string) => (asked === key ? { writtenMs: 0, entries } : null);
    const KV = { get, put: async () => undefined } as unknown as KVNamespace;
    const capped = createService(
      { ...queue(async (message) => messages.push(message)), KV },
      { now: () => SENT_AT },
    );
    const { logId } = await newMails(deps, 1);
    const link = await linkPath(logId, URL_A);
    const ask = (path: string, address: string) =>
      capped.fetch(path, { headers: { "CF-Connecting-IP": address } });
    const events = () => messages.flatMap(({ events: of }) => of).length;
    for (let n = 0; n < 3; n++)
      await Promise.all(Array.from({ length: 100 }, () => ask(`/t/${logId}.gif`, "192.0.2.1")));
    expect(events()).toBe(200);
    expect((await ask(`/t/${logId}.gif`, "192.0.2.1")).status).toBe(200);
    const click = await ask(link, "192.0.2.1");
    expect([click.status, click.headers.get("Location")]).toEqual([302, URL_A]);
    expect(events()).toBe(200);
    await ask(link, "192.0.2.2");
    expect(events()).toBe(201);
    // An unsubscribe link shows its button, and the button still works.
    const owner = await capped.newOwner();
    const { id } = await owner.newProject();
    const subscribers = `/projects/${id}/subscribers`;
    const made = await owner.post(subscribers, { email: "reader@any.test" });
    const path = `/unsubscribe/${id}/${String(made.body["id"])}`;
    const listed = async () => (await owner.get(subscribers)).body["subscribers"];
    expect((await ask(path, "192.0.2.1")).status).toBe(200);
    expect(await listed()).toMatchObject([{ status: "active" }]);
    const post = { method: "POST", headers: { "CF-Connecting-IP": "192.0.2.1" } };
    expect((await capped.fetch(path, post)).status).toBe(200);
    expect(await listed()).toMatchObject([{ status: "unsubscribed" }]);
  }, 30_000);
});
