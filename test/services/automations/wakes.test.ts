/* Which verbs about one person wake the sender for the person's runs, and what that costs. */
import { describe, expect, it } from "vitest";
import type { Trigger } from "../../../src/lib/automation-definition.ts";
import { confirmationUrl, preferencesUrl } from "../../../src/services/tracking/index.ts";
import { startAutomation, wait } from "../../support/automating.ts";
import { allRows } from "../../support/rows.ts";
import { createService, unique, type Service } from "../../support/service.ts";

const woken: unknown[] = [];
const WAKE_QUEUE = {
  sendBatch: async (messages: Iterable<{ body: unknown }>) =>
    void woken.push(...Array.from(messages, ({ body }) => body)),
} as unknown as Service["env"]["WAKE_QUEUE"];
const service = createService({ WAKE_QUEUE, DEPLOYMENT_MODE: "self_hosted" });
const owner = await service.newOwner();

async function newList() {
  const { id, key } = await owner.newProject();
  const path = `/projects/${id}`;
  const api = service.withKey(key);
  const made = await owner.post(`${path}/api-keys`, { name: "page", type: "pk" });
  const topic = String((await owner.post(`${path}/topics`, { name: "News" })).body["id"]);
  const add = async (more: object = {}) => {
    const email = `${unique("ann")}@any.test`;
    const { body } = await api.post(`${path}/subscribers`, { email, ...more });
    return { id: String(body["id"]), email };
  };
  return { id, path, api, page: service.withKey(String(made.body["key"])), topic, add };
}

type List = Awaited<ReturnType<typeof newList>>;
type Answer = Promise<{ status: number }>;

const startSeries = (projectId: string, trigger: Trigger) =>
  startAutomation(projectId, { trigger, steps: [wait("pause")], reentry: "never" });
const newEmail = () => ({ email: `${unique("joins")}@any.test` });
const press = (link: string, fields: [string, string][]) =>
  service.fetch(link, {
    method: "POST",
    body: new URLSearchParams(fields).toString(),
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
  });

/** Each verb, its D1 round trips, and the trigger of the run that it starts. */
const VERBS: {
  name: string;
  roundTrips: number;
  trigger: (list: List) => Trigger;
  /** Prepares the verb and returns it. */
  prepare: (list: List) => Promise<() => Answer>;
}[] = [
  {
    name: "adding a subscriber",
    roundTrips: 2,
    trigger: () => ({ type: "joined" }),
    prepare:
      async ({ api, path }) =>
      () =>
        api.post(`${path}/subscribers`, newEmail()),
  },
  {
    name: "joining with a public key",
    roundTrips: 2,
    trigger: () => ({ type: "joined" }),
    prepare:
      async ({ page }) =>
      () =>
        page.post("/join", newEmail()),
  },
  {
    name: "joining again",
    roundTrips: 4,
    trigger: () => ({ type: "joined" }),
    prepare: async ({ page, add }) => {
      const { email } = await add({ status: "unsubscribed" });
      return () => page.post("/join", { email });
    },
  },
  {
    name: "joining the waitlist",
    roundTrips: 1,
    trigger: () => ({ type: "joined" }),
    prepare:
      async ({ path }) =>
      () =>
        service.anonymous.post(`${path}/waitlist`, newEmail()),
  },
  {
    name: "confirming",
    roundTrips: 2,
    trigger: () => ({ type: "confirmed" }),
    prepare: async ({ id, add }) => {
      const person = await add({ status: "pending" });
      const link = await confirmationUrl(await service.deps(), id, person, "none");
      return () => press(link, []);
    },
  },
  {
    name: "tagging a person",
    roundTrips: 2,
    trigger: () => ({ type: "tag_added", tag: "vip" }),
    prepare: async ({ path, add }) => {
      const { id } = await add();
      return () => owner.request("PATCH", `${path}/subscribers/${id}`, { tags: ["vip"] });
    },
  },
  {
    name: "subscribing a person to a topic",
    roundTrips: 2,
    trigger: ({ topic }) => ({ type: "topic", topic_id: topic }),
    prepare: async ({ api, path, topic, add }) => {
      const { id } = await add();
      return () => api.put(`${path}/subscribers/${id}/topics`, { [topic]: "subscribed" });
    },
  },
  {
    name: "saving the preference page",
    roundTrips: 3,
    trigger: ({ topic }) => ({ type: "topic", topic_id: topic }),
    prepare: async ({ id, topic, add }) => {
      const mail = { topicId: topic, broadcastId: crypto.randomUUID() };
      const link = await preferencesUrl(await service.deps(), id, await add(), mail);
      const fields: [string, string][] = [
        ["do", "save"],
        ["topic", topic],
        ["on", topic],
      ];
      return () => press(link, fields);
    },
  },
];

describe.each(VERBS)("$name", ({ roundTrips, trigger, prepare }) => {
  it("wakes the sender once for the run that it starts, and nobody without one", async () => {
    const list = await newList();
    await (
      await prepare(list)
    )(); // the key notes its use
    const cost = async (work: () => Answer) => {
      woken.length = 0;
      service.d1.reset();
      expect((await work()).status).toBeLessThan(300);
      return { woken: [...woken], roundTrips: service.d1.roundTrips };
    };
    const idle = await prepare(list);
    expect(await cost(idle)).toEqual({ woken: [], roundTrips });
    const work = await prepare(list);
    const id = await startSeries(list.id, trigger(list));
    expect(await cost(work)).toEqual({ woken: [{ type: "wake", projectId: list.id }], roundTrips });
    expect(await allRows("select step from automation_runs where automation_id = ?", id)).toEqual([
      { step: "" },
    ]);
  });
});

it("wakes the sender once for a mail and a run of one join", async () => {
  const list = await newList();
  await startSeries(list.id, { type: "joined" });
  woken.length = 0;
  await list.page.post("/join", { ...newEmail(), sendWelcomeEmail: true });
  expect(woken).toEqual([{ type: "wake", projectId: list.id }]);
});
