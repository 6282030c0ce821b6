/*
 * Calls every route of the API that writes: checks its audit entries and searches every store for
 * the secrets and texts it received. A new route fails here until the walk below calls it.
 */
import { env } from "cloudflare:test";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { API_ROUTES } from "../../../src/http/routes.ts";
import { sha256Hex } from "../../../src/lib/hash.ts";
import { randomToken } from "../../../src/lib/random-token.ts";
import { testLicense } from "../../support/license.ts";
import { pngOf } from "../../support/pictures.ts";
import { content, contents, found, keep, secret, secrets } from "../../support/planted.ts";
import { ports } from "../../support/ports.ts";
import { allRows, everyTable } from "../../support/rows.ts";
import { walkAutomations, walkDrafts } from "../../support/audit-walks.ts";
import { createService, unique, type Answer, type Client } from "../../support/service.ts";
import { selfHosted } from "../../support/workspaces.ts";

/** Queues that drop every message: these tests ignore the delivery of mails. */
const queue = { send: async () => {}, sendBatch: async () => {} } as unknown as Queue;
/** Proves the address of the first account, who chooses the sender of the service. */
const SETUP_TOKEN = secret("setup");

const service = createService({
  SETUP_TOKEN,
  ...(await testLicense("team")),
  WAKE_QUEUE: queue,
  WEBHOOK_QUEUE: queue,
});

interface Step {
  what: string;
  status: number;
  actions: string[];
}

const told: Step[] = [];
const promised: Step[] = [];
const called = new Set<string>();
/** Batches that wrote an audit entry and nothing else. */
const lonely: string[] = [];
const lines: string[] = [];
let lastRow = 0;

async function newActions(): Promise<string[]> {
  const { results } = await env.DB.prepare(
    "select rowid, action from audit_entries where rowid > ? order by rowid",
  )
    .bind(lastRow)
    .all<{ rowid: number; action: string }>();
  lastRow = results.at(-1)?.rowid ?? lastRow;
  return results.map(({ action }) => action).toSorted();
}

interface Outcome {
  status: number;
  actions?: string[];
  headers?: Record<string, string>;
}

/** Calls "POST /projects/:x/templates" with these ids, and notes expected and actual entries. */
async function step(
  client: Client,
  route: string,
  ids: unknown[],
  body: unknown,
  { status, actions = [], headers = {} }: Outcome,
): Promise<Answer> {
  const [method = "", template = ""] = route.split(" ");
  const left = [...ids];
  const path = template.replaceAll(":x", () => String(left.shift()));
  await newActions();
  const answer = await client.request(method, path, body, headers);
  called.add(route);
  const what = `${promised.length}: ${route}`;
  promised.push({ what, status, actions });
  const words = answer.status === status ? "" : ` ${JSON.stringify(answer.body)}`;
  told.push({ what: what + words, status: answer.status, actions: await newActions() });
  return answer;
}

const did = (status: number, ...actions: string[]) => ({ status, actions });
const idOf = ({ body }: Answer) => String(body["id"]);

/** Client of an account, from the cookie of an answer. */
function person({ headers }: Answer): Client {
  const cookie = headers.get("Set-Cookie")?.split(";")[0] ?? "";
  keep(cookie.slice("__Host-session=".length));
  const { anonymous } = service;
  const request: Client["request"] = (method, path, body, more = {}) =>
    anonymous.request(method, path, body, { ...more, Cookie: cookie });
  return { ...anonymous, cookie, request, get: (path) => request("GET", path) };
}

