/*
 * The exact limits by project, key, person, address and account (API reference §4.1), asked of the
 * service's functions: the tests of the endpoints show that each asks for its own.
 */
import { env } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Bindings } from "../../../src/config.ts";
import type { Actor, Ctx } from "../../../src/context.ts";
import type { Verdict } from "../../../src/lib/sliding-window.ts";
import {
  consumeRateLimit,
  consumeReadLimit,
  takeLoginTry,
  takePasswordTry,
  takePublicJoin,
  takeRegistration,
  takeSubscriberMail,
  takeWaitlistJoin,
  type LimitedAction,
} from "../../../src/services/limits/index.ts";
import { createService } from "../../support/service.ts";
import { MINUTE } from "../../support/times.ts";

const ADDRESS = "203.0.113.7";
const deps = await createService().deps();
const ctxOf = (actor: Actor, clientIp = ADDRESS, own = deps): Ctx => ({
  deps: own,
  actor,
  requestId: "request",
  clientIp,
  userAgent: "",
});
const user = (): Actor => ({
  kind: "user",
  userId: crypto.randomUUID(),
  email: "",
  name: "",
  sessionHash: "",
  isProven: true,
});
const keyOf = (projectId: string, rateLimitPerMinute?: number): Actor => ({
  kind: "project_key",
  keyId: crypto.randomUUID(),
  projectId,
  rateLimitPerMinute,
});
const stranger = (clientIp = ADDRESS) => ctxOf({ kind: "anonymous" }, clientIp);
/** An address that no other test uses. */
let addresses = 0;
const newAddress = () => `198.18.${Math.floor(++addresses / 250)}.${addresses % 250}`;
const newId = () => crypto.randomUUID();

const times = (count: number, hit: (nth: number) => Promise<Verdict>) =>
  Promise.all(Array.from({ length: count }, (_, nth) => hit(nth)));
const passed = (verdicts: Verdict[]) => verdicts.filter(({ allowed }) => allowed).length;

/** A service whose limiter notes the names of its objects and lets every hit pass. */
async function notingLimiter() {
  const objects = new Set<string>();
  const verdict: Verdict = { allowed: true, limit: 1, remaining: 1, resetMs: 1 };
  const PROJECT_SENDER = {
    idFromName: (name: string) => objects.add(name),
    get: () => ({ take: async () => verdict }),
  } as unknown as Bindings["PROJECT_SENDER"];
  return { objects, deps: await createService({ PROJECT_SENDER }).deps() };
}

/** A service whose limiter does not answer. */
async function silentLimiter() {
  const fail = () => Promise.reject(new Error("overloaded"));
  const PROJECT_SENDER = {
    idFromName: (name: string) => env.PROJECT_SENDER.idFromName(name),
    get: () => ({ take: fail, takeAll: fail }),
  } as unknown as Bindings["PROJECT_SENDER"];
  return createService({ PROJECT_SENDER }).deps();
}

afterEach(() => void vi.restoreAllMocks());

describe("the limit of an action", () => {
  it.each<[LimitedAction, number]>([
    ["send", 60],
    ["batch", 20],
    ["broadcast", 5],
    ["broadcast_start", 10],
    ["smtp_test", 10],
    ["imap_test", 10],
    ["keyed_send", 60],
    ["keyed_join", 60],
    ["keyed_read", 60],
    ["keyed_broadcast", 10],
    ["keyed_track", 600],
  ])("%s is %d a minute", async (action, limit) => {
    const [ctx, id] = [ctxOf(user()), newId()];
    const verdicts = await times(3, () => consumeRateLimit(ctx, id, action));
    const left = [1, 2, 3].map((used) => limit - used);
    expect(verdicts).toMatchObject(left.map((remaining) => ({ allowed: true, limit, remaining })));
    for (const { resetMs } of verdicts) {
      expect(resetMs).toBeLessThanOrEqual(MINUTE);
      expect(resetMs).toBeGreaterThan(MINUTE / 2);
    }
  });

  it("is shared by the users and keys of a project, and separate from other actions and projects", async () => {
    const [id, other] = [newId(), newId()];
    const hit = async (actor: Actor, project = id, action: LimitedAction = "send") =>
      (await consumeRateLimit(ctxOf(actor), project, action)).remaining;
    expect([
      await hit(user()),
      await hit(user()),
      await hit(keyOf(id)),
      await hit(keyOf(id)),
    ]).toEqual([59, 58, 57, 56]);
    expect([await hit(user(), other), await hit(user(), id, "batch")]).toEqual([59, 19]);
    expect(await hit({ kind: "anonymous" })).toBe(55);
  });

  it("is the key's own if it has one, separately for each kind of call and each such key", async () => {
    const id = newId();
    const [key, twin] = [keyOf(id, 2), keyOf(id, 2)];
    const hit = (actor: Actor, action: LimitedAction = "send") =>
      consumeRateLimit(ctxOf(actor), id, action);
    expect(passed(await times(3, () => hit(key)))).toBe(2);
    for (const verdict of [await hit(twin), await hit(key, "batch")])
      expect(verdict).toMatchObject({ allowed: true, limit: 2, remaining: 1 });
    expect(await hit(keyOf(id))).toMatchObject({ limit: 60, remaining: 59 });
  });

  it("is per user for tests of a mailbox", async () => {
    const [id, one, other] = [newId(), ctxOf(user()), ctxOf(user())];
    const hit = (ctx: Ctx) => consumeRateLimit(ctx, id, "imap_test");
    expect(passed(await times(11, () => hit(one)))).toBe(10);
    expect(await hit(other)).toMatchObject({ allowed: true, remaining: 9 });
  });
});

