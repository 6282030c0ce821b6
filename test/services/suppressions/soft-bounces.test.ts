/* Soft bounces: an address that refuses mail for days is suppressed in the end. */
import { describe, expect, it } from "vitest";
import { runScheduled } from "../../../src/cron/run-scheduled.ts";
import { runBatch } from "../../../src/db/client.ts";
import { handleReports } from "../../../src/services/bounces/handle-reports.ts";
import type { AddressOutcome } from "../../../src/services/mailing/outcome.ts";
import { settleStatements } from "../../../src/services/mailing/settle.ts";
import { failureReport } from "../../support/bounce-reports.ts";
import { allRows, insertRow } from "../../support/rows.ts";
import { CAPTURING, createService, unique } from "../../support/service.ts";
import { DAY, standingClock } from "../../support/times.ts";

const clock = standingClock(Date.UTC(2026, 9, 1, 12));
const service = createService({}, { now: () => clock.now });
const deps = await service.deps();
const owner = await service.newOwner();
const projects = await Promise.all(Array.from({ length: 12 }, () => owner.newProject(CAPTURING)));

const FULL = { status: "failed", error: "452 4.2.2 full", reason: "mailbox_full" } as const;
const SENT = { status: "sent", error: null } as const;

/** An address of a project, whose mails a test settles at chosen times. */
async function newAddress(limit?: number) {
  const project = projects.pop();
  if (!project) throw new Error("too few projects");
  const email = `${unique("reader")}@any.test`;
  if (limit !== undefined)
    await allRows(
      "update projects set bounce_settings = ? where id = ?",
      JSON.stringify({ softBounceLimit: limit }),
      project.id,
    );
  return {
    project,
    email,
    settle: async (...outcomes: Omit<AddressOutcome, "email">[]) => {
      for (const outcome of outcomes) {
        const mail = {
          logId: crypto.randomUUID(),
          subject: "s",
          tags: null,
          templateId: null,
          subscriberId: null,
          broadcastId: null,
        };
        const settled = { mail, outcome: { main: { email, ...outcome }, copies: [] } };
        await runBatch(deps.db, settleStatements(deps, project.id, [settled]));
      }
    },
    rows: () => allRows("select days from soft_bounces where project_id = ?", project.id),
    suppression: async () =>
      (
        await allRows(
          "select email, reason, source from suppressions where project_id = ?",
          project.id,
        )
      )[0],
  };
}

describe("an address whose mailbox refuses mail", () => {
  it("for five days over at least seven is suppressed as a hard bounce, by one row an address", async () => {
    const address = await newAddress();
    for (let n = 0; n < 5; n++) {
      expect(await address.suppression()).toBeUndefined();
      await address.settle(FULL, FULL);
      expect(await address.rows()).toEqual([{ days: n + 1 }]);
      clock.now += 2 * DAY;
    }
    expect(await address.suppression()).toEqual({
      email: address.email,
      reason: "hard_bounce",
      source: "soft bounces",
    });
    const counted =
      "select suppressions_hard_bounce as n from project_counters where project_id = ?";
    expect(await allRows(counted, address.project.id)).toEqual([{ n: 1 }]);
  });

  it("for five days in a row is suppressed only once seven days have passed", async () => {
    const address = await newAddress();
    for (let n = 0; n < 5; n++, clock.now += DAY) await address.settle(FULL);
    expect(await address.suppression()).toBeUndefined();
    clock.now += 2 * DAY;
    await address.settle(FULL);
    expect(await address.suppression()).toMatchObject({ source: "soft bounces" });
  });

  it("begins anew after a delivery", async () => {
    const address = await newAddress();
    for (let n = 0; n < 4; n++, clock.now += 3 * DAY) await address.settle(FULL);
    await address.settle(SENT);
    expect(await address.rows()).toEqual([]);
    for (let n = 0; n < 4; n++, clock.now += 3 * DAY) await address.settle(FULL);
    expect(await address.suppression()).toBeUndefined();
  });

  it.each([
    ["the sender is slowed down", { ...FULL, reason: "rate_limited" }],
    ["the sender is blocked for now", { ...FULL, reason: "blocked" }],
    ["the network is down", { ...FULL, reason: "network" }],
    ["no session opens", { status: "failed", error: "no session" }],
  ] as const)("is not counted while %s", async (_, outcome) => {
    const address = await newAddress();
    await address.settle(outcome);
    expect(await address.rows()).toEqual([]);
  });

  it("is never suppressed where the limit is 0, and sooner where it is lower", async () => {
    const [never, soon] = [await newAddress(0), await newAddress(2)];
    for (let n = 0; n < 2; n++, clock.now += 8 * DAY)
      for (const address of [never, soon]) await address.settle(FULL);
    expect(await never.suppression()).toBeUndefined();
    expect(await soon.suppression()).toMatchObject({ email: soon.email });
  });

  it("is counted by a send, and forgotten 90 days after the last one", async () => {
    const { project, rows } = await newAddress();
    const mail = { subject: "Hi", html_body: "<p>Hi</p>" };
    const to = `rcpt.452.4.2.2.${unique("full")}@any.test`;
    await service.withKey(project.key).post(`/projects/${project.id}/send`, { to, ...mail });
    expect(await rows()).toEqual([{ days: 1 }]);
    clock.now += 91 * DAY;
    await runScheduled(deps, "17 3 * * *");
    expect(await rows()).toEqual([]);
  });

  it("is counted by a provider's report, and by one of the mailbox that names the mail", async () => {
    const { project, email, rows } = await newAddress();
    const key = service.withKey(project.key); // a key outlives sessions
    const { body } = await key.get<{ url: string }>(`/projects/${project.id}/bounce-webhook`);
    const post = (reason: string) =>
      service.fetch(body.url, {
        method: "POST",
        body: JSON.stringify({ email, type: "temporary", reason }),
      });
    await post("452 4.2.2 mailbox full");
    await post("451 4.7.1 greylisted");
    expect(await rows()).toEqual([{ days: 1 }]);
    clock.now += DAY;
    const id = crypto.randomUUID();
    const logged = { id, project_id: project.id, to_email: email, sent_at: clock.now };
    await insertRow("logged_mails", { ...logged, subject: "s", status: "sent" });
    await handleReports(deps, project.id, [failureReport(email, "none", "4.2.2")]);
    expect(await rows()).toEqual([{ days: 1 }]);
    await handleReports(deps, project.id, [failureReport(email, id, "4.2.2")]);
    expect(await rows()).toEqual([{ days: 2 }]);
  });
});
