import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { PLACEHOLDER_PICTURES } from "../../src/lib/placeholders.ts";
import {
  createServiceClient,
  describeRefusal,
  readField,
  readText,
  type ServiceClient,
} from "../local/service-client.ts";
import { LETTERS, letterHtml } from "./letters.ts";
import { readMails, visitMail, type Mail } from "./read-mails.ts";
import type { DemoService } from "./start-service.ts";
import { writeHistory, writeOpens } from "./write-history.ts";

/** Ids of the demo data shown in the screenshots. */
export interface Demo {
  projectId: string;
  workspaceId: string;
  personId: string;
  templateId: string;
  /** A finished broadcast. */
  broadcastId: string;
  draftId: string;
  /** The bounced mail of the broadcast. */
  logId: string;
  /** The welcome series. */
  automationId: string;
}

const FIRST_NAMES =
  "Ada Ben Cleo Daniel Elif Finn Gwen Hugo Ines Jonas Karla Liam Mara Noor Oscar Paula Quentin Rosa Samir Tilda".split(
    " ",
  );
const LAST_NAMES =
  "Abbott Brandt Castro Dubois Ekberg Fischer Garcia Hansen Ivanova Jensen Keller Lind Moreau Nowak Okafor".split(
    " ",
  );
const DOMAINS = ["example.com", "example.org", "example.net", "mail.example"];
const PEOPLE = 60; // each first name meets each last name at most once
const POLL_MS = 500;

/** Opens and clicks this soon after sending count as automated (docs/tracking.md). */
const SCANNER_MS = 6_000;

/**
 * Fills the demo project: templates, subscribers, a broadcast with opens, clicks and a bounce, a
 * draft, and a history. Deterministic, except for ids and the current time.
 */
export async function makeDemo(service: DemoService, stateDir: string): Promise<Demo> {
  const call = createServiceClient(service.address, service.session);
  const { projectId } = service;
  const base = `/api/v1/projects/${projectId}`;
  const project = await demand(call, "PUT", base, {
    name: "Tidewater Books",
    description: "Letters and receipts of the shop",
  });
  await writeHistory(stateDir, projectId);
  let personId = "";
  for (const person of people())
    personId = readText(await demand(call, "POST", `${base}/subscribers`, person), "id");
  const topic = await demand(call, "POST", `${base}/topics`, {
    name: "Readings",
    description: "Evenings with authors in the shop",
    public_archive: true,
  });
  await addForm(call, base, readText(topic, "id"));
  await addImages(service, base);
  await demand(call, "POST", `${base}/segments`, { name: "Members", where: "tag:member" });
  await demand(call, "POST", `${base}/suppressions`, {
    emails: ["moved@example.com", "ada.abbott@example.com"],
  });
  let [templateId, broadcastId] = ["", ""];
  for (const letter of LETTERS) {
    const { name, subject, opened, clicked } = letter;
    const content = { name, subject, html_body: letterHtml(letter) };
    templateId = readText(await demand(call, "POST", `${base}/templates`, content), "id");
    broadcastId = await sendLetter(call, base, templateId);
    await delay(SCANNER_MS);
    const mails = (await readMails(service.inbox)).filter((mail) => mail.subject === subject);
    for (const [index, mail] of mails.slice(0, mails.length * opened).entries())
      await visitMail(service.inbox, mail, index < mails.length * clicked);
    await untilOpened(call, `${base}/broadcasts/${broadcastId}/report`);
  }
  await writeOpens(stateDir, projectId);
  const last = (await readMails(service.inbox)).findLast((mail) => mail.subject === LAST_SUBJECT);
  const logId = await bounce(call, base, service.inbox, last);
  const draft = await demand(call, "POST", `${base}/broadcasts`, {
    name: "Books for the holidays",
    template_id: templateId,
  });
  await schedule(call, base, templateId);
  const workspaceId = readText(project, "workspace_id");
  const draftId = readText(draft, "id");
  const automationId = await enterSeries(call, base);
  return {
    projectId,
    workspaceId,
    personId,
    templateId,
    broadcastId,
    draftId,
    logId,
    automationId,
  };
}

