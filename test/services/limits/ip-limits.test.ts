/*
 * Limits by client address (API reference §4.1, decision D36). A service of `createService` is one
 * isolate with its own counters; the isolates of one world share KV and clock.
 */
import { createExecutionContext, env, waitOnExecutionContext } from "cloudflare:test";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Bindings } from "../../../src/config.ts";
import { createServer } from "../../../src/http/server.ts";
import { clientOf } from "../../../src/services/limits/client-address.ts";
import type { Verdict } from "../../../src/lib/sliding-window.ts";
import { createService, unique, type Service } from "../../support/service.ts";
import { eventually, MINUTE, SECOND } from "../../support/times.ts";

/** The first moment of a minute. */
const START = Date.UTC(2026, 8, 9, 8, 0);
const UNKNOWN_ID = "01890000-0000-7000-8000-000000000000";
const WAITLIST = `/api/v1/projects/${UNKNOWN_ID}/waitlist`;
const LOGIN = "/api/v1/auth/login";
/** Path that costs one hit and nothing else. */
const FREE = "/version";

afterEach(() => void vi.restoreAllMocks());

let addresses = 0;
/** Address that no other test uses. */
const newAddress = () => `203.0.${100 + Math.floor(++addresses / 250)}.${addresses % 250}`;

const JSON_BODY = { "Content-Type": "application/json" };
type Init = { method?: string; headers?: Record<string, string>; body?: string };
const from = (address: string, init: Init = {}) => ({
  ...init,
  headers: { "CF-Connecting-IP": address, ...init.headers },
});
const posting = (address: string, body: unknown) =>
  from(address, { method: "POST", headers: JSON_BODY, body: JSON.stringify(body) });
const joining = (address: string) => posting(address, { email: `${unique("ip")}@any.test` });
const loggingIn = (address: string) =>
  posting(address, { email: `${unique("login")}@any.test`, password: "wrong horse" });

/** Sends requests one after another, each with its background work finished. */
async function ask(isolate: Service, times: number, init: Init, path = FREE) {
  const answers: Response[] = [];
  for (let n = 0; n < times; n++) answers.push(await isolate.fetch(path, init));
  return answers;
}

const refusedOf = (answers: Response[]) => answers.filter(({ status }) => status === 429).length;
/** Limit, remaining and reset in an answer's headers, and the time to wait. */
const told = ({ headers }: Response) =>
  ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "Retry-After"]
    .map((name) => headers.get(name) ?? "-")
    .join(" ");
const NOTHING = "- - - -";
const remainingOf = ({ headers }: Response) => Number(headers.get("RateLimit-Remaining"));

/** Three isolates with one KV and one clock, and a client address. */
function newWorld(settings: Partial<Bindings> = {}) {
  const clock = { now: START };
  const calls: { verb: "get" | "put"; key: string; at: number; value?: string }[] = [];
  /** Hooks before a read, before a write and after a write of KV; an error they throw fails it. */
  const faults: Partial<Record<"get" | "put" | "afterPut", () => unknown>> = {};
  const KV = {
    get: async (key: string, type: "json") => {
      calls.push({ verb: "get", key, at: clock.now });
      await faults.get?.();
      return env.KV.get(key, type);
    },
    put: async (key: string, value: string, options?: KVNamespacePutOptions) => {
      calls.push({ verb: "put", key, at: clock.now, value, ...options });
      await faults.put?.();
      await env.KV.put(key, value, options);
      await faults.afterPut?.();
    },
  } as unknown as KVNamespace;
  const newIsolate = () => createService({ KV, ...settings }, { now: () => clock.now });
  const [one, two, three] = [newIsolate(), newIsolate(), newIsolate()];
  const address = newAddress();
  const verbs = () => calls.map(({ verb }) => verb).join(" ");
  const puts = () => calls.filter(({ verb }) => verb === "put");
  /** Sends requests that cost only one hit each, one after another. */
  const hit = (isolate: Service, times: number) => ask(isolate, times, from(address));
  /** Remaining hits after the next request. */
  const left = async (isolate: Service) => remainingOf(await isolate.fetch(FREE, from(address)));
  /** Makes an isolate count these hits and publish all of them; takes a second. */
  const tell = async (isolate: Service, hits: number) => {
    await hit(isolate, hits - 1);
    clock.now += SECOND;
    await hit(isolate, 1);
  };
  const key = `ip:all:${clientOf(address).name}`;
  return { clock, calls, faults, verbs, puts, one, two, three, address, key, hit, left, tell };
}

