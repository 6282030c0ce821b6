/* Tables for rules without database or socket: refusals, retries, limits, signatures. */
import { createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Deps } from "../src/deps.ts";
import { importSealingKey, seal } from "../src/lib/seal.ts";
import { broadcastReason } from "../src/messages/broadcast-reasons.ts";
import type { RecipientResult } from "../src/mail/smtp/index.ts";
import { backoffAfter, LAST_ATTEMPT } from "../src/services/mailing/sources/broadcast/attempts.ts";
import {
  outcomeOf,
  outcomesOf,
  suppressedOutcome,
  suppressionsOf,
} from "../src/services/mailing/outcome.ts";
import { counterAt, MAX_IP_COUNTERS, type IpCounters } from "../src/services/limits/ip-counters.ts";
import { judgeEstimate } from "../src/services/limits/sliding-estimate.ts";
import { judgeHit, strictest, type Slot, type Verdict } from "../src/lib/sliding-window.ts";
import { classifyUserAgent, isProgram } from "../src/services/tracking/classify-visitor.ts";
import { MAX_ATTEMPTS, outcomeOf as webhookOutcome } from "../src/services/webhooks/outcome.ts";
import { openSigner, secretContext } from "../src/services/webhooks/sign.ts";
import { MINUTE } from "./support/times.ts";

const NOW = Date.UTC(2026, 8, 9, 8, 0);
const EMAIL = "ann@example.com";