/** Lets people join the welcome series of the demo project, and waits until they have moved. */
async function enterSeries(call: ServiceClient, base: string): Promise<string> {
  const list = readField(await demand(call, "GET", `${base}/automations`), "automations");
  const [series] = Array.isArray(list) ? (list as unknown[]) : [];
  const id = readText(series, "id");
  for (const name of ["Una", "Vera", "Walt"])
    await demand(call, "POST", `${base}/subscribers`, {
      name,
      email: `${name.toLowerCase()}@example.com`,
      metadata: { source: "quickstart" },
    });
  const path = `${base}/automations/${id}/report`;
  for (;;) {
    const totals = readField(await demand(call, "GET", path), "totals");
    if (Number(readField(totals, "inside")) > 0) return id;
    await delay(POLL_MS);
  }
}

async function addForm(call: ServiceClient, base: string, topic: string) {
  await demand(call, "POST", `${base}/forms`, {
    name: "Website",
    title: "Letters from the shop",
    text: "New books and evenings with authors, once a month.",
    name_field: "optional",
    topics: [topic],
  });
}

/** Puts pictures of the dashboard into the image library. */
async function addImages({ address, session }: DemoService, base: string) {
  for (const [kind, path] of Object.entries(PLACEHOLDER_PICTURES)) {
    const answer = await fetch(`${address}${base}/images?name=${kind}.png`, {
      method: "POST",
      headers: { "Content-Type": "application/octet-stream", Cookie: session },
      body: await readFile(path.replace("/dashboard", "dashboard/public")),
    });
    if (!answer.ok) throw new Error(`the service refused an image: ${await answer.text()}`);
  }
}

/** Schedules an email and a batch for tomorrow. */
async function schedule(call: ServiceClient, base: string, template_id: string) {
  const scheduled_at = new Date(Date.now() + DAY_MS).toISOString();
  const body = { template_id, scheduled_at };
  await demand(call, "POST", `${base}/send`, { ...body, to: "ada.keller@example.com" });
  await demand(call, "POST", `${base}/send/batch`, {
    ...body,
    recipients: ["ben.hansen@example.org", "cleo.jensen@example.net"].map((to) => ({ to })),
  });
}

const DAY_MS = 86_400_000;

const LAST_SUBJECT = LETTERS.at(-1)?.subject;

const people = () =>
  Array.from({ length: PEOPLE }, (_, n) => {
    const first = FIRST_NAMES[n % FIRST_NAMES.length];
    const last = LAST_NAMES[(n * 7) % LAST_NAMES.length];
    return {
      name: `${first} ${last}`,
      email: `${first}.${last}@${DOMAINS[n % DOMAINS.length]}`.toLowerCase(),
      tags: n % 3 === 0 ? ["member"] : [],
    };
  });

/** Sends the newsletter to all subscribers, and waits until it is finished. */
async function sendLetter(call: ServiceClient, base: string, templateId: string): Promise<string> {
  const started = await demand(call, "POST", `${base}/broadcast`, { template_id: templateId });
  const id = readText(started, "broadcast_id");
  for (;;) {
    const broadcast = await demand(call, "GET", `${base}/broadcasts/${id}`);
    if (readText(broadcast, "state") === "done") return id;
    await delay(POLL_MS);
  }
}

/** Waits until the opens of a broadcast are in its report. */
async function untilOpened(call: ServiceClient, report: string) {
  while (!readField(await demand(call, "GET", report), "opened_human")) await delay(POLL_MS);
}

/** Bounces a mail, and returns its log entry once the bounce is recorded. */
async function bounce(
  call: ServiceClient,
  base: string,
  inbox: string,
  mail: Mail | undefined,
): Promise<string> {
  if (!mail) throw new Error("the mailbox has no mail");
  await fetch(`${inbox}api/messages/${mail.id}/bounce`, { method: "POST" });
  for (;;) {
    const list = readField(await demand(call, "GET", `${base}/logs?status=bounced`), "logs");
    const [entry] = Array.isArray(list) ? list : [];
    if (entry) return readText(entry, "id");
    await delay(POLL_MS);
  }
}

async function demand(call: ServiceClient, ...request: Parameters<ServiceClient>) {
  const answer = await call(...request);
  if (answer.status < 300) return answer.body;
  throw new Error(`the service refused ${request[0]} ${request[1]}: ${describeRefusal(answer)}`);
}
