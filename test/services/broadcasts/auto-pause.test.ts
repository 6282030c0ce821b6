/* Auto-pause of a broadcast: it pauses itself when its outcomes say that list or sender is bad. */
import { serverError } from "../../support/refusals.ts";
import { describe, expect, it } from "vitest";
import { runScheduled } from "../../../src/cron/run-scheduled.ts";
import type { AutoPauseLimits } from "../../../src/db/schema/index.ts";
import {
  final,
  type AddressOutcome,
  type MailOutcome,
} from "../../../src/services/mailing/outcome.ts";
import {
  pauseByItself,
  pauseReason,
  selectBroadcast,
} from "../../../src/services/broadcasts/index.ts";
import { openAutoPause } from "../../../src/services/mailing/sources/broadcast/auto-pause.ts";
import { handleReports } from "../../../src/services/bounces/handle-reports.ts";
import { complaintReport } from "../../support/bounce-reports.ts";
import { hasNobodyTwice, launched, scenario } from "../../support/broadcasting.ts";
import { allRows, insertRow } from "../../support/rows.ts";
import { CAPTURING, unique, type Client } from "../../support/service.ts";
import { EVERY_MINUTE } from "../../support/times.ts";

const LIMITS: AutoPauseLimits = {
  badAddressPct: 5,
  senderRefusalPct: 10,
  senderRefusalsInARow: 20,
  complaintPct: 0.3,
  canaryFirst: true,
};
const SENT: AddressOutcome = { email: "a@b.test", status: "sent", error: null };
const BAD: AddressOutcome = { ...SENT, status: "bounced", error: "550 no", reason: "user_unknown" };
const BLOCKED: AddressOutcome = { ...SENT, status: "failed", error: "554 no", reason: "blocked" };
const SUPPRESSED: AddressOutcome = { ...BAD, status: "suppressed" };
const POLICY: AddressOutcome = { ...BLOCKED, reason: "policy" };

const times = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one);
const TRIED_AGAIN = times<MailOutcome>(500, {
  ...final(BLOCKED),
  retry: { kind: "auto_paused" },
});

/** Lets an automatic pause see outcomes; returns the number after which it stopped, or null. */
function stoppedAfter(
  outcomes: (AddressOutcome | MailOutcome)[],
  limits: Partial<AutoPauseLimits> = {},
) {
  const autoPause = openAutoPause({ ...LIMITS, ...limits });
  for (const [index, outcome] of outcomes.entries()) {
    autoPause.note("main" in outcome ? outcome : final(outcome));
    if (autoPause.stopped() !== undefined) return index + 1;
  }
  return null;
}

/** Every nth outcome is `one`, the others are accepted mails. */
const everyNth = (nth: number, one: AddressOutcome, count: number) =>
  Array.from({ length: count }, (_, index) => ((index + 1) % nth === 0 ? one : SENT));