describe("a join with a public key", () => {
  it("counts by address: 60 a minute, regardless of the key", async () => {
    const [id, address] = [newId(), newAddress()];
    const join = (from: string) => takePublicJoin(ctxOf(keyOf(id), from), id);
    const verdicts = await times(62, () => join(address));
    expect(passed(verdicts)).toBe(60);
    expect(verdicts[0]).toMatchObject({ limit: 60, remaining: 59 });
    expect(await join(newAddress())).toMatchObject({ allowed: true, limit: 60, remaining: 59 });
  });

  it("counts by project: 600 a minute, without those rejected by an address limit", async () => {
    const [id, greedy] = [newId(), newAddress()];
    const join = (from: string, project = id) =>
      takePublicJoin(ctxOf(keyOf(project), from), project);
    await times(70, () => join(greedy));
    expect(passed(await times(541, () => join(newAddress())))).toBe(540);
    expect(await join(newAddress())).toMatchObject({ allowed: false, limit: 600 });
    expect((await join(newAddress(), newId())).allowed).toBe(true);
  });

  it("counts by key for a key with its own limit, separately for each", async () => {
    const id = newId();
    const [key, twin] = [keyOf(id, 2), keyOf(id, 2)];
    const join = (actor: Actor) => takePublicJoin(ctxOf(actor, newAddress()), id);
    expect(passed(await times(3, () => join(key)))).toBe(2);
    expect(await join(twin)).toMatchObject({ allowed: true, limit: 2, remaining: 1 });
    expect((await join(keyOf(id))).allowed).toBe(true);
  });

  it("counts all Workers as one client, which may use half of a list's limit", async () => {
    const id = newId();
    const join = (actor: Actor) => takePublicJoin(ctxOf(actor, "2a06:98c0:3600::103"), id);
    const verdicts = await times(310, () => join(keyOf(id)));
    expect(passed(verdicts)).toBe(300);
    const small = keyOf(id, 100);
    expect(await join(small)).toMatchObject({ allowed: false, limit: 60 });
    expect((await takePublicJoin(ctxOf(small, newAddress()), id)).allowed).toBe(true);
  });

  it("counts all callers without a known address as one client", async () => {
    const id = newId();
    expect(passed(await times(61, () => takePublicJoin(ctxOf(keyOf(id), ""), id)))).toBe(60);
  });
});

describe("a join of a waitlist", () => {
  it("counts by project: 600 a minute", async () => {
    const id = newId();
    const first = await takeWaitlistJoin(stranger(), id);
    expect(first).toMatchObject({ allowed: true, limit: 600, remaining: 599 });
    expect(await takeWaitlistJoin(stranger(newAddress()), id)).toMatchObject({ remaining: 598 });
    expect(await takeWaitlistJoin(stranger(), newId())).toMatchObject({ remaining: 599 });
  });

  it("uses at most 256 objects, regardless of the projects that callers name", async () => {
    const { objects, deps: noting } = await notingLimiter();
    const ctx = ctxOf({ kind: "anonymous" }, ADDRESS, noting);
    for (let n = 0; n < 2_000; n++) await takeWaitlistJoin(ctx, `project-${n}`);
    expect(objects.size).toBeGreaterThan(250);
    expect(objects.size).toBeLessThanOrEqual(256);
  });
});

