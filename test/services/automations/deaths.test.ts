/* Senders that die at each round trip of a move, and two that move the same runs. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Step } from "../../../src/lib/automation-definition.ts";
import { runAutomations } from "../../../src/services/automations/index.ts";
import { automationWorld, mail, wait, type AutomationWorld } from "../../support/automating.ts";
import { HOOK_URL, newWebhook } from "../../support/events.ts";
import { receivedMessages } from "../../support/mailbox.ts";
import { deathOfWorker } from "../../support/refusals.ts";
import { allRows } from "../../support/rows.ts";
import { CAPTURING, createService } from "../../support/service.ts";
import { plain } from "../../support/service-mail.ts";
import { DAY, MINUTE } from "../../support/times.ts";

/** Each mail that the server got, by recipient and step. */
async function mailsOf({ news }: AutomationWorld): Promise<string[]> {
  const messages = await receivedMessages({ from: news.from });
  return messages.map(({ to, text }) => `${to[0]} ${/^Subject: (\S+)/m.exec(text)?.[1]}`);
}

/**
 * Lets the sender die at its nth round trip and others finish what it has left, for each n. Returns
 * the number of people for whom it has died.
 */
async function dieEverywhere(world: AutomationWorld, when: "before" | "after") {
  const { service, subscribe, happen, work, pass } = world;
  let [people, isAlive] = [0, false];
  for (let nth = 1; !isAlive; nth += 1) {
    await happen("signed_up", await subscribe(2));
    people += 2;
    let trips = 0;
    service.d1[when] = (sql) => {
      trips += 1;
      if (trips !== nth) return;
      const isMove = sql.some((text) => text.includes("automation_runs"));
      throw isMove ? new Error("the sender died") : deathOfWorker("the sender died");
    };
    await work().catch((error: unknown) => {
      if (trips < nth) throw error;
    });
    service.d1[when] = undefined;
    isAlive = trips < nth;
    await pass(MINUTE);
    await pass(MINUTE);
    await pass(DAY);
  }
  return people;
}

const withWebhook = (projectId: string) => newWebhook(projectId, ["automation.step"]);

/** Stands for the address of the project's owner. */
const TEAM = "team@postrider.test";

/** A world whose steps name its owner. */
async function worldOf(steps: Step[]) {
  let given = "";
  return automationWorld(
    () => ({ steps: JSON.parse(given) as Step[] }),
    async (projectId, { email }) => {
      given = JSON.stringify(steps).replaceAll(TEAM, email);
      await withWebhook(projectId);
    },
  );
}

/** The people whom the notices to the owner name. */
async function noticed({ owner, news }: AutomationWorld): Promise<string[]> {
  const address = new RegExp(`\\d+\\.${news.from}`, "g");
  const notices = await receivedMessages(owner.email);
  return notices.flatMap((notice) => [...new Set(plain(notice).match(address))]).toSorted();
}

const everybody = ({ news }: AutomationWorld, count: number) =>
  Array.from({ length: count }, (_, n) => `${n}.${news.from}`).toSorted();

// The first account of the service chooses the project that sends its own mail.
beforeAll(async () => {
  const operator = await createService().newOwner();
  const { id } = await operator.newProject(CAPTURING);
  expect(await operator.put("/service/mail", { project_id: id })).toMatchObject({ status: 200 });
});

const KINDS: Record<string, Step[]> = {
  send: [mail("first"), mail("second")],
  "send and wait": [mail("first"), wait("pause"), mail("second")],
  branch: [
    {
      id: "ways",
      type: "branch",
      else: [mail("second")],
      ways: [{ where: "name:n0", steps: [mail("first")] }],
    },
    wait("pause"),
  ],
  set: [{ id: "mark", type: "set", add_tags: ["marked"] }, mail("first")],
  "set and branch": [
    { id: "mark", type: "set", add_tags: ["marked"] },
    {
      id: "ways",
      type: "branch",
      else: [],
      ways: [{ where: "tag:marked", steps: [mail("first")] }],
    },
  ],
  webhook: [{ id: "hook", type: "webhook", url: HOOK_URL }, mail("first")],
  notify: [{ id: "call", type: "notify", emails: [TEAM] }, mail("first")],
  end: [mail("first"), { id: "over", type: "end" }],
};