async function walkAccounts(): Promise<Client> {
  const { anonymous } = service;
  const email = `${unique("walker")}@people.test`;
  const account = { email, name: "W", password: secret("password"), setup_token: SETUP_TOKEN };
  const [REGISTER, LOGIN] = ["POST /auth/register", "POST /auth/login"];
  person(await step(anonymous, REGISTER, [], account, did(201, "workspace.create")));
  await step(anonymous, REGISTER, [], account, did(409));
  const wrong = { email, password: secret("wrong-password") };
  await step(anonymous, LOGIN, [], wrong, did(401, "user.login_failed"));
  const stranger = { email: "no@people.test", password: secret("stranger") };
  await step(anonymous, LOGIN, [], stranger, did(401, "user.login_failed"));
  const loggedIn = did(200, "user.login", "user.login"); // in the account and in its workspace
  const logIn = async (password: string) =>
    person(await step(anonymous, LOGIN, [], { email, password }, loggedIn));
  const walker = await logIn(account.password);
  const other = await logIn(account.password);
  const passwords = { current_password: account.password, new_password: secret("new-password") };
  await step(walker, "POST /auth/password", [], passwords, did(204, "user.password_changed"));
  await step(walker, "POST /auth/password", [], passwords, did(400));
  await step(other, "POST /auth/logout", [], undefined, did(401));
  await step(await logIn(passwords.new_password), "POST /auth/logout", [], undefined, did(204));
  await logIn(passwords.new_password);
  const { body } = await walker.get<{ sessions: { id: string }[] }>("/auth/sessions");
  const made = did(201, "user.token_created");
  const token = await step(walker, "POST /auth/tokens", [], { name: "CI" }, made);
  keep(token.body["token"]);
  const endToken = did(204, "user.token_ended");
  await step(walker, "DELETE /auth/tokens/:x", [idOf(token)], undefined, endToken);
  const BEGIN = "POST /auth/device";
  const begun = (await step(anonymous, BEGIN, [], { name: "CLI" }, did(200))).body;
  const { user_code, device_code } = begun;
  keep(device_code);
  await step(walker, `${BEGIN}/look-up`, [], { user_code }, did(200));
  const yes = { user_code, approve: true };
  await step(walker, `${BEGIN}/answer`, [], yes, did(204, "user.token_created"));
  const issued = await step(anonymous, `${BEGIN}/token`, [], { device_code }, did(200));
  keep(issued.body["access_token"]);
  const END = "DELETE /auth/sessions/:x";
  const one = [body.sessions[0]?.id];
  await step(walker, END, one, undefined, did(204, "user.session_ended"));
  await step(walker, END, one, undefined, did(404));
  return walker;
}

async function walkWorkspaces(walkedBy: Client): Promise<void> {
  const walker = selfHosted(service, walkedBy);
  const ONE = "/workspaces/:x";
  const named = did(201, "workspace.create");
  const id = idOf(await step(walker, "POST /workspaces", [], { name: "Team" }, named));
  await step(walker, "POST /workspaces", [], { name: "" }, did(400));
  await step(walker, `PATCH ${ONE}`, [id], { name: "Crew" }, did(200, "workspace.rename"));
  const user = { email: `${unique("user")}@people.test`, name: "Una", password: secret("user") };
  // Each account has a workspace of its own.
  const made = did(201, "workspace.create", "workspace.user_created");
  const { body } = await step(walker, `POST ${ONE}/users`, [id], user, made);
  await step(walker, `POST ${ONE}/users`, [id], user, did(409));
  const member = [id, body["user_id"]];
  const MEMBER = `${ONE}/members/:x`;
  const changed = did(204, "workspace.member_role_changed");
  await step(walker, `PATCH ${MEMBER}`, member, { role: "viewer" }, changed);
  await step(walker, `PATCH ${MEMBER}`, member, { role: "viewer" }, did(204));
  await step(walker, `PATCH ${MEMBER}`, member, { role: "king" }, did(400));
  const removed = did(204, "workspace.member_removed");
  await step(walker, `DELETE ${MEMBER}`, member, undefined, removed);
  await step(walker, `DELETE ${MEMBER}`, member, undefined, did(404));
  await step(walker, `PATCH ${MEMBER}`, member, { role: "viewer" }, did(404));
  const ADD = `POST ${ONE}/members`;
  const { email } = user;
  await step(walker, ADD, [id], { email }, did(201, "workspace.member_added"));
  await step(walker, ADD, [id], { email }, did(201));
  const promoted = did(201, "workspace.member_role_changed");
  await step(walker, ADD, [id], { email, role: "admin" }, promoted);
  await step(walker, ADD, [id], { email: `${content("nobody")}@people.test` }, did(404));
  await step(walker, `DELETE ${ONE}`, [id], undefined, did(204, "workspace.delete"));
  await step(walker, `DELETE ${ONE}`, [id], undefined, did(404));
  await step(walker, `PATCH ${ONE}`, [id], { name: "Late" }, did(404));
}