describe("an automatic pause stops a broadcast", () => {
  it.each([
    ["at the tenth bad address among the first 200", everyNth(20, BAD, 200), 200],
    ["at the 20th refusal for one reason among the first 200", everyNth(10, BLOCKED, 200), 200],
    ["at the 20th refusal for one sender-side reason in a row", times(30, BLOCKED), 20],
    ["not for fewer bad addresses", everyNth(21, BAD, 200), null],
    ["not for refusals of two reasons that alternate", everyNth(2, BLOCKED, 10), null],
    ["not for suppressed recipients", times(500, SUPPRESSED), null],
    ["not for mails that are tried again", TRIED_AGAIN, null],
    [
      "not for refusals without a sender-side reason",
      times<AddressOutcome>(50, { ...BLOCKED, reason: "system" }),
      null,
    ],
  ] as const)("%s", (_, outcomes, after) => {
    expect(stoppedAfter([...outcomes])).toBe(after);
  });

  it("at 5 % bad addresses or 10 % rejections of the last 1,000 outcomes", () => {
    const clean = times(200, SENT);
    expect(stoppedAfter([...clean, ...everyNth(20, BAD, 2_000)])).toBe(200 + 1_000);
    expect(stoppedAfter([...clean, ...everyNth(10, BLOCKED, 2_000)])).toBe(200 + 1_000);
    expect(stoppedAfter([...clean, ...everyNth(21, BAD, 5_000)])).toBeNull();
    expect(stoppedAfter([...clean, ...times(30, BAD)])).toBe(200 + 11); // of 211
  });

  it("counts only consecutive rejections without other outcomes in between", () => {
    const most = times(19, BLOCKED);
    expect(stoppedAfter([...most, SENT, ...most.slice(1)], { senderRefusalPct: 0 })).toBeNull();
    expect(stoppedAfter([...most, POLICY, ...most], { senderRefusalPct: 0 })).toBeNull();
  });

  it("with the server's reply, but without the address in it", () => {
    const autoPause = openAutoPause(LIMITS);
    const error = "554 5.7.1 <A@b.test>: no mail for a@b.test from you";
    for (const one of times(20, { ...BLOCKED, error })) autoPause.note(final(one));
    expect(autoPause.stopped()?.message).toBe(
      "the server rejected 20 emails in a row with the reason blocked: 554 5.7.1 <…>: no mail for … from you",
    );
  });

  it("and does not search the server's reply until then", () => {
    const autoPause = openAutoPause(LIMITS);
    let reads = 0;
    const watched = (one: AddressOutcome): AddressOutcome => ({
      ...one,
      get error() {
        reads += 1;
        return one.error;
      },
    });
    for (const one of [...times(400, SENT), ...times(19, BLOCKED)])
      autoPause.note(final(watched(one)));
    expect([autoPause.stopped()?.message, reads]).toEqual([undefined, 0]);
    autoPause.note(final(watched(BLOCKED)));
    expect([autoPause.stopped()?.message, reads]).toEqual([expect.stringContaining("554 no"), 1]);
  });

  it("with the rest of the reply, even if its letters are longer in lower case", () => {
    const autoPause = openAutoPause(LIMITS);
    const error = "550 KULLANICI İSTANBUL YOK <A+B@b.test>: İYİ GÜNLER";
    const refused = { ...BLOCKED, email: "a+b@b.test", error };
    for (const one of times(20, refused)) autoPause.note(final(one));
    expect(autoPause.stopped()?.message).toContain(" 550 KULLANICI İSTANBUL YOK <…>: İYİ GÜNLER");
  });

  it.each([
    ["bad_address", 9, 20, undefined],
    ["bad_address", 10, 20, "10 of 20 addresses do not exist: clean the list"],
    ["bad_address", 12, 250, undefined],
    ["policy", 19, 50, undefined],
    ["policy", 20, 50, "20 of 50 emails were rejected with the reason policy"],
    ["complaint", 1, 334, undefined],
    ["complaint", 1, 50, "1 of 50 recipients complained"],
  ])("by one rule for all counts: %s %d of %d", (problem, count, total, reason) => {
    expect(pauseReason({ total, problems: [[problem, count]] }, LIMITS)?.message).toBe(reason);
  });

  it("at no limit that is disabled", () => {
    const off = { badAddressPct: 0, senderRefusalPct: 0, senderRefusalsInARow: 0 };
    expect(stoppedAfter([...times(1_500, BAD), ...times(1_500, BLOCKED)], off)).toBeNull();
  });
});

/** Sets the From address of a project, whose other settings stay. */
const sendFrom = (owner: Client, projectId: string, from_email: string) =>
  owner.put(`/projects/${projectId}/smtp`, {
    smtp_host: "localhost",
    smtp_port: CAPTURING.smtpPort,
    smtp_user: "user",
    smtp_password: "pass",
    from_email,
  });

/** A broadcast to a server that refuses the sender. */
const refusedScenario = (count: number) =>
  scenario(count, (news, owner) =>
    sendFrom(owner, news.id, `mail.550.5.1.8.${unique("news")}@postrider.test`),
  );