describe.each(["before", "after"] as const)("a sender that dies %s a round trip", (when) => {
  it.each(Object.entries(KINDS))(
    "mails nobody twice and leaves nobody behind at a step: %s",
    async (_, steps) => {
      const world = await worldOf(steps);
      const people = await dieEverywhere(world, when);
      expect(people).toBeGreaterThan(6);
      const mails = await mailsOf(world);
      expect(new Set(mails).size).toBe(mails.length);
      const runs = await world.runs();
      expect(runs).toHaveLength(people);
      expect(runs.filter(({ outcome }) => outcome !== "completed")).toEqual([]);
      expect(await world.counts()).toMatchObject({ " in": people, " out": people });
      const planned = runs.flatMap((run) => JSON.parse(run.mails) as unknown[]);
      // Whoever has no mail has an unknown outcome in the log: the server may have got it.
      const logs = await world.news.logs();
      expect(logs).toHaveLength(planned.length);
      const unknown = logs.filter(({ error }) => error === "outcome unknown").length;
      expect(mails.length).toBeGreaterThanOrEqual(planned.length - unknown);
      const hooks = await allRows<{ n: number }>(
        "select count(*) as n from webhook_deliveries where project_id = ?",
        world.news.id,
      );
      expect(hooks).toEqual([{ n: steps[0]?.type === "webhook" ? people : 0 }]);
      expect(await noticed(world)).toEqual(
        steps[0]?.type === "notify" ? everybody(world, people) : [],
      );
    },
  );
});

describe("two senders of a project", () => {
  it("make each move once", async () => {
    const world = await worldOf([
      mail("first"),
      { id: "hook", type: "webhook", url: HOOK_URL },
      { id: "call", type: "notify", emails: [TEAM] },
      wait("pause"),
    ]);
    const { service, deps, news, subscribe, happen, work, pass, runs, counts } = world;
    await happen("signed_up", await subscribe(3));
    let others = 0;
    service.d1.before = async (sql) => {
      if (!sql.some((text) => text.startsWith("update automation_runs set moves"))) return;
      service.d1.before = undefined;
      others += 1;
      await runAutomations(deps, news.id, { statements: 150 });
    };
    await work();
    expect(others).toBe(1);
    expect(await runs()).toMatchObject(
      Array.from({ length: 3 }, () => ({ moves: 1, step: "pause" })),
    );
    expect(await counts()).toMatchObject({ "first in": 3, "first out": 3, "pause in": 3 });
    expect((await mailsOf(world)).toSorted()).toHaveLength(3);
    const hooks = await allRows(
      "select event_type from webhook_deliveries where project_id = ?",
      news.id,
    );
    expect(hooks).toEqual(Array.from({ length: 3 }, () => ({ event_type: "automation.step" })));
    await pass(MINUTE);
    expect(await noticed(world)).toEqual(everybody(world, 3));
  });

  it("leave to the next move what an event has changed meanwhile", async () => {
    const world = await automationWorld({
      steps: [mail("first"), wait("pause")],
      goal: { event: "bought" },
    });
    const { service, subscribe, happen, work, received, runs } = world;
    const people = await subscribe(2);
    await happen("signed_up", people);
    service.d1.before = async (sql) => {
      if (!sql.some((text) => text.startsWith("update automation_runs set moves"))) return;
      service.d1.before = undefined;
      world.clock.aheadMs += 1;
      await happen("bought", people.slice(0, 1));
    };
    await work();
    expect(await received()).toEqual(["first n1"]);
    expect(await runs()).toMatchObject([{ outcome: "goal", step: "" }, { step: "pause" }]);
  });
});
