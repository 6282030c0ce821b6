/*
 * Random automations with random people, facts and clocks, against the simulator of
 * test/support/automation-model.ts: the same mails, rests, outcomes and counts. MODEL_RUNS sets how
 * many; a failure prints the seed and the smallest example.
 */
import { env } from "cloudflare:test";
import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import {
  stories,
  TEAM,
  TOPICS,
  type Happening,
  type Story,
} from "../../support/automation-arbitraries.ts";
import { AutomationModel, type Fact, type Person } from "../../support/automation-model.ts";
import { manualService } from "../../support/broadcasting.ts";
import { newWebhook, WEBHOOK_QUEUE } from "../../support/events.ts";
import { receivedMessages } from "../../support/mailbox.ts";
import { runSender } from "../../support/project-objects.ts";
import { deathOfWorker } from "../../support/refusals.ts";
import { CAPTURING, unique } from "../../support/service.ts";
import { DAY } from "../../support/times.ts";

const RUNS = Number(env.MODEL_RUNS) || 20;
/** The same for a repeat of a failed test. */
const SEED = Date.now() % 1e6;
/** A few runs take at most eight seconds, also on a busy machine, and are not made smaller. */
const OPTIONS = {
  numRuns: RUNS,
  seed: SEED,
  ...(env.MODEL_RUNS === "" && { interruptAfterTimeLimit: 8_000, endOnFailure: true }),
};
const START = Date.UTC(2026, 8, 7, 9, 7);

const { service, clock } = manualService({ WEBHOOK_QUEUE });
type Owner = Awaited<ReturnType<typeof service.newOwner>>;
let owner: Owner;
beforeAll(async () => {
  owner = await service.newOwner();
  const { id } = await owner.newProject(CAPTURING);
  const chosen = await owner.put("/service/mail", { project_id: id }); // for notices
  expect(chosen.status).toBe(200);
});

/** Lets happen to the service what happens to the simulator. */
async function openWorld({ definition, people, rules }: Story) {
  const from = `${unique("model")}@any.test`;
  const project = await owner.newProject({ ...CAPTURING, fromEmail: from });
  const path = `/projects/${project.id}`;
  const call = async <Body = { id: string }>(method: string, at: string, body?: unknown) => {
    const answer = await owner.request<Body>(method, `${path}${at}`, body);
    if (answer.status < 300) return answer.body;
    throw new Error(`${method} ${at}: ${answer.status} ${JSON.stringify(answer.body)}`);
  };
  const emailOf = (name: string) => `${name}@${project.id}.test`;
  const { quietHours, maxPerWeek, minDays } = rules;
  await call("PUT", "/audience-settings", {
    min_days_between_broadcasts: minDays,
    automations: {
      quiet_hours: quietHours && { ...quietHours, zone: "recipient" },
      max_per_week: maxPerWeek,
    },
  });
  await newWebhook(project.id, ["automation.step"]);
  const { trigger } = definition;
  if (trigger.type === "date")
    await call("POST", "/fields", { key: trigger.field, label: "Day", type: "date" });
  /** What the definitions name, by the names of the stories. */
  const named = new Map([[TEAM, owner.email]]);
  for (const name of TOPICS) named.set(name, (await call("POST", "/topics", { name })).id);
  if (trigger.type === "segment") {
    const { segment_id: where } = trigger;
    named.set(where, (await call("POST", "/segments", { name: "Model", where })).id);
  }
  const withIds = <Body>(body: Body): Body =>
    JSON.parse(JSON.stringify(body), (_, value: unknown) => idsIn(named, value)) as Body;
  const ids = new Map<string, string>();
  for (const { id: name, status, tags, metadata, topics } of people) {
    const body = { email: emailOf(name), name, status, tags, metadata, topics };
    ids.set(name, (await call("POST", "/subscribers", body)).id);
  }
  const { id } = await call("POST", "/automations", withIds({ name: "Model", ...definition }));
  await call("POST", `/automations/${id}/start`);

  let state = "start";
  const happen = async (fact: Fact) => {
    if (!("who" in fact)) {
      if (state === "stop" || state === fact.type) return undefined;
      if (fact.type === "edit") {
        const { steps, goal = {}, inside } = fact;
        return call("PATCH", `/automations/${id}`, withIds({ steps, goal, inside }));
      }
      state = fact.type;
      return call("POST", `/automations/${id}/${fact.type}`);
    }
    const subscriber = ids.get(fact.who);
    const at = `/subscribers/${subscriber}`;
    const { status, body } = await owner.get<Pick<Person, "status" | "tags">>(`${path}${at}`);
    if (status === 404) return undefined; // has been deleted
    const become = (from: string, to: string) =>
      body.status === from ? call("PATCH", at, { status: to }) : undefined;
    const others = (tag: string) => body.tags.filter((own) => own !== tag);
    switch (fact.type) {
      case "event":
        return call("POST", "/events", { name: fact.name, subscriber_id: subscriber });
      case "is_entered":
        if (trigger.type !== "manual" || state !== "start") return undefined;
        return call("POST", `/automations/${id}/enter`, { subscriber_ids: [subscriber] });
      case "tag":
        return call("PATCH", at, { tags: [...others(fact.tag), fact.tag] });
      case "untag":
        return call("PATCH", at, { tags: others(fact.tag) });
      case "leaves":
        return call("PATCH", at, { status: "unsubscribed" });
      case "joins":
        return become("unsubscribed", "active");
      case "confirms":
        return become("pending", "active");
      case "is_suppressed":
        return call("POST", "/suppressions", { emails: [emailOf(fact.who)] });
      case "is_deleted":
        return call("DELETE", at);
      case "consents":
        return call("PUT", `${at}/topics`, { [fact.topic]: "subscribed" });
      case "revokes":
        return call("PUT", `${at}/topics`, { [fact.topic]: "unsubscribed" });
    }
  };
  return { project, from, id, nameOf: (one: string) => nameIn(ids, one), happen };
}