describe("a mail that a join triggers", () => {
  it("counts by address: one in ten minutes, regardless of its tag, for each project", async () => {
    const [id, ctx] = [newId(), stranger()];
    const mail = (email: string, project = id) => takeSubscriberMail(ctx, project, email);
    expect(await mail("ann@a.test")).toMatchObject({ allowed: true });
    for (const email of ["ann@a.test", "ann+@a.test", "ann+x@a.test", "ann+news+2@a.test"]) {
      const verdict = await mail(email);
      expect(verdict).toMatchObject({ allowed: false, limit: 1, remaining: 0 });
      expect(verdict.resetMs).toBeGreaterThan(9 * MINUTE);
      expect(verdict.resetMs).toBeLessThanOrEqual(10 * MINUTE);
    }
    for (const email of ["ann@b.test", "anna.test", "bob+x@a.test"])
      expect((await mail(email)).allowed).toBe(true);
    expect((await mail("ann@a.test", newId())).allowed).toBe(true);
  });

  it("counts by project: 60 a minute, without those rejected by the address limit", async () => {
    const [id, ctx] = [newId(), stranger()];
    const mail = (nth: number) => takeSubscriberMail(ctx, id, `n${nth}@any.test`);
    await times(5, () => mail(0));
    expect(passed(await times(60, (nth) => mail(nth + 1)))).toBe(59);
    const refused = await mail(100);
    expect(refused).toMatchObject({ allowed: false, limit: 60 });
    expect(refused.resetMs).toBeLessThanOrEqual(MINUTE);
  });
});

describe("a password attempt", () => {
  const login = (address: string, email: string) => takeLoginTry(stranger(address), email);
  const password = (address: string, id: string) => takePasswordTry(stranger(address), id);

  it.each([
    ["a login", login],
    ["a change of password", password],
  ])("counts by address, then by account: 10 a minute: %s", async (_what, attempt) => {
    const [greedy, who] = [newAddress(), newId()];
    const verdicts = await times(12, () => attempt(greedy, newId()));
    expect(passed(verdicts)).toBe(10);
    expect(verdicts[0]).toMatchObject({ limit: 10, remaining: 9 });
    await times(3, () => attempt(greedy, who)); // counts for nobody
    expect(passed(await times(12, () => attempt(newAddress(), who)))).toBe(10);
    expect((await attempt(newAddress(), newId())).allowed).toBe(true);
  });

  it("counts only by account if the address is unknown", async () => {
    expect(passed(await times(12, () => login("", newId())))).toBe(12);
    const who = newId();
    expect(passed(await times(12, () => login("", who)))).toBe(10);
  });

  it("counts logins and password changes separately", async () => {
    const address = newAddress();
    await times(10, () => login(address, newId()));
    expect(await password(address, newId())).toMatchObject({ allowed: true, remaining: 9 });
    expect((await login(address, newId())).allowed).toBe(false);
  });

  it("uses at most 256 objects of each kind, regardless of the emails that callers guess", async () => {
    const { objects, deps: noting } = await notingLimiter();
    for (let n = 0; n < 2_000; n++)
      await takeLoginTry(ctxOf({ kind: "anonymous" }, "", noting), `guess${n}@any.test`);
    expect(objects.size).toBeGreaterThan(250);
    expect(objects.size).toBeLessThanOrEqual(256);
  });
});

describe("a registration", () => {
  it("counts by address if registration is open: 10 a minute", async () => {
    const address = newAddress();
    const verdicts = await times(12, async () => {
      const verdict = await takeRegistration(stranger(address));
      if (!verdict) throw new Error("the registration was not counted");
      return verdict;
    });
    expect(passed(verdicts)).toBe(10);
    expect(await takeRegistration(stranger(newAddress()))).toMatchObject({ remaining: 9 });
    expect((await takeLoginTry(stranger(address), newId())).allowed).toBe(true);
  });

  it("is not counted without an address, or if registration is closed", async () => {
    expect(await takeRegistration(stranger(""))).toBeUndefined();
    const closed = await createService({ DEPLOYMENT_MODE: "self_hosted" }).deps();
    const ctx = ctxOf({ kind: "anonymous" }, newAddress(), closed);
    expect(await takeRegistration(ctx)).toBeUndefined();
  });
});

describe("a limiter that does not answer", () => {
  it("blocks every call except read-only ones, and is logged with the bucket", async () => {
    const log = vi.spyOn(console, "error").mockReturnValue();
    const ctx = ctxOf({ kind: "anonymous" }, ADDRESS, await silentLimiter());
    const unavailable = expect.objectContaining({ code: "rate_limiter_unavailable" });
    await expect(consumeRateLimit(ctx, newId(), "send")).rejects.toEqual(unavailable);
    await expect(takeSubscriberMail(ctx, newId(), "ann@a.test")).rejects.toEqual(unavailable);
    const lines = log.mock.calls.map(([line]) => JSON.parse(String(line)) as object);
    expect(lines).toEqual(
      ["send", "pending_mail"].map((bucket) => ({
        level: "error",
        event: "limiter_failed",
        bucket,
        error: "overloaded",
      })),
    );
    expect(await consumeReadLimit(ctx, newId(), "keyed_read")).toBeUndefined();
  });

  it("is used for a read like for any other call while it responds", async () => {
    const id = newId();
    await consumeReadLimit(stranger(), id, "keyed_read");
    expect(await consumeReadLimit(stranger(), id, "keyed_read")).toMatchObject({ remaining: 58 });
  });
});