async function walkSettings(walker: Client, id: string): Promise<void> {
  const ONE = "/projects/:x";
  await step(walker, `PUT ${ONE}`, [id], { name: "Shop" }, did(200, "project.update"));
  await step(walker, `PUT ${ONE}`, [id], { name: "" }, did(400));
  const smtp = {
    smtp_host: "127.0.0.1",
    smtp_port: ports.smtp,
    smtp_user: "user",
    smtp_password: secret("smtp"), // not the password that the server accepts
    from_email: "sender@postrider.test",
  };
  await step(walker, `PUT ${ONE}/smtp`, [id], { ...smtp, smtp_port: 25 }, did(400));
  await step(walker, `PUT ${ONE}/smtp`, [id], smtp, did(200, "smtp.update"));
  await step(walker, `POST ${ONE}/smtp/test`, [id], undefined, did(502));
  await step(walker, `PUT ${ONE}/sending`, [id], { max_connections: 6 }, did(400));
  await step(walker, `PUT ${ONE}/sending`, [id], { max_per_day: 9 }, did(200, "sending.update"));
  const BOUNCES = `PUT ${ONE}/bounce-settings`;
  const settings = { suppress_on_any_5xx: true };
  await step(walker, BOUNCES, [id], {}, did(400));
  await step(walker, BOUNCES, [id], settings, did(200, "bounce_settings.update"));
  const mailed = did(200, "mail_settings.update");
  await step(walker, `PUT ${ONE}/mail-settings`, [id], { senders: [] }, mailed);
  await step(walker, `PATCH ${ONE}/brand`, [id], { accent: "#1d4ed8" }, mailed);
  const AUDIENCE = `PUT ${ONE}/audience-settings`;
  await step(walker, AUDIENCE, [id], {}, did(400));
  await step(walker, AUDIENCE, [id], { language: "de" }, did(200, "audience_settings.update"));
  const unknown = { emails: [`${content("unreported")}@people.test`] };
  await step(walker, `POST ${ONE}/bounces/unverified/suppress`, [id], unknown, did(200));
  const reply = { reply: "550 5.1.1 no such user" };
  await step(walker, `POST ${ONE}/bounces/explain`, [id], reply, did(200));
  const IMAP = `${ONE}/bounce-imap`;
  const imap = {
    enabled: true,
    host: "127.0.0.1",
    port: ports.smtp,
    user: "u",
    password: secret("imap"),
  };
  await step(walker, `PUT ${IMAP}`, [id], { ...imap, port: 143 }, did(400));
  await step(walker, `PUT ${IMAP}`, [id], imap, did(200, "bounce_imap.update"));
  await step(walker, `POST ${IMAP}/test`, [id], undefined, did(502));
  const tokenIn = ({ body }: Answer) =>
    keep(new URL(String(body["url"])).searchParams.get("token"));
  tokenIn(await walker.get(`/projects/${id}/bounce-webhook`));
  const rotated = did(200, "bounce_token.rotate");
  tokenIn(await step(walker, `POST ${ONE}/bounce-webhook/rotate`, [id], undefined, rotated));
  const [SIGNATURES, HOOK] = [`PUT ${ONE}/bounce-webhook/signatures`, `${ONE}/auth-hooks/:x`];
  const mailgun = { mailgun_signing_key: secret("mailgun") };
  await step(walker, SIGNATURES, [id], {}, did(400));
  await step(walker, SIGNATURES, [id], mailgun, did(200, "bounce_ingest.update"));
  await step(walker, `PUT ${HOOK}`, [id, "clerk"], { secret: "" }, did(200, "auth_hook.update"));
  await step(walker, `POST ${HOOK}/rotate`, [id, "clerk"], {}, did(200, "auth_hook.rotate"));
}

/** Token as a mail would carry it. */
async function mailed(kind: string, subject: string, to?: string): Promise<string> {
  const token = randomToken();
  secrets.push(token);
  await env.DB.prepare("insert into mailed_tokens values (?, ?, ?, 0, ?, ?)")
    .bind(sha256Hex(token), kind, subject, Date.now() + 60_000, to ?? null)
    .run();
  return token;
}

