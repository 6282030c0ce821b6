/* The rows and round trips of single reads in a project with thousands of entries. */
import { env } from "cloudflare:test";
import { beforeAll, describe, expect, it } from "vitest";
import { createService, type Client } from "./support/service.ts";

const COUNT = 3_000;
const service = createService();

let owner: Client;
let project: { id: string };

const UUID = "printf('01900000-0000-7000-8000-%012x', i)";
const NUMBERS = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${COUNT})`;
const FILL = [
  `insert into subscribers (id, project_id, email, name, status, metadata, source, subscribed_at, created_at, updated_at)
    ${NUMBERS} select ${UUID}, ?1, i || '@any.test', 'Name ' || i, 'active', '{}', '', 1, 1, 1 from n`,
  `update project_counters set subscribers_active = 20000 where project_id = ?1`,
  `insert into suppressions (id, project_id, email, reason, source, created_at, last_seen_at)
    ${NUMBERS} select printf('01%024d', i), ?1, i || '@any.test', 'manual', '', 1, 1 from n`,
  `insert into log_entries (id, project_id, to_email, subject, status, sent_at)
    ${NUMBERS} select unhex(replace(${UUID}, '-', '')), unhex(replace(?1, '-', '')), '7@any.test', 'Hi', 0,
      unixepoch() * 1000 - i from n`,
  `insert into broadcasts (id, project_id, subject, html_body, text_body, status, state, log_key, cutoff_id, planned_id, plan_due_at, created_at)
    ${NUMBERS} select ${UUID}, ?1, 'Hi', '', '', 'active', 'done', '', '', '', 1, 1 from n`,
  `insert into projects (id, workspace_id, created_by, name, description, created_at, updated_at)
    ${NUMBERS} select ${UUID}, (select workspace_id from projects where id = ?1), 'x', 'P', '', 1, 1 from n where i <= 100`,
];

const BROADCAST = "01900000-0000-7000-8000-000000000009";
const SENDING = "01900000-0000-7000-8000-00000000000a";
const SENDS = `update broadcasts set state = 'sending' where id = '${SENDING}' and project_id = ?1`;

const LINKS = `insert into broadcast_links (project_id, broadcast_id, url, firsts, clicked)
  ${NUMBERS} select ?1, iif(i > 100, ${UUID}, '${BROADCAST}'), 'https://any.test/' || i, 1, 1 from n`;

/** Opens of the newest 100 broadcasts in each of 60 hours. */
const OPENS = `insert into open_hours (project_id, hour_at, broadcast_id, opens)
  ${NUMBERS} select ?1, h.value * 3600000, ${UUID}, 1 from n cross join json_each('[${Array.from({ length: 60 }, (_, hour) => hour).join()}]') h
  where i > ${COUNT - 100}`;

const AUTOMATION = "01900000-0000-7000-8000-00000000000b";
const STEPS = `(select json_group_array(json_object('id', 's' || i, 'type', 'wait', 'for', '1 day')) from n where i <= 100)`;

/** The time in the ids of its runs. */
const ENTERED_AT = 0x01900000_0000;

/** An automation with 10 versions of 100 steps, in which 3,000 people rest at the seventh step. */
const AUTOMATIONS = [
  `insert into automations (id, project_id, name, state, version, definition, trigger_type, trigger_key, created_at, updated_at)
    values ('${AUTOMATION}', ?1, 'Series', 'active', 10, '{}', 'manual', '', 1, 1)`,
  `insert into automation_versions (automation_id, version, project_id, definition, created_at)
    ${NUMBERS} select '${AUTOMATION}', i, ?1, json_object('steps', json(${STEPS})), ${ENTERED_AT} + i from n where i <= 10`,
  `insert into automation_counts (automation_id, version, step, what, n)
    ${NUMBERS} select '${AUTOMATION}', 1 + i / 300, 's' || (i % 100), 'what' || (i % 300), 1 from n where ?1 > ''`,
  `insert into automation_runs (automation_id, id, project_id, subscriber_id, version, step, moves, due_at, goal_met, mails, entered_at, moved_at)
    ${NUMBERS} select '${AUTOMATION}', ${UUID}, ?1, ${UUID}, 10, 's7', 7, 1, 0, '[]', 1, 1 from n`,
];

const MAILING = "01900000-0000-7000-8000-00000000000c";

/** The mails of an automation with 20 versions of 50 steps. */
const STEP_MAILS = `insert into broadcasts (id, project_id, kind, subject, html_body, text_body, status, state, log_key, cutoff_id, planned_id, plan_due_at, created_at, automation_id, automation_version, step_id)
  ${NUMBERS} select 'm' || i, ?1, 'automation', 'Hi', '', '', 'active', 'paused', '', '', '', 1, 1, '${MAILING}', i / 50, 's' || (i % 50) from n where i <= 1000`;

const FIELD = "01900000-0000-7000-8000-00000000000d";
const FIELDS = `insert into fields (id, project_id, key, label, type, choices, created_at, updated_at)
  values ('${FIELD}', ?1, 'city', 'City', 'text', '[]', 1, 1)`;

beforeAll(async () => {
  owner = await service.newOwner();
  project = await owner.newProject();
  await service.newOwner();
  for (const statement of [...FILL, LINKS, OPENS, SENDS, ...AUTOMATIONS, STEP_MAILS, FIELDS])
    await env.DB.prepare(statement).bind(project.id).run();
}, 60_000);

describe("the cost of a read", () => {
  it.each([
    ["the set-up of the deployment", () => "/auth/setup", 1, 1],
    [
      "one subscriber with 20 of 3,000 mails, and 3,000 broadcasts",
      () => `/projects/${project.id}/subscribers/01900000-0000-7000-8000-000000000007`,
      2,
      230,
    ],
    ["a search that finds one", () => `/projects/${project.id}/subscribers?search=2999@`, 2, 42],
    ["a search by name", () => `/projects/${project.id}/subscribers?search=name+2999`, 2, 50],
    [
      "a suppression by email",
      () => `/projects/${project.id}/suppressions?email=7@any.test`,
      2,
      12,
    ],
    [
      "the ledger of one of 3,000 broadcasts, with a hundred links",
      () => `/projects/${project.id}/broadcasts/${BROADCAST}/ledger`,
      2,
      320,
    ],
    [
      "the ledger of a broadcast that sends, with 500 of 3,000 new mails",
      () => `/projects/${project.id}/broadcasts/${SENDING}/ledger`,
      2,
      1_050,
    ],
    [
      "25 of 3,000 broadcasts with their opens in 48 hours, in which 100 were opened",
      () => `/projects/${project.id}/broadcasts?limit=25&include=opens_by_hour`,
      2,
      3_000 + 25 * 2 * 48 + 400,
    ],
    [
      "when 100 broadcasts were opened in 28 days",
      () =>
        `/projects/${project.id}/stats/open-times?from=1970-01-01T00:00:00Z&to=1970-01-29T00:00:00Z`,
      1,
      12_100,
    ],
    [
      "the timeline of one of 3,000 mails to an address",
      () => `/projects/${project.id}/logs/01900000-0000-7000-8000-000000000007`,
      2,
      24,
    ],
    [
      "a search of 3,000 mails for those of a step, of which an automation has had 1,000",
      () => `/projects/${project.id}/logs?automation_id=${MAILING}&step_id=s7`,
      2,
      6_050,
    ],
    [
      "the report of ten versions of an automation, with 300 counts each",
      () => `/projects/${project.id}/automations/${AUTOMATION}/report`,
      1,
      14_500,
    ],
    [
      "50 of 3,000 runs of an automation",
      () => `/projects/${project.id}/automations/${AUTOMATION}/runs`,
      2,
      350,
    ],
    [
      "runs of an automation at a step at which nobody is, of which it examines 1,000",
      () => `/projects/${project.id}/automations/${AUTOMATION}/runs?step=s8`,
      2,
      4_100,
    ],
    [
      "the runs of a person",
      () => `/projects/${project.id}/subscribers/01900000-0000-7000-8000-000000000007/runs`,
      2,
      20,
    ],
    [
      "a field, beside 1,000 mails of automations, and ten versions of one with 300 counts each",
      () => `/projects/${project.id}/fields/${FIELD}`,
      3,
      6_600,
    ],
    ["50 of 101 projects of a workspace", () => "/projects?scope=all&limit=50", 2, 450],
  ])("is bounded: %s", async (_name, path, roundTrips, rows) => {
    service.d1.reset();
    const { status } = await owner.get(path());
    const { roundTrips: trips, rowsRead } = service.d1;
    expect([status, trips, rowsRead <= rows ? rows : rowsRead]).toEqual([200, roundTrips, rows]);
  });

  it("of a search inside emails and names examines each of them once, in a project of at most 10,000", async () => {
    const path = `/projects/${project.id}/subscribers?search=9@any`;
    const setCount = (count: number) =>
      env.DB.prepare("update project_counters set subscribers_active = ?1 where project_id = ?2")
        .bind(count, project.id)
        .run();
    await setCount(COUNT);
    service.d1.reset();
    const { body } = await owner.get<{ total: number }>(path);
    await setCount(20_000);
    expect(body.total).toBe(300);
    // the page and the total search alike
    expect(service.d1.rowsRead).toBeLessThanOrEqual(2 * (2 * COUNT + 4 * 300) + 200);
    expect(service.d1.roundTrips).toBe(2);
  });
});