describe("a recipient", () => {
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
    [
      "refused at RCPT TO is bounced",
      { reply: reply(550) },
      { ...bounced, reason: "user_unknown" },
    ],
    [
      "refused at RCPT TO by policy is failed",
      { reply: reply(550, "5.7.1") },
      { ...failed, reason: "policy" },
    ],
    [
      "refused at RCPT TO with a temporary enhanced code is failed",
      { reply: reply(550, "4.7.1") },
      { ...failed, reason: "policy" },
    ],
    [
      "refused after DATA is failed",
      { phase: "data", reply: reply(550) },
      { ...failed, reason: "unknown" },
    ],
    [
      "refused after DATA with 5.1.x is bounced",
      { phase: "data", reply: reply(550, "5.1.1") },
      { ...bounced, reason: "user_unknown" },
    ],
    [
      "refused after the message is failed",
      { phase: "body", reply: reply(554) },
      { ...failed, reason: "unknown" },
    ],
    [
      "refused after the message with 5.1.x is bounced",
      { phase: "body", reply: reply(554, "5.1.2") },
      { ...bounced, reason: "host_unknown" },
    ],
    [
      "refused at MAIL FROM is failed",
      { phase: "mail", reply: reply(550, "5.1.1") },
      { ...failed, reason: "sender_rejected" },
    ],
    [
      "refused at RCPT TO because of the sender is failed, whatever the code",
      { reply: { ...reply(550, "5.1.1"), text: "Sender address rejected: Domain not found" } },
      { ...failed, reason: "sender_rejected" },
    ],
    ["that we cannot carry is failed", {}, failed],
    [
      "whose outcome is unknown is failed, with that reason",
      { outcome: "unknown", phase: "body", reply: reply(550) },
      { ...failed, error: "outcome unknown: words" },
    ],
  ])("%s", (_, changes, expected) => {
    expect(outcomeOf(result(changes), false)).toEqual({ outcome: expected, retry: null });
  });

  const said = broadcastReason("server_error", { reply: "words" });
  const deferred = (isSlow: boolean) => ({ kind: "deferred", isSlow, said });
  const noSession = (isLoginRefused: boolean) => ({ kind: "no_session", isLoginRefused, said });

  it.each<[string, Partial<RecipientResult>, object, { reason?: string }?]>([
    [
      "deferred",
      { outcome: "deferred", reply: reply(450) },
      deferred(false),
      { reason: "unknown" },
    ],
    ["deferred without an answer", { outcome: "deferred" }, deferred(false)],
    [
      "deferred with 421, slowly",
      { outcome: "deferred", reply: reply(421) },
      deferred(true),
      { reason: "unknown" },
    ],
    [
      "deferred with 454, slowly",
      { outcome: "deferred", reply: reply(454) },
      deferred(true),
      { reason: "unknown" },
    ],
    ["not sent", { outcome: "not_sent", phase: "connect" }, noSession(false)],
    [
      "not sent because of a permanently refused login",
      { outcome: "not_sent", phase: "auth", reply: reply(500) },
      noSession(true),
    ],
    [
      "not sent because the login was deferred",
      { outcome: "not_sent", phase: "auth", reply: reply(454) },
      noSession(false),
    ],
    [
      "not sent because the login had no answer",
      { outcome: "not_sent", phase: "auth" },
      noSession(false),
    ],
    [
      "not sent after a refusal of something else",
      { outcome: "not_sent", phase: "mail", reply: reply(550) },
      deferred(true),
    ],
  ])("%s may be tried again", (_, changes, retry, more = {}) => {
    const outcome = { ...failed, ...more };
    expect(outcomeOf(result(changes), false)).toEqual({ outcome, retry });
  });

  it.each([
    [{ phase: "rcpt", reply: reply(550, "5.7.1") }, "bounced"],
    [{ phase: "rcpt", reply: reply(552, "5.2.2") }, "bounced"],
    [{ phase: "rcpt", reply: reply(550, "4.2.0") }, "failed"],
    [{ phase: "mail", reply: reply(550, "5.7.1") }, "failed"],
    [{ phase: "body", reply: reply(554, "5.7.1") }, "failed"],
    [{ outcome: "deferred", phase: "rcpt", reply: reply(450, "4.2.0") }, "failed"],
    [{ outcome: "not_sent", phase: "auth", reply: reply(535, "5.7.8") }, "failed"],
  ] as const)(
    "suppresses on any 5xx to RCPT TO alone, where that is wanted: %j",
    (changes, status) => {
      expect(outcomeOf(result(changes), true).outcome.status).toBe(status);
    },
  );

  const LENIENT = { suppressOnAny5xx: false };

  it("is either the main address of a mail or one of its copies", () => {
    const recipients = [result({ address: "copy@example.com" }), result({})];
    const sent = (of: typeof recipients) => {
      const all = { recipients: of, sessionUsable: true };
      return outcomesOf(EMAIL, { result: all, role: undefined }, LENIENT);
    };
    expect(sent(recipients)).toEqual({
      main: failed,
      copies: [{ ...failed, email: "copy@example.com" }],
      retry: null,
    });
    const main = { ...failed, error: "the address was not sent to" };
    expect(sent([])).toEqual({ main, copies: [], retry: null });
  });

  it("is suppressed only after a bounce", () => {
    const outcomes = [
      outcomeOf(result({ reply: reply(550), error: "550 gone" }), false).outcome,
      outcomeOf(result({ reply: reply(550, "5.7.1") }), false).outcome,
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
  it("of a broadcast comes after half a minute, two minutes and ten minutes", () => {
    expect([0, 1, 2, 3].map(backoffAfter)).toEqual([30_000, 120_000, 600_000, 600_000]);
    expect(LAST_ATTEMPT).toBe(3);
  });

  const WORDS = { body: "words", isComplete: true };

  it.each([
    [1, 30],
    [2, 120],
    [3, 600],
    [4, 1_800],
  ])("of a webhook delivery comes after attempt %i in %i s", (attempt, seconds) => {
    const result = {
      kind: "failed",
      statusCode: 500,
      error: "words",
      answer: WORDS,
      ranOut: false,
    } as const;
    expect(webhookOutcome("id", attempt, result, NOW)).toEqual({
      id: "id",
      status: "pending",
      code: 500,
      error: "words",
      answer: WORDS,
      dueAt: NOW + seconds * 1_000,
      deliveredAt: null,
    });
  });

  it.each([5, 6])("of a webhook delivery never comes after attempt %i", (attempt) => {
    const result = {
      kind: "failed",
      statusCode: null,
      error: "words",
      answer: null,
      ranOut: false,
    } as const;
    expect(webhookOutcome("id", attempt, result, NOW)).toEqual({
      id: "id",
      status: "failed",
      code: null,
      error: "words",
      answer: null,
      dueAt: null,
      deliveredAt: null,
    });
    expect(MAX_ATTEMPTS).toBe(5);
  });

  it("of a webhook delivery never comes after a success", () => {
    const result = { kind: "delivered", statusCode: 204, answer: WORDS, ranOut: false } as const;
    expect(webhookOutcome("id", 1, result, NOW)).toEqual({
      id: "id",
      status: "delivered",
      code: 204,
      error: null,
      answer: WORDS,
      dueAt: null,
      deliveredAt: NOW,
    });
  });
});

describe("the signatures of a webhook's body", async () => {
  const current = await importSealingKey(new Uint8Array(32).fill(1));
  const sealingKeys = { current, previous: undefined };
  const deps = { config: { sealingKeys } } as unknown as Deps;
  const sealed = (secret: string) => seal(sealingKeys, secret, secretContext("one"));

  it("are the HMAC of the whole second and the body, with the text of the secret as the key", async () => {
    const secret = await sealed("whsec_é");
    const sign = await openSigner(deps, "one", secret);
    const body = '{"text":"日本"}';
    const mac = createHmac("sha256", "whsec_é").update(`1788940799.${body}`).digest("hex");
    expect(await sign({ id: "one", body }, 1_788_940_799_999)).toMatchObject({
      "X-Service-Signature": `t=1788940799,v1=${mac}`,
    });
    await expect(openSigner(deps, "two", secret)).rejects.toThrow();
  });

  it("and that of Standard Webhooks, as its libraries compute it", async () => {
    // https://docs.svix.com/receiving/verifying-payloads/how-manual
    const sign = await openSigner(deps, "one", await sealed("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"));
    const event = { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", body: '{"test": 2432232314}' };
    expect(await sign(event, 1_614_265_330_000)).toMatchObject({
      "webhook-id": event.id,
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    });
  });
});

describe("an estimated limit", () => {
  const LIMIT = { limit: 10, windowMs: 1_000 };
  const judge = (current: number, before: number, ms: number): Verdict =>
    ms < 1_000 ? judgeEstimate(LIMIT, { current, before }, ms) : judge(0, current, ms - 1_000);

  it("names the first moment at which the next request passes, after any hits", () => {
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
  const WINDOW_MS = 1_000;
  const pauses = fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 60 });

  it("never passes more than its limit in any window, and frees a place less than 100 ms late", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), pauses, (limit, gaps) => {
        let now = NOW;
        let slots: Slot[] = [];
        const passed: number[] = [];
        const newerThan = (ageMs: number) => passed.filter((at) => at > now - ageMs).length;
        for (const gap of gaps) {
          now += gap;
          const { verdict, slots: next } = judgeHit({ limit, windowMs: WINDOW_MS }, slots, now);
          if (verdict.allowed) passed.push(now);
          else expect(newerThan(WINDOW_MS + 100)).toBeGreaterThanOrEqual(limit);
          expect(newerThan(WINDOW_MS)).toBeLessThanOrEqual(limit);
          expect(verdict.limit).toBe(limit);
          expect(verdict.remaining).toBeLessThanOrEqual(limit - newerThan(WINDOW_MS));
          expect(verdict.remaining).toBe(limit - next.reduce((sum, [, hits]) => sum + hits, 0));
          slots = next;
        }
      }),
    );
  });

  it("passes a refused hit after exactly the time it names, and no earlier", () => {
    const limits = fc.integer({ min: 1, max: 8 });
    fc.assert(
      fc.property(limits, limits, pauses, (limit, less, gaps) => {
        let now = NOW;
        let slots: Slot[] = [];
        const judge = (most: number, at: number) =>
          judgeHit({ limit: most, windowMs: WINDOW_MS }, slots, at);
        for (const gap of gaps) {
          now += gap;
          slots = judge(limit, now).slots;
          for (const most of [limit, Math.min(limit, less)]) {
            const { allowed, resetMs } = judge(most, now).verdict;
            expect(resetMs).toBeGreaterThan(0);
            expect(resetMs).toBeLessThanOrEqual(WINDOW_MS);
            if (allowed) continue;
            expect(judge(most, now + resetMs).verdict.allowed).toBe(true);
            expect(judge(most, now + resetMs - 1).verdict.allowed).toBe(false);
          }
        }
      }),
    );
  });

  it("keeps at most 601 slots a minute, however many hits there are", () => {
    let slots: Slot[] = [];
    for (let ms = 0; ms < 70_000; ms += 7)
      slots = judgeHit({ limit: 10_000, windowMs: 60_000 }, slots, NOW + ms).slots;
    expect(slots.length).toBeGreaterThan(590);
    expect(slots.length).toBeLessThanOrEqual(601);
    expect(slots.reduce((sum, [, hits]) => sum + hits, 0)).toBeGreaterThan(8_560);
  });

  it("refuses for at most a window after the clock goes back", () => {
    const limit = { limit: 1, windowMs: WINDOW_MS };
    const { slots } = judgeHit(limit, [], NOW + 3_600_000);
    const { verdict, slots: known } = judgeHit(limit, slots, NOW);
    expect(verdict).toMatchObject({ allowed: false, resetMs: WINDOW_MS });
    expect(judgeHit(limit, known, NOW + WINDOW_MS).verdict.allowed).toBe(true);
  });

  it("of zero hits refuses for a whole window", () => {
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

  it("is the first of several equal ones", () => {
    for (const allowed of [true, false]) {
      const first = verdict(allowed, 1, 1);
      expect(strictest([first, { ...first }])).toBe(first);
    }
  });
});