const nameIn = (ids: Map<string, string>, wanted: string) =>
  [...ids].find(([, id]) => id === wanted)?.[0] ?? wanted;

/** Replaces a name, and the names that are keys. */
function idsIn(named: ReadonlyMap<string, string>, value: unknown): unknown {
  if (typeof value === "string") return named.get(value) ?? value;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [named.get(key) ?? key, one]),
  );
}

type World = Awaited<ReturnType<typeof openWorld>>;

/** A round trip of a look that dies, before it takes effect or before its answer. */
interface Death {
  trip: number;
  when: "before" | "after";
}

/** Runs the sender until it has nothing due, as its alarm does, also after it has died. */
async function look({ project }: World, deaths: readonly Death[]): Promise<void> {
  const deps = await service.deps();
  let trip = 0;
  for (const when of ["before", "after"] as const)
    service.d1[when] = (sql) => {
      if (when === "before") trip += 1;
      if (!deaths.some((death) => death.trip === trip && death.when === when)) return;
      // The sender of mails repeats all but refusals, and automations pause themselves after one.
      const isMove = sql.some((statement) => /automation_runs|looked_at/.test(statement));
      throw isMove ? new Error("the sender died here") : deathOfWorker("the sender died here");
    };
  for (let run = 0; run < 60; run++) {
    const nextAt = await runSender(env.PROJECT_SENDER, project.id, deps).catch(() => 0);
    if (nextAt === undefined || nextAt > deps.now()) {
      service.d1.before = service.d1.after = undefined;
      return;
    }
  }
  throw new Error("the sender always has something due");
}