describe("a broadcast", () => {
  it("of 2,000 to a server that rejects the sender pauses after 25 rejections at most, and suppresses no address", async () => {
    const { news, id, work } = await refusedScenario(2_000);
    await work();
    const { state, failed, bounced, sent, error } = await news.progress(id);
    expect({ state, sent, bounced }).toEqual({ state: "paused", sent: 0, bounced: 0 });
    expect(error).toMatch(
      /^the server rejected 20 emails in a row with the reason sender_rejected: /,
    );
    expect(failed).toBeGreaterThanOrEqual(20);
    expect(failed).toBeLessThanOrEqual(25);
    expect(await news.logs()).toHaveLength(failed);
    expect(await allRows("select email from suppressions where project_id = ?", news.id)).toEqual(
      [],
    );
  });

  it("continues where it stopped once it is resumed, and mails no recipient twice", async () => {
    const { news, id, work, owner, finish } = await refusedScenario(100);
    await work();
    const { failed, state } = await news.progress(id);
    expect(state).toBe("paused");
    await sendFrom(owner, news.id, news.from);
    await owner.post(`${news.path}/broadcasts/${id}/resume`);
    await finish();
    expect(await news.progress(id)).toMatchObject({ state: "done", failed, sent: 100 - failed });
    expect(hasNobodyTwice((await news.logs()).map(({ to_email }) => to_email))).toBe(true);
    expect(await news.received()).toHaveLength(100 - failed);
  });

  it("that has been resumed is not paused because of a worker's stale read", async () => {
    const { news, id, deps, owner } = await scenario(1);
    const one = `${news.path}/broadcasts/${id}`;
    const [before] = await selectBroadcast(deps.db, id);
    for (const action of ["pause", "resume"]) await owner.post(`${one}/${action}`);
    const [after] = await selectBroadcast(deps.db, id);
    if (!before || !after) throw new Error("no broadcast");
    await pauseByItself(deps, before, serverError("the server refused 20 mails"));
    expect(await news.progress(id)).toMatchObject({ state: "sending", error: null });
    await pauseByItself(deps, after, serverError("the server refused 20 mails"));
    expect(await news.progress(id)).toMatchObject({ state: "paused" });
  });

  it("that continues records no earlier attempt for recipients held back by auto-pause", async () => {
    const { news, id, owner, work, finish } = await refusedScenario(100);
    await work();
    await sendFrom(owner, news.id, news.from);
    await owner.post(`${news.path}/broadcasts/${id}/resume`);
    await finish();
    expect(await news.progress(id)).toMatchObject({ state: "done" });
    const tried =
      "select 1 from log_entries where broadcast_id is not null and earlier is not null";
    expect(await allRows(tried)).toEqual([]);
  });

  it("continues despite rejections if the project has disabled auto-pause", async () => {
    const { news, id, work } = await scenario(40, async (made, owner) => {
      await sendFrom(owner, made.id, `mail.550.5.1.8.${unique("news")}@postrider.test`);
      const brakes = { sender_refusals_in_a_row: 0, sender_refusal_pct: 0 };
      await owner.put(`${made.path}/bounce-settings`, { brakes });
    });
    await work();
    expect(await news.progress(id)).toMatchObject({ state: "done", failed: 40 });
  });

  it.each([
    {
      title: "of a draft pauses",
      start: launched,
      end: { state: "paused", error: "2 of 400 recipients complained" },
    },
    { title: "without a draft goes on", start: undefined, end: { state: "sending", error: null } },
  ])("$title when 0.3 % of its recipients have complained, each once", async ({ start, end }) => {
    const { news, id, deps } = await scenario(2, undefined, start);
    await allRows("update broadcasts set sent = 400 where id = ?", id);
    const mails = [1, 2].map((n) => ({ id: crypto.randomUUID(), to_email: `c${n}.${news.from}` }));
    for (const mail of mails)
      await insertRow("logged_mails", {
        ...mail,
        project_id: news.id,
        broadcast_id: id,
        subject: "s",
        status: "sent",
        sent_at: Date.now(),
      });
    const complain = async (index: number) => {
      const { to_email = "", id: logId } = mails[index] ?? {};
      await handleReports(deps, news.id, [complaintReport(to_email, logId)]);
      await runScheduled(deps, EVERY_MINUTE);
      return news.progress(id);
    };
    expect((await complain(0)).state).toBe("sending");
    expect((await complain(0)).state).toBe("sending"); // the same person again
    expect(await complain(1)).toMatchObject(end);
  });
});

describe("the limits of auto-pause", () => {
  it("have defaults and change one by one", async () => {
    const { news, owner } = await scenario(1);
    const path = `${news.path}/bounce-settings`;
    const brakes = {
      bad_address_pct: 5,
      sender_refusal_pct: 10,
      sender_refusals_in_a_row: 20,
      complaint_pct: 0.3,
      sample_first: true,
    };
    expect((await owner.get(path)).body).toMatchObject({ brakes });
    for (const change of [{ complaint_pct: 0 }, { bad_address_pct: 2.5 }]) {
      Object.assign(brakes, change);
      expect((await owner.put(path, { brakes: change })).body).toMatchObject({ brakes });
    }
    expect((await owner.put(path, { brakes: { bad_address_pct: 101 } })).status).toBe(400);
  });
});