/** Counts the calls of Durable Objects; the first calls return these verdicts. */
function countingLimiter(...verdicts: Verdict[]) {
  const limiter = { calls: 0 };
  const PROJECT_SENDER = {
    idFromName: (name: string) => env.PROJECT_SENDER.idFromName(name),
    get: (id: DurableObjectId) => {
      const verdict = verdicts[limiter.calls++];
      return verdict ? { take: async () => verdict } : env.PROJECT_SENDER.get(id);
    },
  } as unknown as Bindings["PROJECT_SENDER"];
  return { limiter, PROJECT_SENDER };
}

/** A world in which all 600 hits of the address are counted, 580 of them by another isolate. */
async function newFull(settings: Partial<Bindings> = {}) {
  const world = newWorld(settings);
  const entries = { another: [START / MINUTE, 580, 0] };
  await env.KV.put(world.key, JSON.stringify({ writtenMs: 0, entries }));
  expect(refusedOf(await world.hit(world.one, 20))).toBe(0);
  return world;
}

describe("the limit on all requests of one address", async () => {
  const full = await newFull();

  it("allows 600 requests a minute and reports how many are left and until when", async () => {
    const { one, hit } = newWorld();
    const answers = await hit(one, 601);
    const passing = Array.from({ length: 600 }, (_, n) => `600 ${599 - n} 60 -`);
    expect(answers.map(told)).toEqual([...passing, "600 0 61 61"]);
    expect(answers.map(({ status }) => status)).toEqual([...Array(600).fill(200), 429]);
    expect(told(await one.fetch(FREE, from(newAddress())))).toBe("600 599 60 -"); // another address
  });

  const error = "rate limit of 600 per minute exceeded";
  it.each([
    ["GET", "/api/v1/auth/me", { error }, null],
    ["POST", LOGIN, { error }, null],
    ["POST", WAITLIST, { error }, "*"], // readable by pages of any site, refusals included
    ["GET", "/api/v1/no-such-thing", { error }, null],
    ["POST", `/webhooks/bounces/${UNKNOWN_ID}?token=wrong`, { error }, null],
    ["GET", "/health", { error }, "*"],
    ["GET", "/version", { error }, "*"],
    ["POST", "/api/v1/join", { success: false, error }, "*"],
    ["GET", "/api/v1/subscribers", { success: false, error }, null],
    ["POST", "/api/v1/send", { success: false, error }, null],
    ["POST", "/api/v1/broadcast", { success: false, error }, null],
  ])("counts %s %s once, and rejects it with %j", async (method, path, body, origin) => {
    const { one, address, left } = newWorld();
    const init = { method, ...(method === "POST" && { body: "{}" }) };
    expect((await one.fetch(path, from(address, init))).status).not.toBe(429);
    expect(await left(one)).toBe(598);
    const refusal = await full.one.fetch(path, from(full.address, init));
    expect([refusal.status, told(refusal)]).toEqual([429, "600 0 61 61"]);
    expect(await refusal.json()).toEqual({ ...body, code: "rate_limited", params: { limit: 600 } });
    expect(refusal.headers.get("Access-Control-Allow-Origin")).toBe(origin);
  });

  it.each(["/t/any.gif", "/c/any/payload", `/unsubscribe/${UNKNOWN_ID}/${UNKNOWN_ID}`])(
    "skips %s because mail proxies share addresses",
    async (path) => {
      expect(told(await full.one.fetch(path, from(full.address)))).toBe(NOTHING);
      const { one, address, left } = newWorld();
      await ask(one, 3, from(address), path);
      expect(await left(one)).toBe(599);
    },
  );

  it("counts HEAD, but neither counts nor rejects a preflight", async () => {
    const preflight = {
      method: "OPTIONS",
      headers: { Origin: "https://landing.example", "Access-Control-Request-Method": "POST" },
    };
    const answer = await full.one.fetch(WAITLIST, from(full.address, preflight));
    expect([answer.status, told(answer)]).toEqual([204, NOTHING]);
    const { one, address } = newWorld();
    for (const path of [WAITLIST, FREE]) await ask(one, 101, from(address, preflight), path);
    expect(told(await one.fetch(WAITLIST, joining(address)))).toBe("100 99 60 -");
    expect(remainingOf(await one.fetch(FREE, from(address, { method: "HEAD" })))).toBe(598);
  });

  it("rejects before it calls D1 or a Durable Object", async () => {
    const { limiter, PROJECT_SENDER } = countingLimiter();
    const { one, address } = await newFull({ PROJECT_SENDER });
    expect((await one.fetch(LOGIN, loggingIn(newAddress()))).status).toBe(401);
    expect(limiter.calls).toBe(2);
    expect(one.d1.roundTrips).toBeGreaterThan(0);
    one.d1.reset();
    for (const path of [LOGIN, WAITLIST])
      expect((await one.fetch(path, loggingIn(address))).status).toBe(429);
    expect([limiter.calls, one.d1.roundTrips]).toEqual([2, 0]);
  });

  it("allows as many requests as the sliding window estimate leaves", async () => {
    const { clock, one, hit, left } = await newFull();
    clock.now = START + 1.5 * MINUTE; // half of them still count
    expect(refusedOf(await hit(one, 301))).toBe(1);
    clock.now = START + 2 * MINUTE; // only the last 300 still count
    expect(await left(one)).toBe(299);
    clock.now = START + 4 * MINUTE;
    expect(await left(one)).toBe(599);
  });

  it("counts no rejected request: its reset time is exact to the millisecond", async () => {
    const { clock, one, hit } = await newFull();
    expect(refusedOf(await hit(one, 300))).toBe(300);
    clock.now = START + MINUTE + 99;
    expect((await hit(one, 1)).map(told)).toEqual(["600 0 1 1"]);
    clock.now += 1;
    expect(refusedOf(await hit(one, 2))).toBe(1);
  });

  it("tolerates a clock that goes backwards", async () => {
    const { clock, one, hit } = newWorld();
    await hit(one, 10);
    clock.now = START - 5 * SECOND;
    expect((await hit(one, 1)).map(told)).toEqual(["600 589 60 -"]);
  });

  it("counts nothing when no address is known", async () => {
    expect((await ask(newWorld().one, 2, {})).map(told)).toEqual([NOTHING, NOTHING]);
  });

  it.each(["127.0.0.1", "::1", "::ffff:127.3.3.3"])(
    "exempts %s, an address of this machine; the waitlist's limit does not",
    async (address) => {
      const { one } = newWorld();
      expect((await ask(one, 2, from(address))).map(told)).toEqual([NOTHING, NOTHING]);
      const joins = await ask(one, 2, joining(address), WAITLIST);
      expect(joins.map(told)).toEqual(["100 99 60 -", "100 98 60 -"]);
    },
  );
});