async function walkRecovery(walker: Client, id: string): Promise<void> {
  const { anonymous } = service;
  const SENDER = "PUT /service/mail";
  await step(walker, SENDER, [], { project_id: crypto.randomUUID() }, did(404));
  await step(walker, SENDER, [], { project_id: id }, did(200, "service.mail_update"));
  await env.DB.prepare("insert into dead_letters values (?, '', '', '', ?, 0, 0, null, 0)")
    .bind(id, JSON.stringify({ type: "webhook_due", webhookId: id }))
    .run();
  const REPLAY = "POST /service/dead-letters/:x/replay";
  await step(walker, REPLAY, [id], undefined, did(200, "service.dead_letter_replay"));
  await step(walker, REPLAY, [id], undefined, did(200)); // sends nothing
  const account = { email: `${unique("lost")}@people.test`, name: "L", password: secret("lost") };
  const made = await step(
    anonymous,
    "POST /auth/register",
    [],
    account,
    did(201, "workspace.create"),
  );
  const user = (made.body["user"] as { id: string }).id;
  const lost = person(made);
  await step(anonymous, "POST /auth/forgot", [], { email: account.email }, did(204));
  await step(lost, "POST /auth/confirm/resend", [], undefined, did(204));
  const confirm = { token: await mailed("confirm", user) };
  const CONFIRM = "POST /auth/confirm";
  await step(lost, CONFIRM, [], confirm, did(204, "user.address_confirmed"));
  await step(lost, CONFIRM, [], confirm, did(400));
  const moving = { email: `${content("new")}@people.test`, current_password: account.password };
  await step(lost, "POST /auth/email", [], moving, did(204));
  const move = { token: await mailed("confirm", user, moving.email) };
  await step(lost, CONFIRM, [], move, did(204, "user.email_changed"));
  await step(lost, "PATCH /auth/me", [], { name: content("name") }, did(200, "user.update"));
  const reset = { token: await mailed("reset", user), password: secret("chosen") };
  await step(anonymous, "POST /auth/reset", [], reset, did(204, "user.password_reset"));
  await step(anonymous, "POST /auth/reset", [], reset, did(400));
  const place = idOf(await walker.request("POST", "/workspaces", { name: "Guests" }));
  const LIST = "/workspaces/:x/invitations";
  const guest = { email: `${content("guest")}@people.test`, role: "viewer" };
  const sent = did(201, "workspace.invitation_sent");
  const one = [place, idOf(await step(walker, `POST ${LIST}`, [place], guest, sent))];
  await step(walker, `POST ${LIST}`, [place], guest, did(409));
  const resent = did(200, "workspace.invitation_resent");
  await step(walker, `POST ${LIST}/:x/resend`, one, undefined, resent);
  const invitation = { token: await mailed("invitation", String(one[1])) };
  await step(anonymous, "POST /auth/invitations/look-up", [], invitation, did(200));
  const accept = { ...invitation, name: "Gina", password: secret("guest") };
  const ACCEPT = "POST /auth/invitations/accept";
  const accepted = did(201, "workspace.create", "workspace.invitation_accepted");
  await step(anonymous, ACCEPT, [], accept, accepted);
  await step(anonymous, ACCEPT, [], accept, did(400));
  const second = [place, idOf(await step(walker, `POST ${LIST}`, [place], other(guest), sent))];
  const withdrawn = did(204, "workspace.invitation_withdrawn");
  await step(walker, `DELETE ${LIST}/:x`, second, undefined, withdrawn);
  await step(walker, `DELETE ${LIST}/:x`, second, undefined, did(404));
}

const other = (guest: { role: string }) => ({
  ...guest,
  email: `${content("other-guest")}@people.test`,
});

