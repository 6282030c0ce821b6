import { readMemory, remember } from "./memory.ts";
import {
  createServiceClient,
  describeRefusal,
  readField,
  readText,
  type ServiceClient,
} from "./service-client.ts";

/** A project that sends to the local mailbox, with a secret and a public key. */
export interface DemoProject {
  projectId: string;
  apiKey: string;
  publicKey: string | undefined;
}

const MAILBOX_HOST = "127.0.0.1";
/** Credentials that identify SMTP settings created here; the mailbox accepts any login. */
const MAILBOX_LOGIN = { smtp_user: "demo", smtp_password: "demo" };
const DESCRIPTION = "Sends its mail to the local mailbox";
const DEMO_SENDER = { from_name: "Demo", from_email: "hello@demo.example" };

/**
 * Finds the demo project and its keys from an earlier start, or creates them. Each start points the
 * project at the mailbox again, because the port and the encryption key may have changed. Keeps
 * SMTP settings that the user replaced, and skips a mailbox that the service may not connect to,
 * whose rejection would abort the start. Throws if the service rejects a step.
 */
export async function openDemoProject(options: {
  address: string;
  stateDir: string;
  sessionCookie: string;
  mailboxSmtpPort: number;
  mailboxReachable: boolean;
  inboxUrl: string;
}): Promise<DemoProject> {
  const call = createServiceClient(options.address, options.sessionCookie);
  const project = await findOrCreateProject(call, options.stateDir);
  await describeInbox(call, project, options.inboxUrl);
  if (options.mailboxReachable) await wireToMailbox(call, project, options.mailboxSmtpPort);
  const projectId = readText(project, "id");
  if (options.mailboxReachable) {
    await chooseSender(call, projectId);
    await startWelcomeSeries(call, options.stateDir, projectId);
  }
  const { stateDir } = options;
  return {
    projectId,
    apiKey: await findOrCreateKey(call, stateDir, projectId, "apiKey", "sk"),
    publicKey: await findOrCreateKey(call, stateDir, projectId, "publicKey", "pk"),
  };
}

/** Returns the remembered demo project, for when the owner's login is unknown. */
export function recallDemoProject(stateDir: string): DemoProject | undefined {
  const { apiKey, publicKey } = readMemory(stateDir);
  return apiKey && { projectId: apiKey.projectId, apiKey: apiKey.key, publicKey: publicKey?.key };
}

async function findOrCreateProject(call: ServiceClient, stateDir: string): Promise<unknown> {
  const { projectId } = readMemory(stateDir);
  if (projectId) {
    const known = await call("GET", `/api/v1/projects/${projectId}`);
    if (known.status === 200) return known.body;
  }
  const project = await demand(call, "POST", "/api/v1/projects", {
    name: "Demo",
    description: DESCRIPTION,
  });
  remember(stateDir, { projectId: readText(project, "id") });
  return project;
}

/** Puts the current mailbox URL into the project's description, unless the user changed it. */
async function describeInbox(call: ServiceClient, project: unknown, inboxUrl: string) {
  const known = readField(project, "description");
  const description = `${DESCRIPTION} ${inboxUrl}`;
  if (typeof known !== "string" || !known.startsWith(DESCRIPTION) || known === description) return;
  await demand(call, "PUT", `/api/v1/projects/${readText(project, "id")}`, { description });
}

async function wireToMailbox(call: ServiceClient, project: unknown, mailboxSmtpPort: number) {
  const host = readField(project, "smtp_host");
  const isOurs =
    host === MAILBOX_HOST && readField(project, "smtp_user") === MAILBOX_LOGIN.smtp_user;
  if (host && !isOurs) return;
  await demand(call, "PUT", `/api/v1/projects/${readText(project, "id")}/smtp`, {
    smtp_host: MAILBOX_HOST,
    smtp_port: mailboxSmtpPort,
    ...MAILBOX_LOGIN,
    from_name: readField(project, "from_name") ?? DEMO_SENDER.from_name,
    from_email: readField(project, "from_email") ?? DEMO_SENDER.from_email,
  });
}

/**
 * Makes the demo project the sender of service email, unless another one is set or another user is
 * the operator.
 */
async function chooseSender(call: ServiceClient, projectId: string) {
  const { status, body } = await call("GET", "/api/v1/service/mail");
  if (status === 403) return;
  const chosen = readField(body, "project_id");
  if (chosen && chosen !== projectId) return;
  await demand(call, "PUT", "/api/v1/service/mail", { project_id: projectId });
}

/** Those who join with the demo form, by the `metadata.source` that it sends. */
const JOINED_BY_FORM = { type: "joined", where: "source:quickstart" };

/** Starts the ready-made welcome series for those who join with the demo form, once. */
async function startWelcomeSeries(call: ServiceClient, stateDir: string, projectId: string) {
  if (readMemory(stateDir).automationId) return;
  const path = `/api/v1/projects/${projectId}/automations`;
  const list = readField(
    await demand(call, "GET", `${path}/ready-made?language=en`),
    "automations",
  );
  const ready = Array.isArray(list) ? (list as unknown[]) : [];
  const series = ready.find((one) => readField(one, "key") === "welcome_series");
  const made = await demand(call, "POST", path, {
    name: readText(series, "name"),
    trigger: JOINED_BY_FORM,
    steps: readField(series, "steps"),
    reentry: "never",
  });
  const automationId = readText(made, "id");
  remember(stateDir, { automationId });
  await demand(call, "POST", `${path}/${automationId}/start`);
}

async function findOrCreateKey(
  call: ServiceClient,
  stateDir: string,
  projectId: string,
  memory: "apiKey" | "publicKey",
  type: "sk" | "pk",
) {
  const path = `/api/v1/projects/${projectId}/api-keys`;
  const known = readMemory(stateDir)[memory];
  const list = readField(await demand(call, "GET", path), "api_keys");
  const ids = Array.isArray(list) ? list.map((key: unknown) => readField(key, "id")) : [];
  if (known && ids.includes(known.id)) return known.key;
  const made = await demand(call, "POST", path, { name: "npm start", type });
  const key = readText(made, "key");
  remember(stateDir, { [memory]: { id: readText(made, "id"), projectId, key } });
  return key;
}

async function demand(call: ServiceClient, ...request: Parameters<ServiceClient>) {
  const answer = await call(...request);
  if (answer.status < 300) return answer.body;
  throw new Error(`the service refused ${request[0]} ${request[1]}: ${describeRefusal(answer)}`);
}