describe("the limit of the waitlist", () => {
  it("allows 100 requests a minute over all projects, and rejects the rest without a D1 call", async () => {
    const { one, address } = newWorld();
    for (const path of [WAITLIST, WAITLIST.replace("0189", "0188")])
      expect(refusedOf(await ask(one, 50, joining(address), path))).toBe(0);
    one.d1.reset();
    const refusal = await one.fetch(WAITLIST, joining(address));
    expect([refusal.status, told(refusal)]).toEqual([429, "100 0 61 61"]);
    expect(one.d1.roundTrips).toBe(0);
    expect((await one.fetch(WAITLIST, joining(newAddress()))).status).toBe(404);
  });

  it("counts allowed requests toward the overall limit as well, and no rejected ones", async () => {
    const { one, address, left } = newWorld();
    expect(refusedOf(await ask(one, 150, joining(address), WAITLIST))).toBe(50);
    expect(await left(one)).toBe(499);
  });
});

describe("the limit headers of a request with several limits", () => {
  it("show the address limit that leaves the fewest requests", async () => {
    const { one, address, hit } = newWorld();
    await hit(one, 150); // no hits on the waitlist
    expect(told(await one.fetch(WAITLIST, joining(address)))).toBe("100 99 60 -");
    await hit(one, 399);
    expect(told(await one.fetch(WAITLIST, joining(address)))).toBe("600 49 60 -");
  });

  it("show the rejection that lasts longer", async () => {
    const { clock, one, address, hit } = await newFull();
    clock.now = START + 1.5 * MINUTE;
    await ask(one, 100, joining(address), WAITLIST);
    expect((await hit(one, 201)).slice(200).map(told)).toEqual(["600 0 1 1"]);
    expect(told(await one.fetch(WAITLIST, joining(address)))).toBe("100 0 31 31");
  });

  it("show a project's exact limit rather than the overall one, allowed or rejected", async () => {
    const { one } = newWorld();
    const owner = await one.newOwner();
    const { id } = await owner.newProject();
    const narrow = { name: "Narrow", rate_limit_per_minute: 1 };
    const made = await owner.post<{ key: string }>(`/projects/${id}/api-keys`, narrow);
    const send = posting(newAddress(), {});
    Object.assign(send.headers, { Authorization: `Bearer ${made.body.key}` });
    const answers = await ask(one, 2, send, `/api/v1/projects/${id}/send`);
    expect(answers.map(({ status }) => status)).toEqual([400, 429]);
    expect(answers.map(told)).toEqual([
      expect.stringMatching(/^1 0 \d+ -$/),
      expect.stringMatching(/^1 0 (\d+) \1$/),
    ]);
    const read = from(newAddress(), { headers: { Cookie: owner.cookie } });
    expect(told(await one.fetch(`/api/v1/projects/${id}`, read))).toBe("600 599 60 -");
  });

  it("also appear on a response that a handler builds itself", async () => {
    const { one, address } = newWorld();
    const path = "/webhooks/bounces/raw";
    const server = createServer(one.runtime).get(path, () => new Response("raw"));
    expect(told(await server.request(path, from(address), one.env))).toBe("600 599 60 -");
  });
});