async function walkKeys(walker: Client, id: string): Promise<Client> {
  const KEYS = "/projects/:x/api-keys";
  let last = service.anonymous;
  for (const type of ["pk", "sdk", "sk"]) {
    const body = { name: type, type };
    const key = await step(walker, `POST ${KEYS}`, [id], body, did(201, "api_key.create"));
    last = service.withKey(keep(key.body["key"]));
    if (type !== "pk") continue;
    const one = [id, idOf(key)];
    await step(walker, `DELETE ${KEYS}/:x`, one, undefined, did(204, "api_key.revoke"));
    await step(walker, `DELETE ${KEYS}/:x`, one, undefined, did(404));
  }
  await step(walker, `POST ${KEYS}`, [id], { name: "x", type: "root" }, did(400));
  return last;
}

async function walkSubscribers(walker: Client, sk: Client, id: string): Promise<void> {
  const SUBSCRIBERS = "/projects/:x/subscribers";
  const email = (word: string) => `${content(word)}@people.test`;
  const body = {
    email: email("subscriber"),
    name: content("name"),
    metadata: { plan: content("plan") },
  };
  const one = [id, idOf(await step(sk, `POST ${SUBSCRIBERS}`, [id], body, did(201)))];
  await step(sk, `POST ${SUBSCRIBERS}`, [id], body, did(409));
  await step(sk, `POST ${SUBSCRIBERS}/import`, [id], [{ email: email("import") }], did(200));
  const IMPORTS = "POST /projects/:x/imports";
  await step(sk, IMPORTS, [id], { name: "Spring fair" }, did(201, "import.create"));
  await step(sk, IMPORTS, [id], {}, did(400));
  const file = `email,unsubscribed\n${email("moved")},false\n`;
  const LIST = "POST /projects/:x/audience/import";
  await step(sk, LIST, [id], { file, dry_run: true }, did(200));
  await step(sk, LIST, [id], { file }, did(200, "audience.import"));
  await step(sk, LIST, [id], { file: "" }, did(400));
  await step(sk, "POST /projects/:x/import", [id], "no export", did(400));
  await step(walker, `PATCH ${SUBSCRIBERS}/:x`, one, { status: "unsubscribed" }, did(200));
  const TOPICS = "/projects/:x/topics";
  const named = { name: "News", description: content("description") };
  const topic = idOf(await step(sk, `POST ${TOPICS}`, [id], named, did(201, "topic.create")));
  await step(sk, `POST ${TOPICS}`, [id], named, did(409));
  const consents = { [topic]: "subscribed" };
  const CONSENTS = `PUT ${SUBSCRIBERS}/:x/topics`;
  await step(walker, CONSENTS, one, consents, did(200, "subscriber.topics"));
  await step(walker, CONSENTS, one, consents, did(200)); // no change
  await step(walker, CONSENTS, one, { [id]: "subscribed" }, did(400));
  await walkItem(sk, TOPICS, [id, topic], { name: "Product news" });
  const SEGMENTS = "/projects/:x/segments";
  const saved = { name: "Readers", where: `email:"${content("where")}"` };
  const segment = idOf(await step(sk, `POST ${SEGMENTS}`, [id], saved, did(201, "segment.create")));
  await step(sk, `POST ${SEGMENTS}`, [id], saved, did(409));
  await step(sk, `POST ${SEGMENTS}/preview`, [id], { where: saved.where }, did(200));
  await step(sk, `POST ${SEGMENTS}/counts`, [id], { segment_ids: [segment] }, did(200));
  await walkItem(sk, SEGMENTS, [id, segment], { name: "All readers" });
  const FIELDS = "/projects/:x/fields";
  const key = { key: "plan" };
  const field = idOf(await step(sk, `POST ${FIELDS}`, [id], key, did(201, "field.create")));
  await step(sk, `POST ${FIELDS}`, [id], key, did(409));
  await walkItem(sk, FIELDS, [id, field], { label: "Plan" });
  const FORMS = "/projects/:x/forms";
  const form = { name: "Website", title: "News" };
  await step(walker, `POST ${FORMS}/preview`, [id], { name: "" }, did(400));
  const formId = idOf(await step(sk, `POST ${FORMS}`, [id], form, did(201, "form.create")));
  await walkItem(sk, FORMS, [id, formId], { is_open: false });
  const bulk = { action: "delete", ids: [crypto.randomUUID()] };
  await step(walker, `POST ${SUBSCRIBERS}/bulk`, [id], bulk, did(200));
  await step(walker, `DELETE ${SUBSCRIBERS}/:x`, one, undefined, did(204));
  const gone = { email: email("gone") };
  const ERASURES = "/projects/:x/erasures";
  await step(walker, `POST ${ERASURES}`, [id], gone, did(204, "subscriber.erase"));
  const consent = { ...gone, consent: "asked us on the phone" };
  await step(walker, `POST ${ERASURES}/lift`, [id], consent, did(409)); // not over yet
  await env.DB.prepare("update erased_addresses set due_at = null, work_sealed = null").run();
  await step(walker, `POST ${ERASURES}/lift`, [id], consent, did(204, "subscriber.erasure_lifted"));
  await step(walker, `POST ${ERASURES}/lift`, [id], consent, did(404));
  const waiting = { email: email("waiting") };
  await step(service.anonymous, "POST /projects/:x/waitlist", [id], waiting, did(200));
}