/** What the service says and has sent, in the words of the simulator. */
async function stateOf({ project, from, id, nameOf }: World) {
  const { DB } = service.env;
  const all = async <Row>(sql: string, ...values: string[]) =>
    (
      await DB.prepare(sql)
        .bind(...values)
        .all<Row>()
    ).results;
  const runs = await all<Record<"subscriber_id" | "step" | "outcome" | "mails", string>>(
    "select subscriber_id, step, outcome, mails from automation_runs where automation_id = ?",
    id,
  );
  const counts = await all<{ step: string; what: string; n: number }>(
    "select step, what, sum(n) as n from automation_counts where automation_id = ? group by 1, 2",
    id,
  );
  const hooks = await all<{ who: string; step: string }>(
    `select payload ->> '$.data.subscriber.id' as who, payload ->> '$.data.step_id' as step
      from webhook_deliveries where project_id = ?`,
    project.id,
  );
  // As "2 people reached the step s1 of the automation "Model": ann@…, bob@….".
  const notices = await all<{ text: string }>(
    "select data ->> 'text' as text from pending_mails where instr(data ->> 'text', '@' || ? || '.test')",
    project.id,
  );
  const logged = await all<{ to_email: string; subject: string }>(
    "select to_email, subject from logged_mails where project_id = ?",
    project.id,
  );
  const received = await receivedMessages({ from });
  return {
    runs: runs.map((run) => `${nameOf(run.subscriber_id)} ${run.step} ${run.outcome}`).toSorted(),
    mails: runs
      .flatMap(({ subscriber_id: who, mails }) =>
        (JSON.parse(mails) as { step: string; at: number }[]).map(
          ({ step, at }) => `${nameOf(who)} ${step} ${at - START}`,
        ),
      )
      .toSorted(),
    counts: Object.fromEntries(counts.map(({ step, what, n }) => [`${step} ${what}`, n])),
    told: [
      ...hooks.map(({ who, step }) => `webhook ${nameOf(who)} ${step}`),
      ...notices.flatMap(({ text }) => {
        const step = /reached the step (\S+)/.exec(text)?.[1];
        return [...text.matchAll(/(\w+)@/g)].map(([, who]) => `notify ${who} ${step}`);
      }),
    ].toSorted(),
    logged: logged.map((mail) => `${localPart(mail.to_email)} ${mail.subject}`).toSorted(),
    received: received.map(({ to, text }) => `${localPart(to[0])} ${subjectIn(text)}`).toSorted(),
  };
}

const localPart = (email = "") => email.split("@")[0] ?? "";
const subjectIn = (text: string) => /^Subject: (.*?)\r?$/m.exec(text)?.[1] ?? "";

function stateOfModel({ runs, mails, counts, told }: AutomationModel) {
  const out = mails.filter(({ isSent }) => isSent);
  const sent = out.map(({ who, subject }) => `${who} ${subject}`).toSorted();
  return {
    runs: runs.map(({ who, step, outcome }) => `${who} ${step} ${outcome}`).toSorted(),
    mails: mails.map(({ who, step, at }) => `${who} ${step} ${at - START}`).toSorted(),
    counts,
    told: told.toSorted(),
    logged: sent,
    received: sent,
  };
}

/** Lets the same happen to the service and the simulator, and compares them at the end. */
async function compare(story: Story, deaths: readonly Death[] = []) {
  clock.stoppedAt = START;
  const world = await openWorld(story);
  const model = new AutomationModel(story.definition, story.people, story.rules);
  const ends = [1, 3, 8, 8, 8].map((days): Happening => ({ after: days * DAY + 1, fact: "look" }));
  let at = START;
  for (const { after, fact } of [...story.happenings, ...ends]) {
    at += after;
    clock.stoppedAt = at;
    if (fact === "look") {
      model.look(at);
      await look(world, deaths);
    } else {
      model.happen(fact, at);
      await world.happen(fact);
    }
  }
  return { found: await stateOf(world), expected: stateOfModel(model) };
}

it("does what the simulator does", async () => {
  const property = fc.asyncProperty(stories, async (story) => {
    const { found, expected } = await compare(story);
    expect(found).toEqual(expected);
  });
  await fc.assert(property, OPTIONS);
});

/** Returns what a list has more of than another. */
function beyond(list: readonly string[], other: readonly string[]): string[] {
  const left = [...other];
  return list.filter((one) => {
    const at = left.indexOf(one);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
}

const deaths = fc.array(
  fc.record<Death>({
    trip: fc.integer({ min: 1, max: 25 }),
    when: fc.constantFrom("before", "after"),
  }),
  { minLength: 1, maxLength: 4 },
);

it("does it as well if it dies between any two visits to the database", async () => {
  const property = fc.asyncProperty(stories, deaths, async (story, all) => {
    const { found, expected } = await compare(story, all);
    const { received, ...others } = found;
    const { received: wanted, ...recorded } = expected;
    expect(others).toEqual(recorded);
    // What was on its way at a death may not have arrived, and its outcome is unknown.
    expect(beyond(received, wanted)).toEqual([]);
  });
  await fc.assert(property, OPTIONS);
});
