import { setTimeout as delay } from "node:timers/promises";
import {
  createServiceClient,
  describeRefusal,
  readField,
  readText,
  type ServiceClient,
} from "../local/service-client.ts";
import { readMails, visitMail, type Mail } from "./read-mails.ts";
import type { DemoService } from "./start-service.ts";
import { writeHistory } from "./write-history.ts";

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
}

const FIRST_NAMES = ["Ada", "Ben", "Cleo", "Dan", "Elif", "Finn", "Gwen", "Hugo", "Ines", "Jan"];
const LAST_NAMES = ["Abbott", "Brandt", "Castro", "Dubois", "Ekberg", "Fischer"];
const OPENED = 34;
const CLICKED = 9;
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
  const template = await demand(call, "POST", `${base}/templates`, LETTER);
  const templateId = readText(template, "id");
  let personId = "";
  for (const person of people())
    personId = readText(await demand(call, "POST", `${base}/subscribers`, person), "id");
  await demand(call, "POST", `${base}/suppressions`, {
    emails: ["ada.abbott@example.com", "jan.fischer@example.com"],
  });
  const broadcastId = await sendLetter(call, base, templateId);
  await delay(SCANNER_MS);
  const mails = await readMails(service.inbox);
  for (const [index, mail] of mails.slice(0, OPENED).entries())
    await visitMail(service.inbox, mail, index < CLICKED);
  const logId = await bounce(call, base, service.inbox, mails.at(-1));
  const draft = await demand(call, "POST", `${base}/broadcasts`, {
    name: "Books for the holidays",
    template_id: templateId,
  });
  const workspaceId = readText(project, "workspace_id");
  const draftId = readText(draft, "id");
  return { projectId, workspaceId, personId, templateId, broadcastId, draftId, logId };
}

const LETTER = {
  name: "Monthly letter",
  subject: "Six new books for long evenings",
  html_body: `<h1>Six new books for long evenings</h1>
<p>Hello {{name}},</p>
<p>the shelves are full again. <a href="https://books.example/new">See what is new</a>.</p>
<p><a href="{{unsubscribe_url}}">Unsubscribe</a></p>`,
};

const people = () =>
  LAST_NAMES.flatMap((last) =>
    FIRST_NAMES.map((first) => ({
      name: `${first} ${last}`,
      email: `${first}.${last}@example.com`.toLowerCase(),
    })),
  );

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