async function walkItem(sk: Client, list: string, ids: string[], change: object): Promise<void> {
  const [, , , kind = ""] = list.slice(0, -1).split("/");
  await step(sk, `PATCH ${list}/:x`, ids, change, did(200, `${kind}.update`));
  await step(sk, `PATCH ${list}/:x`, [ids[0], ids[0]], change, did(404));
  await step(sk, `DELETE ${list}/:x`, ids, undefined, did(204, `${kind}.delete`));
  await step(sk, `DELETE ${list}/:x`, ids, undefined, did(404));
}

async function walkSuppressions(walker: Client, id: string): Promise<void> {
  const LIST = "/projects/:x/suppressions";
  const body = { emails: [`${unique("suppressed")}@people.test`], source: content("source") };
  await step(walker, `POST ${LIST}`, [id], body, did(200, "suppression.add"));
  await step(walker, `POST ${LIST}`, [id], body, did(200)); // no change
  await step(walker, `POST ${LIST}`, [id], { emails: ["nobody"] }, did(200));
  await step(walker, `POST ${LIST}`, [id], { emails: [] }, did(400));
  const { body: list } = await walker.get<{ suppressions: { id: string }[] }>(
    `/projects/${id}/suppressions`,
  );
  const one = [id, list.suppressions[0]?.id];
  await step(walker, `DELETE ${LIST}/:x`, one, undefined, did(204, "suppression.delete"));
  await step(walker, `DELETE ${LIST}/:x`, one, undefined, did(404));
}

async function walkTemplates(walker: Client, id: string): Promise<string> {
  const TEMPLATES = "/projects/:x/templates";
  const body = {
    name: unique("template"),
    subject: content("subject"),
    html_body: `<p>${content("html")} {{email}}</p>`,
    text_body: content("text"),
  };
  const broken = { ...body, html_body: "{{#if}}" };
  const made = did(201, "template.create");
  await step(walker, `POST ${TEMPLATES}`, [id], broken, did(400));
  const kept = idOf(await step(walker, `POST ${TEMPLATES}`, [id], body, made));
  const change = { html_body: `<p>${content("changed")}</p>` };
  await step(walker, `PUT ${TEMPLATES}/:x`, [id, kept], change, did(200, "template.update"));
  await step(walker, `PUT ${TEMPLATES}/:x`, [id, id], change, did(404));
  const draft = { html_body: content("draft"), data: { code: content("preview") } };
  await step(walker, `POST ${TEMPLATES}/preview`, [id], draft, did(200));
  const recipients = { to: [`${content("tester")}@postrider.test`], data: draft.data };
  await step(walker, `POST ${TEMPLATES}/:x/test`, [id, kept], recipients, did(200));
  const DUPLICATE = `POST ${TEMPLATES}/:x/duplicate`;
  await step(walker, DUPLICATE, [id, kept], {}, made);
  const { body: list } = await walker.get<{ versions: { id: string }[] }>(
    `/projects/${id}/templates/${kept}/versions`,
  );
  const RESTORE = `POST ${TEMPLATES}/:x/versions/:x/restore`;
  const version = [id, kept, list.versions[0]?.id];
  await step(walker, RESTORE, version, undefined, did(200, "template.update"));
  await step(walker, RESTORE, [id, kept, id], undefined, did(404));
  const BLOCKS = "/projects/:x/saved-blocks";
  const quote = { name: "Quote", block: { type: "quote", text: content("block") } };
  const saved = await step(walker, `POST ${BLOCKS}`, [id], quote, did(201, "saved_block.create"));
  const at = [id, idOf(saved)];
  await step(walker, `DELETE ${BLOCKS}/:x`, at, undefined, did(204, "saved_block.delete"));
  const IMAGES = "/projects/:x/images";
  const added = did(201, "image.create");
  const place = [id, idOf(await step(walker, `POST ${IMAGES}`, [id], pngOf(2, 2), added))];
  await step(walker, `PATCH ${IMAGES}/:x`, place, { alt: "Logo" }, did(200, "image.update"));
  await step(walker, `DELETE ${IMAGES}/:x`, place, undefined, did(204, "image.delete"));
  const other = { ...body, name: unique("template") };
  const gone = [id, idOf(await step(walker, `POST ${TEMPLATES}`, [id], other, made))];
  await step(walker, `DELETE ${TEMPLATES}/:x`, gone, undefined, did(204, "template.delete"));
  await step(walker, `DELETE ${TEMPLATES}/:x`, gone, undefined, did(404));
  return kept;
}

