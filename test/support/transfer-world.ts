/* A project with rows of every kind that moves with it. */
import type { FormContent } from "../../src/db/schema/index.ts";
import { runBatch } from "../../src/db/client.ts";
import { appendLog } from "../../src/services/email-log/index.ts";
import { logEntry } from "./log-entry.ts";
import { allRows, insertRow, rowsOfEach, type Row } from "./rows.ts";
import { unique, type Client, type Service } from "./service.ts";
import { EMPTY_PLAN } from "./stored-broadcasts.ts";
import { DAY } from "./times.ts";

/** The time of all rows; bigger than any that a clock of 32 bits could hold. */
export const LONG_AGO = Date.parse("2025-02-03T04:05:06.789Z");

export const MOVED_TABLES = {
  templates: "id",
  template_versions: "id",
  topics: "id",
  subscribers: "email",
  subscriber_tags: "tag, subscriber_id",
  topic_consents: "topic_id, subscriber_id",
  consent_events: "subscriber_id, id",
  suppressions: "email",
  segments: "id",
  fields: "id",
  forms: "id",
  saved_blocks: "id",
  automations: "id",
  imports: "id",
  broadcasts: "id",
  broadcast_variants: "broadcast_id, n",
  subscriber_mailings: "at, first_id",
  events: "subscriber_id, name, occurred_at",
} as const;

/** The rows of a table without a column of the project, of which the parameter is the id. */
const OF_PROJECT: Record<string, string> = {
  topic_consents: "topic_id in (select id from topics where project_id = ?)",
  broadcast_variants: "broadcast_id in (select id from broadcasts where project_id = ?)",
};

const FORM: FormContent = {
  title: "Our newsletter",
  text: "Once a month",
  button: "",
  consentText: "I want news.",
  nameField: "optional",
  fields: [{ key: "city", required: true }],
  topics: [],
  chooseTopics: false,
  doubleOptIn: true,
  redirectUrl: "https://shop.example/thanks",
  language: "de",
  align: "center",
  accent: "#7c3aed",
  showLogo: false,
  embedHeading: true,
};

const TRIAL_PLAN = {
  ...EMPTY_PLAN,
  ab: {
    variants: [
      { subject: "News", fromName: null, templateId: null },
      { subject: "News!", fromName: "Ben", templateId: null },
    ],
    share: 50,
    waitHours: 4,
    by: "opens",
  },
};

/** Makes such a project. Its secrets are texts that no export may hold. */
export async function newFullProject(service: Service, owner: Client) {
  const project = await owner.newProject();
  const { id } = project;
  const path = `/projects/${id}`;
  const secret = unique("secret");
  await owner.put(`${path}/smtp`, {
    smtp_host: "127.0.0.1",
    smtp_port: 2525,
    smtp_user: "user",
    smtp_password: secret,
    from_name: "Sender",
    from_email: "sender@postrider.test",
  });
  await owner.put(`${path}/bounce-webhook/signatures`, { mailgun_signing_key: secret });
  const consent = { double_opt_in: true, form_text: "Yes, news.", language: "de" };
  await owner.put(`${path}/audience-settings`, consent);
  const template = await owner.post<{ id: string }>(`${path}/templates`, {
    name: "Welcome",
    subject: "Hi {{name}}",
    html_body: "<p>Grüße</p>",
  });
  await owner.put(`${path}/templates/${template.body.id}`, { subject: "Hello {{name}}" });
  const topic = await owner.post<{ id: string }>(`${path}/topics`, {
    name: "News",
    visibility: "private",
    public_archive: true,
  });
  const people: string[] = [];
  for (const [email, status] of [
    ["ann@list.test", "active"],
    ["bob@list.test", "unsubscribed"],
    ["cy@list.test", "pending"],
  ]) {
    const metadata = { city: "Ö\u2028\"'", n: 1, list: ["a", null], source: "web" };
    const added = await owner.post<{ id: string }>(`${path}/subscribers`, {
      email,
      status,
      metadata,
    });
    people.push(added.body.id);
  }
  const [ann = ""] = people;
  await owner.put(`${path}/subscribers/${ann}/topics`, { [topic.body.id]: "subscribed" });
  await allRows("update subscribers set tags = ? where id = ?", '["vip"]', ann);
  await insertRow("subscriber_tags", { project_id: id, tag: "vip", subscriber_id: ann });
  await owner.post(`${path}/suppressions`, { emails: ["gone@list.test"], reason: "hard_bounce" });
  await allRows("update suppressions set created_at = ? where project_id = ?", LONG_AGO, id);
  const importId = crypto.randomUUID();
  await insertRow("imports", {
    id: importId,
    project_id: id,
    name: "Fair",
    created_at: LONG_AGO,
    imported: 1,
    existing: 0,
  });
  await allRows("update subscribers set import_id = ? where id = ?", importId, ann);
  await insertRow("segments", {
    id: crypto.randomUUID(),
    project_id: id,
    name: "Berlin",
    condition: "city:Berlin",
    created_at: LONG_AGO,
    updated_at: LONG_AGO,
  });
  await insertRow("fields", {
    id: crypto.randomUUID(),
    project_id: id,
    key: "city",
    label: "City",
    type: "choice",
    choices: '["Köln","Berlin"]',
    created_at: LONG_AGO,
    updated_at: LONG_AGO,
  });
  await insertRow("forms", {
    id: crypto.randomUUID(),
    project_id: id,
    name: "Website",
    is_open: 1,
    content: JSON.stringify(FORM),
    created_at: LONG_AGO,
    updated_at: LONG_AGO,
  });
  await insertRow("saved_blocks", {
    id: crypto.randomUUID(),
    project_id: id,
    name: "Grüße",
    block: '{"type":"quote","text":"Hi","by":"Ann"}',
    created_at: LONG_AGO,
  });
  await insertRow("automations", {
    id: crypto.randomUUID(),
    project_id: id,
    name: "Win back",
    state: "draft",
    version: 1,
    definition: JSON.stringify({
      trigger: { type: "tag_added", tag: "quiet", where: "city:Berlin" },
      steps: [
        { id: "hi", type: "send", subject: "Grüße", html_body: "<p>{{unsubscribe_url}}</p>" },
      ],
      goal: { event: "purchased" },
      reentry: { after_days: 2 },
    }),
    trigger_type: "tag_added",
    trigger_key: "quiet",
    reentry_ms: 2 * DAY,
    created_at: LONG_AGO,
    updated_at: LONG_AGO,
  });
  const broadcastId = crypto.randomUUID();
  await insertRow("broadcasts", {
    id: broadcastId,
    project_id: id,
    template_id: template.body.id,
    subject: "News",
    html_body: "<p>News</p>",
    text_body: "News",
    status: "active",
    state: "sending",
    log_key: crypto.randomUUID(),
    cutoff_id: people.at(-1),
    planned_id: people.at(-1),
    plan_due_at: LONG_AGO,
    sent: 1,
    total: 1,
    created_at: LONG_AGO,
    updated_at: LONG_AGO,
    plan: JSON.stringify(TRIAL_PLAN),
    variables: '{"issue":7}',
    in_archive: 0,
    decides_at: 8.64e15, // the broadcast has not tried all recipients of its A/B test
    winner: 1,
    variant_outcomes: JSON.stringify([
      { mailed: 9, opened: 2, clicked: 1 },
      { mailed: 9, opened: 7, clicked: 0 },
    ]),
  });
  for (const [n, { subject, fromName }] of TRIAL_PLAN.ab.variants.entries())
    await insertRow("broadcast_variants", {
      broadcast_id: broadcastId,
      n,
      subject,
      from_name: fromName,
      html_body: "<p>News</p>",
      text_body: "News",
    });
  await insertRow("subscriber_mailings", {
    project_id: id,
    at: Date.now() - DAY,
    first_id: ann,
    last_id: ann,
    ids: JSON.stringify([ann]),
  });
  await owner.post(`${path}/events`, {
    name: "purchased",
    subscriber_id: ann,
    data: { total: 80, note: "Grüße" },
    occurred_at: new Date(Date.now() - DAY).toISOString(),
  });
  await writeLog(service, id, { templateId: template.body.id, broadcastId, ann });
  return {
    ...project,
    path,
    secret,
    ann,
    broadcastId,
    templateId: template.body.id,
    topicId: topic.body.id,
  };
}