describe("login attempts", () => {
  it.each([
    ["this machine's own", () => "127.7.7.7"],
    ["all of an IPv6 /64", (n: number) => `2001:db8:10:1::${n}`],
  ])("are limited by address: 10 a minute for %s", async (_, addressOf) => {
    const { one } = newWorld();
    const tryFrom = (address: string) => one.fetch(LOGIN, loggingIn(address));
    const answers = Array.from({ length: 12 }, (_, n) => tryFrom(addressOf(n)));
    expect(refusedOf(await Promise.all(answers))).toBe(2);
    expect((await tryFrom("2001:db8:10:2::1")).status).toBe(401);
  });

  it("do not count against an account while the limit of their address rejects them", async () => {
    const { one, address } = newWorld();
    const as = (who: string, email: string) =>
      one.fetch(LOGIN, posting(who, { email, password: "wrong horse" }));
    const email = `${unique("victim")}@any.test`;
    for (let n = 0; n < 10; n++) await one.fetch(LOGIN, loggingIn(address));
    for (let n = 0; n < 10; n++) expect((await as(address, email)).status).toBe(429);
    expect(told(await as(newAddress(), email))).toBe("10 9 60 -");
  });
});

describe("the address of a client", () => {
  it("ignores X-Forwarded-For", async () => {
    const { one, address } = await newFull();
    const forged = { headers: { "X-Forwarded-For": newAddress() } };
    expect((await one.fetch(FREE, from(address, forged))).status).toBe(429);
    expect(told(await one.fetch(FREE, forged))).toBe(NOTHING);
  });

  it("is the first address of X-Forwarded-For behind a trusted proxy", async () => {
    const { one, address: proxy } = newWorld({ TRUST_X_FORWARDED_FOR: "true" });
    const [client, other] = [newAddress(), newAddress()];
    const left = async (headers: Record<string, string>) =>
      remainingOf(await one.fetch(FREE, from(proxy, { headers })));
    expect(await left({ "X-Forwarded-For": `${client}, 10.0.0.1` })).toBe(599);
    expect(await left({ "X-Forwarded-For": `${client}, 10.0.0.2` })).toBe(598);
    expect(await left({ "X-Forwarded-For": `${other}, 10.0.0.1` })).toBe(599);
    expect(await left({})).toBe(599);
  });

  it.each([
    ["2001:db8:7:1::1", "2001:db8:7:1:ffff:ffff:ffff:ffff", "2001:db8:7:2::1"],
    ["2001:DB8:7:3:0:0:0:1", "[2001:db8:7:3::9]:443", "[2001:db8:7:4::9]:443"],
    ["203.0.90.1", "203.0.90.1:5060", "203.0.90.2:5060"],
    ["203.0.90.3", "::ffff:203.0.90.3", "::ffff:203.0.90.4"],
    ["unknown", "unknown", "unknown2"],
  ])("counts %s and %s as one client and %s as another", async (...names) => {
    const { one } = newWorld();
    const answers = [];
    for (const name of names) answers.push(await one.fetch(FREE, from(name)));
    expect(answers.map(remainingOf)).toEqual([599, 598, 599]);
  });

  it("becomes a short name without characters chosen by the client", () => {
    const form = /^(?:v4-[0-9a-f]{1,8}|v6-[0-9a-f]{1,16}|x-[0-9a-f]{32})$/;
    const text = fc.oneof(fc.string({ unit: "binary" }), fc.ipV6(), fc.ipV4());
    fc.assert(fc.property(text, (address) => form.test(clientOf(address).name)));
  });
});