async function walkSending(sk: Client, id: string, template: string): Promise<void> {
  const mail = {
    to: "to@postrider.test",
    subject: content("mail-subject"),
    html_body: `<p>${content("mail-html")}</p>`,
    text_body: content("mail-text"),
    headers: { "X-Canary": content("header") },
    tags: { canary: content("tag") },
    attachments: [{ filename: "a.txt", content: btoa(content("attachment")) }],
  };
  const headers = { "Idempotency-Key": content("idempotency-key") };
  // The server refuses the password.
  await step(sk, "POST /projects/:x/send", [id], mail, { status: 502, headers });
  await step(sk, "POST /projects/:x/logs/:x/resend", [id, id], {}, did(404));
  await step(sk, "POST /projects/:x/logs/:x/cancel", [id, id], undefined, did(404));
  const at = { scheduled_at: new Date(Date.now() + 60_000).toISOString() };
  await step(sk, "PATCH /projects/:x/logs/:x", [id, id], at, did(404));
  await step(sk, "PATCH /projects/:x/batches/:x", [id, id], at, did(404));
  await step(sk, "POST /projects/:x/batches/:x/cancel", [id, id], undefined, did(404));
  const recipients = [{ to: "to@postrider.test", data: { code: content("data") } }];
  const batch = { template_id: template, recipients };
  await step(sk, "POST /projects/:x/send/batch", [id], batch, did(200));

  const START = "POST /projects/:x/broadcast";
  const accepted = { ...did(202, "broadcast.send"), headers: { Prefer: "respond-async" } };
  const started = await step(sk, START, [id], { template_id: template }, accepted);
  await step(sk, START, [id], { template_id: id }, did(404));
  const one = [id, started.body["broadcast_id"]];
  for (const move of ["pause", "resume", "cancel"]) {
    const route = `POST /projects/:x/broadcasts/:x/${move}`;
    await step(sk, route, one, undefined, did(200, `broadcast.${move}`));
    await step(sk, route, one, undefined, did(409));
    await step(sk, route, [id, id], undefined, did(404));
  }
}

async function walkWebhooks(walker: Client, id: string): Promise<void> {
  const HOOKS = "/projects/:x/webhooks";
  const url = `http://127.0.0.1:9/hook?key=${content("url-key")}`;
  const hook = await step(walker, `POST ${HOOKS}`, [id], { url }, did(201, "webhook.create"));
  keep(hook.body["secret"]);
  await step(walker, `POST ${HOOKS}`, [id], { url: "gopher://x" }, did(400));
  const one = [id, idOf(hook)];
  const tested = await step(walker, `POST ${HOOKS}/:x/test`, one, undefined, did(202));
  const delivery = [...one, idOf(tested)];
  await step(walker, `POST ${HOOKS}/:x/deliveries/:x/replay`, delivery, undefined, did(202));
  const paused = { active: false };
  await step(walker, `PATCH ${HOOKS}/:x`, one, paused, did(200, "webhook.update"));
  await step(walker, `PATCH ${HOOKS}/:x`, [id, id], paused, did(404));
  await step(walker, `DELETE ${HOOKS}/:x`, one, undefined, did(204, "webhook.delete"));
  await step(walker, `DELETE ${HOOKS}/:x`, one, undefined, did(404));
}