async function writeLog(
  service: Service,
  projectId: string,
  { templateId, broadcastId, ann }: Record<"templateId" | "broadcastId" | "ann", string>,
) {
  const deps = await service.deps();
  const entries = [
    logEntry(projectId, { sentAt: LONG_AGO, templateId, tags: { order: "7" } }),
    logEntry(projectId, {
      sentAt: LONG_AGO,
      broadcastId,
      subscriberId: ann,
      subject: "News",
      tags: { variant: "A" },
    }),
    logEntry(projectId, {
      sentAt: LONG_AGO + 1,
      status: "bounced",
      error: "550 no",
      reason: "user_unknown",
      earlier: [{ at: LONG_AGO, error: "451 later" }],
      copies: [{ email: "cc@list.test", status: "failed", error: "550" }],
    }),
  ];
  await runBatch(deps.db, appendLog(deps, projectId, entries));
  await allRows(
    "update log_entries set opened_at = ?, opened_class = 'human' where project_id = unhex(?, '-') and broadcast_id is null",
    LONG_AGO + 5_000,
    projectId,
  );
  // The mail that came back was opened, too, and the totals of opened mails are of accepted ones.
  const opened = "update rollups set opened = 1, opens = 2 where project_id = ? and kind = 'log'";
  await allRows(opened, projectId);
}

function withoutProject(row: Row): Row {
  const copy = { ...row };
  delete copy["project_id"];
  delete copy["seq"]; // an event gets another one
  return copy;
}

/** The rows of a project by table, without the project. */
export async function rowsOf(projectId: string): Promise<Record<string, Row[]>> {
  const values = [projectId];
  const names = [...Object.keys(MOVED_TABLES), "log_entries"];
  const reads = Object.entries(MOVED_TABLES).map(([table, order]) => {
    const own = OF_PROJECT[table] ?? "project_id = ?";
    return { sql: `select * from ${table} where ${own} order by ${order}`, values };
  });
  const found = await rowsOfEach([
    ...reads,
    {
      sql: "select *, hex(id) as id from log_entries where project_id = unhex(?, '-') order by id",
      values,
    },
    {
      sql: `select subscribers_active, subscribers_pending, subscribers_unsubscribed, suppressions_hard_bounce
        from project_counters where project_id = ?`,
      values,
    },
    {
      sql: "select kind, grain, bucket_at, sent, failed, bounced, opened, opens from rollups where project_id = ? and subject not like '%x' order by 1, 2, 3, 4",
      values,
    },
  ]);
  const rows = names.map((name, at) => [name, (found[at] ?? []).map(withoutProject)] as const);
  const [counters = [], totals = []] = found.slice(names.length);
  return { ...Object.fromEntries(rows), counters, totals };
}
