/* Rules that need neither a database nor a socket, as tables: refusals, retries, limits, signatures. */
import { createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { App } from "../src/app.ts";
import { importSealingKey, seal } from "../src/lib/seal.ts";
import { classifyRefusal } from "../src/mail/bounce/classify-refusal.ts";
import type { RecipientResult } from "../src/mail/smtp/index.ts";
import { backoffAfter, LAST_PASS } from "../src/services/broadcasts/passes.ts";
import {
  outcomeOf,
  outcomesOf,
  suppressedOutcome,
  suppressionsOf,
} from "../src/services/delivery/outcome.ts";
import { counterAt, MAX_IP_COUNTERS, type IpCounters } from "../src/services/limits/ip-counters.ts";
import { judgeEstimate } from "../src/services/limits/sliding-estimate.ts";
import { judgeHit, strictest, type Verdict } from "../src/services/limits/sliding-window.ts";
import { MAX_ATTEMPTS, outcomeOf as webhookOutcome } from "../src/services/webhooks/outcome.ts";
import { openSigner, secretContext } from "../src/services/webhooks/sign.ts";

const NOW = Date.UTC(2026, 8, 9, 8, 0);
const EMAIL = "ann@example.com";

describe("a refusal", () => {
  it.each([
    [550, "5.1.1", "bad_address"],
    [550, undefined, "bad_address"],
    [551, undefined, "bad_address"],
    [550, "5.2.1", "bad_address"],
    [550, "5.5.0", "bad_address"],
    [500, undefined, "not_address"],
    [502, undefined, "not_address"],
    [503, undefined, "not_address"],
    [504, undefined, "not_address"],
    [530, undefined, "not_address"],
    [534, undefined, "not_address"],
    [535, undefined, "not_address"],
    [538, undefined, "not_address"],
    [552, undefined, "not_address"],
    [500, "5.1.1", "bad_address"],
    [550, "5.2.2", "not_address"],
    [550, "5.2.20", "bad_address"],
    [550, "5.3.0", "not_address"],
    [550, "5.4.1", "not_address"],
    [550, "5.6.0", "not_address"],
    [550, "5.7.1", "not_address"],
    [550, "5.30.1", "bad_address"],
    [550, "4.7.1", "temporary"],
    [450, "4.2.0", "temporary"],
    [499, undefined, "temporary"],
    [450, "5.1.1", "temporary"],
  ] as const)("of the recipient with %s %s is %s", (code, enhanced, expected) => {
    expect(classifyRefusal({ phase: "recipient", code, enhanced })).toBe(expected);
  });

  it.each([
    [550, "5.1.1", "bad_address"],
    [550, "5.10.1", "not_address"],
    [550, "5.2.1", "not_address"],
    [550, undefined, "not_address"],
    [554, "5.7.1", "not_address"],
    [550, "4.7.1", "temporary"],
    [451, undefined, "temporary"],
  ] as const)("of the message with %s %s is %s", (code, enhanced, expected) => {
    expect(classifyRefusal({ phase: "message", code, enhanced })).toBe(expected);
  });
});

describe("the outcome of an address", () => {
  const result = (changes: Partial<RecipientResult>): RecipientResult => ({
    address: EMAIL,
    outcome: "rejected",
    phase: "rcpt",
    error: "words",
    ...changes,
  });
  const reply = (code: number, enhanced?: string) => ({ code, enhanced, text: "" });
  const failed = { email: EMAIL, status: "failed", error: "words" };
  const bounced = { email: EMAIL, status: "bounced", error: "words" };

  it.each<[string, Partial<RecipientResult>, object]>([
    [
      "accepted is sent",
      { outcome: "accepted", phase: "body" },
      { email: EMAIL, status: "sent", error: null },
    ],
    ["refused at RCPT TO is bounced", { reply: reply(550) }, bounced],
    ["refused at RCPT TO by policy is failed", { reply: reply(550, "5.7.1") }, failed],
    [
      "refused at RCPT TO with a temporary enhanced code is failed",
      { reply: reply(550, "4.7.1") },
      failed,
    ],
    ["refused after DATA is failed", { phase: "data", reply: reply(550) }, failed],
    [
      "refused after DATA with 5.1.x is bounced",
      { phase: "data", reply: reply(550, "5.1.1") },
      bounced,
    ],
    ["refused after the message is failed", { phase: "body", reply: reply(554) }, failed],
    [
      "refused after the message with 5.1.x is bounced",
      { phase: "body", reply: reply(554, "5.1.2") },
      bounced,
    ],
    ["refused at MAIL FROM is failed", { phase: "mail", reply: reply(550, "5.1.1") }, failed],
    ["that we cannot carry is failed", {}, failed],
    [
      "whose outcome is unknown is failed and says so",
      { outcome: "unknown", phase: "body", reply: reply(550) },
      { ...failed, error: "outcome unknown: words" },
    ],
    [
      "put off may be tried again",
      { outcome: "deferred", reply: reply(450) },
      { ...failed, isTransient: true, isSlowDown: false },
    ],
    [
      "put off without an answer may be tried again",
      { outcome: "deferred" },
      { ...failed, isTransient: true, isSlowDown: false },
    ],
    [
      "put off with 421 may be tried again, slowly",
      { outcome: "deferred", reply: reply(421) },
      { ...failed, isTransient: true, isSlowDown: true },
    ],
    [
      "put off with 454 may be tried again, slowly",
      { outcome: "deferred", reply: reply(454) },
      { ...failed, isTransient: true, isSlowDown: true },
    ],
    [
      "not sent may be tried again, slowly",
      { outcome: "not_sent", phase: "connect" },
      { ...failed, isTransient: true, isSlowDown: true, isLoginRefused: false },
    ],
    [
      "not sent because the login was refused for good says so",
      { outcome: "not_sent", phase: "auth", reply: reply(500) },
      { ...failed, isTransient: true, isSlowDown: true, isLoginRefused: true },
    ],
    [
      "not sent because the login was put off may be tried again",
      { outcome: "not_sent", phase: "auth", reply: reply(454) },
      { ...failed, isTransient: true, isSlowDown: true, isLoginRefused: false },
    ],
    [
      "not sent because the login had no answer may be tried again",
      { outcome: "not_sent", phase: "auth" },
      { ...failed, isTransient: true, isSlowDown: true, isLoginRefused: false },
    ],
    [
      "not sent after a refusal of something else is no refused login",
      { outcome: "not_sent", phase: "mail", reply: reply(550) },
      { ...failed, isTransient: true, isSlowDown: true, isLoginRefused: false },
    ],
  ])("%s", (_, changes, expected) => {
    expect(outcomeOf(result(changes))).toEqual(expected);
  });

  it("of a mail tells the main address from its copies", () => {
    const recipients = [result({ address: "copy@example.com" }), result({})];
    expect(outcomesOf(EMAIL, { recipients, sessionUsable: true })).toEqual({
      main: failed,
      copies: [{ ...failed, email: "copy@example.com" }],
    });
    expect(outcomesOf(EMAIL, { recipients: [], sessionUsable: true })).toEqual({
      main: { ...failed, error: "the address was not sent to" },
      copies: [],
    });
  });

  it("suppresses an address only if it bounced", () => {
    const outcomes = [
      outcomeOf(result({ reply: reply(550), error: "550 gone" })),
      outcomeOf(result({ reply: reply(550, "5.7.1") })),
      suppressedOutcome("off@example.com"),
    ];
    expect(outcomes[2]).toEqual({
      email: "off@example.com",
      status: "suppressed",
      error: "the address is on the suppression list",
    });
    expect(suppressionsOf(outcomes)).toEqual([
      { email: EMAIL, reason: "hard_bounce", source: "smtp: 550 gone" },
    ]);
    expect(suppressionsOf([{ email: EMAIL, status: "bounced", error: null }])).toEqual([
      { email: EMAIL, reason: "hard_bounce", source: "smtp" },
    ]);
  });
});

describe("a retry", () => {
  it("of a broadcast comes after half a minute, two minutes and ten", () => {
    expect([0, 1, 2, 3, 9].map(backoffAfter)).toEqual([30_000, 120_000, 600_000, 600_000, 600_000]);
    expect(LAST_PASS).toBe(3);
  });

  it.each([
    [1, 30],
    [2, 120],
    [3, 600],
    [4, 1_800],
  ])("of a webhook's delivery comes after attempt %i in %i s", (attempt, seconds) => {
    const result = { kind: "failed", statusCode: 500, error: "words", ranOut: false } as const;
    expect(webhookOutcome("id", attempt, result, NOW)).toEqual({
      id: "id",
      status: "pending",
      code: 500,
      error: "words",
      dueAt: NOW + seconds * 1_000,
      deliveredAt: null,
    });
  });

  it.each([5, 6])("of a webhook's delivery never comes after attempt %i", (attempt) => {
    const result = { kind: "failed", statusCode: null, error: "words", ranOut: false } as const;
    expect(webhookOutcome("id", attempt, result, NOW)).toEqual({
      id: "id",
      status: "failed",
      code: null,
      error: "words",
      dueAt: null,
      deliveredAt: null,
    });
    expect(MAX_ATTEMPTS).toBe(5);
  });

  it("of a webhook's delivery never comes after a success", () => {
    const result = { kind: "delivered", statusCode: 204, ranOut: false } as const;
    expect(webhookOutcome("id", 1, result, NOW)).toEqual({
      id: "id",
      status: "delivered",
      code: 204,
      error: null,
      dueAt: null,
      deliveredAt: NOW,
    });
  });
});

describe("the signature of a webhook's body", () => {
  it("is the HMAC of the whole second and the body, keyed with the text of the secret", async () => {
    const current = await importSealingKey(new Uint8Array(32).fill(1));
    const app = { config: { sealingKeys: { current, previous: undefined } } } as unknown as App;
    const sealed = await seal({ current, previous: undefined }, "whsec_é", secretContext("one"));
    const sign = await openSigner(app, "one", sealed);
    const body = '{"text":"日本"}';
    const mac = createHmac("sha256", "whsec_é").update(`1788940799.${body}`).digest("hex");
    expect(await sign(body, 1_788_940_799_999)).toBe(`t=1788940799,v1=${mac}`);
    await expect(openSigner(app, "two", sealed)).rejects.toThrow();
  });
});

describe("an estimated limit", () => {
  const LIMIT = { limit: 10, windowMs: 1_000 };
  const judge = (current: number, before: number, ms: number): Verdict =>
    ms < 1_000 ? judgeEstimate(LIMIT, { current, before }, ms) : judge(0, current, ms - 1_000);

  it("names the first moment at which the next request passes, whatever came before", () => {
    fc.assert(
      fc.property(fc.nat(20), fc.nat(20), fc.nat(999), (current, before, ms) => {
        const { allowed, resetMs } = judge(current, before, ms);
        expect(allowed).toBe(current * 1_000 + before * (1_000 - ms) <= 9_000);
        if (allowed) return;
        expect(judge(current, before, ms + resetMs - 1).allowed).toBe(false);
        expect(judge(current, before, ms + resetMs).allowed).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    [0, 0, 0, 9, 1_000],
    [9, 0, 400, 0, 600],
    [0, 10, 500, 4, 500],
    [3, 10, 501, 1, 499],
  ])(
    "after %i hits, and %i in the window before, at %i ms leaves %i for %i ms",
    (current, before, ms, remaining, resetMs) => {
      expect(judge(current, before, ms)).toEqual({ allowed: true, limit: 10, remaining, resetMs });
    },
  );

  it.each([
    [10, 0, 400, 700],
    [0, 10, 0, 100],
    [5, 10, 500, 100],
    [20, 0, 0, 1_550],
  ])(
    "after %i hits, and %i in the window before, refuses at %i ms for %i ms",
    (current, before, ms, resetMs) => {
      const refusal = { allowed: false, limit: 10, remaining: 0, resetMs };
      expect(judge(current, before, ms)).toEqual(refusal);
    },
  );
});

describe("an exact limit", () => {
  it("of no hits at all refuses for a window", () => {
    expect(judgeHit({ limit: 0, windowMs: 1_000 }, [], NOW).verdict).toEqual({
      allowed: false,
      limit: 0,
      remaining: 0,
      resetMs: 1_000,
    });
  });
});

describe("the verdict over several limits", () => {
  const verdict = (allowed: boolean, remaining: number, resetMs: number): Verdict => ({
    allowed,
    limit: 10,
    remaining,
    resetMs,
  });

  it.each([
    ["the refusal", verdict(false, 0, 1), verdict(true, 0, 9)],
    ["the refusal that lasts longest", verdict(false, 0, 9), verdict(false, 5, 8)],
    ["what leaves least", verdict(true, 1, 1), verdict(true, 2, 9)],
  ])("is %s, in any order", (_, counts, other) => {
    expect(strictest([counts, other])).toBe(counts);
    expect(strictest([other, counts])).toBe(counts);
    expect(strictest([counts])).toBe(counts);
  });

  it("is the first of equals", () => {
    for (const allowed of [true, false]) {
      const first = verdict(allowed, 1, 1);
      expect(strictest([first, { ...first }])).toBe(first);
    }
  });
});

describe("the counters of client addresses", () => {
  const MINUTE = 60_000;

  it("begin empty, and carry the hits of one minute into the next and no further", () => {
    const counters: IpCounters = new Map();
    const counter = counterAt(counters, "a", NOW);
    expect(counter).toEqual({
      minute: NOW / MINUTE,
      own: { current: 0, before: 0 },
      others: { current: 0, before: 0 },
      unshared: 0,
      nextShareMs: 0,
      id: undefined,
    });
    counter.own.current = 3;
    counter.others.current = 4;
    counter.unshared = 2;
    expect(counterAt(counters, "a", NOW + MINUTE - 1)).toBe(counter);
    expect(counter).toMatchObject({ own: { current: 3 }, unshared: 2 });
    expect(counterAt(counters, "a", NOW - MINUTE)).toBe(counter); // a clock may go back
    expect(counter).toMatchObject({ minute: NOW / MINUTE, own: { current: 3, before: 0 } });
    expect(counterAt(counters, "a", NOW + MINUTE)).toBe(counter);
    expect(counter).toMatchObject({
      minute: NOW / MINUTE + 1,
      own: { current: 0, before: 3 },
      others: { current: 0, before: 4 },
      unshared: 0,
    });
    counter.own.current = 5;
    counterAt(counters, "a", NOW + 3 * MINUTE);
    expect(counter).toMatchObject({
      minute: NOW / MINUTE + 3,
      own: { current: 0, before: 0 },
      others: { current: 0, before: 0 },
    });
    expect([...counters.keys()]).toEqual(["a"]);
  });

  it("are at most 10,000: the one that was moved longest ago makes way", () => {
    expect(MAX_IP_COUNTERS).toBe(10_000);
    const counters: IpCounters = new Map();
    for (let n = 0; n < MAX_IP_COUNTERS; n++) counterAt(counters, `${n}`, NOW);
    counterAt(counters, "0", NOW + MINUTE);
    expect(counters.size).toBe(MAX_IP_COUNTERS);
    counterAt(counters, "new", NOW + MINUTE);
    expect(counters.size).toBe(MAX_IP_COUNTERS);
    expect([counters.has("0"), counters.has("1"), counters.has("2")]).toEqual([true, false, true]);
  });
});