/** Final answer of the endpoint. */
let shown: { entries: unknown[]; total: number };

beforeAll(async () => {
  for (const level of ["debug", "log", "info", "warn", "error"] as const)
    vi.spyOn(console, level).mockImplementation((...words: unknown[]) => {
      lines.push(words.map(String).join(" "));
    });
  service.d1.before = (sql) => {
    const entries = sql.filter((text) => text.includes('into "audit_entries"'));
    const writes = sql.filter((text) => /^\s*(?:insert|update|delete)/i.test(text));
    if (entries.length > 0 && writes.length === entries.length) lonely.push(sql.join("\n"));
  };
  const walker = await walkAccounts();
  await walkWorkspaces(walker);
  const newProject = async (name: string) =>
    idOf(await step(walker, "POST /projects", [], { name }, did(201, "project.create")));
  const id = await newProject("Shop");
  await step(walker, "POST /projects", [], { name: "" }, did(400));
  await walkSettings(walker, id);
  await walkRecovery(walker, id);
  const sk = await walkKeys(walker, id);
  await walkSubscribers(walker, sk, id);
  await walkSuppressions(walker, id);
  const template = await walkTemplates(walker, id);
  const walk = { step, did, idOf, content };
  await walkDrafts(walk, sk, id, template);
  await walkAutomations(walk, walker, id);
  await walkSending(sk, id, template);
  await walkWebhooks(walker, id);
  shown = (await walker.get<typeof shown>(`/projects/${id}/audit-log?limit=200`)).body;
  const gone = [await newProject("Gone")];
  await step(walker, "DELETE /projects/:x", gone, undefined, did(204, "project.delete"));
  await step(walker, "DELETE /projects/:x", gone, undefined, did(404));
  await step(walker, "PUT /projects/:x", gone, { name: "Late" }, did(404));
}, 60_000);

afterAll(() => {
  service.d1.before = undefined;
  vi.restoreAllMocks();
});

describe("the audit trail", () => {
  it("gets exactly one entry for each write, and none for anything that did not happen", () => {
    expect(told).toEqual(promised);
  });

  it("is checked for every route that writes", () => {
    const writing = API_ROUTES.filter(({ method }) => method !== "GET").map(
      ({ method, path }) => `${method} ${path.replaceAll(/:\w+(?:\{[^}]*\})?/g, ":x")}`,
    );
    expect(writing.filter((route) => !called.has(route))).toEqual([]);
  });

  it("is written in the batch of its write; only a failed login writes nothing else", () => {
    const failed = promised.filter(({ actions }) => actions.includes("user.login_failed"));
    expect(failed).toHaveLength(2);
    expect(lonely).toHaveLength(failed.length);
  });

  it("contains no secret and no content, in the table or in the endpoint's response", async () => {
    const table = JSON.stringify(await allRows("select * from audit_entries"));
    const plants = [...secrets, ...contents];
    expect(plants.length).toBeGreaterThan(35);
    expect(found(table, plants)).toEqual([]);
    expect(shown.total).toBeGreaterThan(20);
    expect(shown.entries).toHaveLength(shown.total);
    expect(found(JSON.stringify(shown), plants)).toEqual([]);
  });
});

describe("secrets", () => {
  it("are not stored in plain text in any table of the database", async () => {
    const tables = await everyTable();
    expect(tables.length).toBeGreaterThan(20);
    for (const { name, rows } of tables)
      expect([name, found(JSON.stringify(rows), secrets)]).toEqual([name, []]);
    // The search works: it finds stored contents.
    expect(found(JSON.stringify(tables), contents).length).toBeGreaterThan(6);
  });

  it("do not appear in the log, nor does the content of mails", () => {
    expect(found(lines.join("\n"), [...secrets, ...contents])).toEqual([]);
  });
});