describe("the exchange of counts through KV", () => {
  it.each([
    ["20 hits", "all", FREE, 20],
    ["4 of the waitlist", "waitlist", WAITLIST, 4],
  ])("costs nothing below %s a minute, then one read and one write", async (_, name, path, due) => {
    const { clock, calls, one, address } = newWorld();
    for (let minute = 0; minute < 5; minute++) {
      clock.now = START + minute * MINUTE;
      await ask(one, due - 1, joining(address), path);
    }
    expect(calls).toEqual([]);
    await ask(one, 1, joining(address), path);
    const call = { key: `ip:${name}:${clientOf(address).name}`, at: clock.now };
    expect(calls).toEqual([
      { verb: "get", ...call },
      { verb: "put", ...call, value: expect.any(String), expirationTtl: 120 },
    ]);
  });

  it("happens once a second, and not for rejections", async () => {
    const { clock, calls, verbs, one, hit } = newWorld();
    await hit(one, 300);
    clock.now += SECOND - 1;
    await hit(one, 300);
    expect(verbs()).toBe("get put");
    clock.now += 1;
    expect(refusedOf(await hit(one, 1))).toBe(1); // publishes the hits before it
    expect(verbs()).toBe("get put get put");
    expect(calls[3]?.value).toContain(`[${START / MINUTE},600,0]`);
    for (let second = 0; second < 10; second++) {
      clock.now += SECOND;
      await hit(one, 20);
    }
    expect(calls).toHaveLength(4);
  });

  it("repeats after one second in a single isolate, and after two with others", async () => {
    const { clock, verbs, one, two, hit } = newWorld();
    for (const isolate of [one, one, one, two]) {
      await hit(isolate, 20);
      clock.now += SECOND;
    }
    expect(verbs()).toBe("get put get put get put get put");
    await hit(two, 20);
    clock.now += SECOND - 1;
    await hit(two, 1);
    expect(verbs()).toBe("get put get put get put get put");
    clock.now += 1;
    await hit(two, 1);
    expect(verbs()).toBe("get put get put get put get put get put");
  });

  it("lowers the remaining hits of an address in every isolate", async () => {
    const { clock, one, two, hit, left, tell } = newWorld();
    await tell(one, 300);
    clock.now += SECOND;
    await hit(two, 20);
    expect(await left(two)).toBe(600 - 300 - 21);
    clock.now += SECOND;
    await hit(one, 20);
    expect(await left(one)).toBe(600 - 321 - 20);
  });

  it("also covers the previous minute, published during it or later", async () => {
    const { clock, one, two, three, hit, left, tell } = newWorld();
    await tell(one, 300);
    clock.now = START + MINUTE;
    await hit(two, 20);
    expect(await left(two)).toBe(600 - 300 - 21);
    clock.now += SECOND;
    await hit(one, 20);
    clock.now += SECOND; // 2 s of 60 have faded: 10 of 300
    await hit(three, 20);
    expect(await left(three)).toBe(600 - 290 - 20 - 20 - 21);
  });

  it("lets three isolates together allow little more than 600 requests, and no fewer", async () => {
    const { clock, one, two, three, hit } = newWorld();
    let passed = 1_000;
    for (let n = 0; n < 1_000; n++, clock.now += 20) {
      // no isolate is always first
      const isolate = [one, two, three][(n + Math.floor(n / 3)) % 3] ?? one;
      passed -= refusedOf(await hit(isolate, 1));
    }
    expect(passed).toBeGreaterThanOrEqual(600);
    expect(passed).toBeLessThanOrEqual(600 + 3 * 20 + 50); // 20 of each isolate, and 50 of a second
  });

  it("writes at most once a second over all isolates, at 300 requests a second", async () => {
    const { clock, one, two, three, hit, puts } = newWorld();
    for (const start of [START, START + 1.5 * MINUTE])
      for (clock.now = start; clock.now < start + 4 * SECOND; clock.now += 10)
        for (const isolate of [one, two, three]) await hit(isolate, 1);
    const times = puts().map(({ at }) => at);
    expect(times.length).toBeGreaterThanOrEqual(5);
    const pauses = times.slice(1).map((at, n) => at - (times[n] ?? 0));
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(SECOND);
  });

  it("reads without writing within a second of another isolate's write, then writes", async () => {
    const { clock, one, two, hit, left, verbs } = newWorld();
    await hit(one, 20);
    clock.now += 400;
    await hit(two, 20);
    expect(verbs()).toBe("get put get");
    expect(await left(two)).toBe(600 - 20 - 21);
    clock.now += 599;
    await hit(two, 1);
    expect(verbs()).toBe("get put get");
    clock.now += 1;
    await hit(two, 1);
    expect(verbs()).toBe("get put get get put");
  });

  it.each(["put", "afterPut"] as const)(
    "counts nothing twice and loses nothing when a write fails (%s)",
    async (moment) => {
      vi.spyOn(console, "warn").mockReturnValue();
      const { clock, faults, one, two, hit, left } = newWorld();
      faults[moment] = () => Promise.reject(new Error("KV is down"));
      await hit(one, 20);
      delete faults[moment];
      clock.now += 10 * SECOND;
      await hit(one, 1); // publishes it again
      clock.now += SECOND;
      await hit(two, 20);
      expect(await left(two)).toBe(600 - 21 - 21);
    },
  );

  it("may fail: each isolate counts on its own and reads the key again after 10 s", async () => {
    const warned = vi.spyOn(console, "warn").mockReturnValue();
    const { clock, faults, one, key, hit, verbs } = newWorld();
    faults.get = () => Promise.reject(new Error("KV is down"));
    expect(refusedOf(await hit(one, 601))).toBe(1);
    clock.now += 10 * SECOND - 1;
    await hit(one, 1);
    expect(verbs()).toBe("get");
    const line = { level: "warn", event: "ip_limit_not_shared", key };
    expect(warned).toHaveBeenCalledExactlyOnceWith(
      JSON.stringify({ ...line, error: "KV is down" }),
    );
    await ask(one, 20, from(newAddress()));
    expect(verbs()).toBe("get get");
    clock.now += 1;
    await hit(one, 1);
    expect(verbs()).toBe("get get get");
  });

  /** A world whose `hit` skips the background work of an answer; `rest` waits for it. */
  function newPatient() {
    const world = newWorld();
    const server = createServer(world.one.runtime);
    const rests: Promise<unknown>[] = [];
    const hit = async (times: number) => {
      for (let n = 0; n < times; n++) {
        const context = createExecutionContext();
        const answer = await server.request(FREE, from(world.address), world.one.env, context);
        expect(answer.status).toBe(200);
        rests.push(waitOnExecutionContext(context));
      }
    };
    return { ...world, ...Promise.withResolvers<void>(), hit, rest: () => Promise.all(rests) };
  }

  it("delays no response and ends after 10 s: a late reader writes nothing", async () => {
    const { clock, faults, verbs, hit, rest, promise, resolve } = newPatient();
    faults.get = () => promise;
    await hit(40);
    clock.now += 10 * SECOND - 1;
    await hit(1);
    expect(verbs()).toBe("get");
    clock.now += 1;
    delete faults.get;
    await hit(1);
    await eventually(() => expect(verbs()).toBe("get get put"));
    clock.now += SECOND;
    resolve();
    await rest();
    expect(verbs()).toBe("get get put");
  });

  it("publishes no hits of a minute that begins during the write", async () => {
    const { clock, faults, verbs, hit, rest, promise, resolve } = newPatient();
    faults.put = () => promise;
    await hit(20);
    await eventually(() => expect(verbs()).toBe("get put"));
    clock.now = START + MINUTE;
    await hit(5);
    resolve();
    await rest();
    clock.now += SECOND;
    await hit(20);
    await rest();
    expect(verbs()).toBe("get put get put");
  });

  it("ignores a value in an unknown format or from the future", async () => {
    const ahead = { writtenMs: START + 500, entries: {} };
    const entry = { writtenMs: START, entries: { one: [1, 2] } };
    for (const form of [[], 7, { entries: {} }, entry, ahead]) {
      const { one, key, hit, left, verbs } = newWorld();
      await env.KV.put(key, JSON.stringify(form));
      await hit(one, 20);
      expect(verbs()).toBe("get put");
      expect(await left(one)).toBe(600 - 21);
    }
  });

  it("ignores every minute before the previous one", async () => {
    const { clock, one, two, hit, left } = newWorld();
    await hit(one, 20);
    clock.now = START + MINUTE;
    await hit(one, 20);
    clock.now = START + 3 * MINUTE;
    await hit(two, 20);
    expect(await left(two)).toBe(600 - 21);
  });

  it("never lowers a count when KV returns an older one", async () => {
    const { clock, one, two, key, hit, left, tell } = newWorld();
    await tell(one, 100);
    clock.now += SECOND;
    await hit(two, 20);
    const old = { writtenMs: 0, entries: { one: [START / MINUTE, 50, 0] } };
    await env.KV.put(key, JSON.stringify(old));
    clock.now += SECOND;
    await hit(two, 20);
    expect(await left(two)).toBe(600 - 100 - 41);
  });

  it("drops an address that sent nothing in this minute or the last", async () => {
    const { clock, one, two, three, hit, puts } = newWorld();
    await hit(one, 20);
    clock.now = START + MINUTE;
    await hit(two, 20);
    clock.now = START + 3 * MINUTE;
    await hit(three, 20);
    const entries = puts().map(({ value }) => Object.keys(JSON.parse(value ?? "").entries).length);
    expect(entries).toEqual([1, 2, 1]);
  });
});