describe("the counters of client addresses", () => {
  it("start empty and carry the hits of one minute into the next and no further", () => {
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

  it("hold at most 10,000 addresses and drop the one that changed longest ago", () => {
    expect(MAX_IP_COUNTERS).toBe(10_000);
    const counters: IpCounters = new Map();
    for (let n = 0; n < MAX_IP_COUNTERS; n++) counterAt(counters, `${n}`, NOW);
    const known = () => ["0", "1", "2"].filter((key) => counters.has(key));
    counterAt(counters, "1", NOW + MINUTE);
    expect([counters.size, known()]).toEqual([MAX_IP_COUNTERS, ["0", "1", "2"]]);
    counterAt(counters, "new", NOW + MINUTE);
    expect([counters.size, known()]).toEqual([MAX_IP_COUNTERS, ["1", "2"]]);
    counterAt(counters, "newer", NOW + MINUTE);
    expect([counters.size, known()]).toEqual([MAX_IP_COUNTERS, ["1"]]);
    for (let n = 0; n < 30_000; n++) counterAt(counters, `more-${n}`, NOW + MINUTE);
    expect(counters.size).toBe(MAX_IP_COUNTERS);
  });
});

describe("a user agent", () => {
  const LINUX = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36";
  const IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15";

  it.each([
    ["Mozilla/5.0", "prefetch"],
    [" MOZILLA/5.0 ", "prefetch"],
    [
      "Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 6.1; via ggpht.com GoogleImageProxy)",
      "prefetch",
    ],
    ["something via ggpht.com", "prefetch"],
    ["GoogleImageProxy", "prefetch"],
    ["YahooMailProxy", "prefetch"],
    ["SeznamEmailProxy", "prefetch"],
    ["Mozilla/5.0 (compatible; Proofpoint) Gecko", "scanner"],
    ["Googlebot/2.1", "scanner"],
    ["Googlebot", "scanner"],
    ["Mozilla/5.0 (X11; Linux) Gecko robotics", "human"],
    ["Mozilla/5.0 (Linux; CUBOT X30) AppleWebKit/537.36", "human"],
    ["Crawler", "scanner"],
    ["Baiduspider", "scanner"],
    ["Yahoo! Slurp", "scanner"],
    ["url scanner", "scanner"],
    ["HeadlessChrome", "scanner"],
    ["PhantomJS", "scanner"],
    ["facebookexternalhit/1.1", "scanner"],
    ["LinkExpanding", "scanner"],
    ["LinkPreview", "scanner"],
    ["Link Preview", "scanner"],
    ["URLPreview", "scanner"],
    ["URL Preview", "scanner"],
    ["BingPreview/1.0", "scanner"],
    ["MicrosoftPreview/2.0", "scanner"],
    ["Preview/0.5", "unknown"],
    ["Chrome/119.0 Chrome-Lighthouse", "scanner"],
    ["Playwright/1.40", "scanner"],
    ["Slack-ImgProxy (+https://api.slack.com/robots)", "scanner"],
    ["Iframely/1.3.1 (+https://iframely.com/docs/about)", "scanner"],
    ["Mozilla/5.0 (compatible; Embedly/0.2; +http://support.embed.ly/)", "scanner"],
    ["vkShare; (+http://vk.com/dev/Share)", "scanner"],
    ["Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5", "scanner"],
    [`${LINUX} (KHTML, like Gecko; Google Web Preview) Chrome/41.0 Safari/537.36`, "scanner"],
    ["Mozilla/5.0 (compatible; MSIE 9.0; Trident/5.0); bluecoat drtr", "scanner"],
    ["WhatsApp/2.23", "scanner"],
    ["WhatsApp", "unknown"],
    ["Mozilla/4.0 (compatible; MSIE 8.0)", "human"],
    ["Mozilla/5.0 (Windows NT 6.1; Trident/7.0)", "human"],
    ["Mozilla/5.0 (Opera) Presto/2.12", "human"],
    ["Mozilla/5.0 (Windows) Gecko/20100101", "human"],
    ["Mozilla/6.0 (Windows) Gecko", "unknown"],
    ["Mozilla/5.0 Gecko", "unknown"],
    ["Mozilla/5.0 (Gecko)", "human"],
    ["Mozilla/5.0 (Windows)", "unknown"],
    ["x Mozilla/5.0 (Windows) Gecko", "unknown"],
    ["Microsoft Outlook 16", "human"],
    ["Thunderbird/128", "human"],
    ["Microsoft Office/16", "human"],
    ["MyMail/1 CFNetwork/1494", "human"],
    ["Dalvik/2.1.0", "human"],
    ["x Dalvik/2.1.0", "unknown"],
    ["Dalvik", "unknown"],
    ["Opera/9.80", "human"],
    ["x Opera/9.80", "unknown"],
    ["Opera", "unknown"],
    ["curl/8.5.0", "unknown"],
    ["", "unknown"],
  ])("of %s is %s", (userAgent, expected) => {
    expect(classifyUserAgent(userAgent)).toBe(expected);
  });

  it.each([
    ["Microsoft Outlook 16.0.5071 (MSOffice 16)"],
    ["Outlook-Android/2.0"],
    ["Outlook-iOS/709.2226530.prod.iphone (3.24.1)"],
    ["YahooMail/7.21.1 CFNetwork/1335.0.3 Darwin/21.6.0"],
    ["Mozilla/5.0 (Windows NT 10.0; rv:128.0) Gecko/20100101 Thunderbird/128.3.0"],
    [`${IPHONE} (KHTML, like Gecko) Mobile/15E148 YahooMobileMail/6.30.2`],
    [`${IPHONE} (KHTML, like Gecko) Mobile/15E148 DuckDuckGo/7 Safari/605.1.15`],
    [`${IPHONE} (KHTML, like Gecko) GSA/320.0 Mobile/15E148 Safari/604.1`],
    [`${LINUX} (KHTML, like Gecko) Version/4.0 Chrome/110.0 Mobile Safari/537.36 Mail.Ru/14.60`],
    [`${LINUX} (KHTML, like Gecko) Chrome/121.0 SamsungBrowser/25.0 Mobile Safari/537.36`],
  ])("of a mail program or a browser is human: %s", (userAgent) => {
    expect(classifyUserAgent(userAgent)).toBe("human");
  });

  it("of a prefetch or a scanner is a program's in any letter case, and no other agent is one", () => {
    for (const name of ["Barracuda", "MIMECAST", "x zscaler y", "Googlebot", "Mozilla/5.0"])
      expect(isProgram(name)).toBe(true);
    for (const name of ["Mozilla/5.0 (Windows) Gecko", "curl/8.5.0", ""])
      expect(isProgram(name)).toBe(false);
  });
});
