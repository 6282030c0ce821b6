import { execFile, spawnSync } from "node:child_process";
import { once } from "node:events";
import { statSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFailed, vi } from "vitest";
import { firstSend, LANGUAGES } from "../../src/lib/snippets.ts";
import { withDatabase } from "../../scripts/accounts/with-database.ts";
import { localDatabaseFile } from "../../scripts/local/local-database.ts";
import { refuseTakenPorts } from "../../scripts/local/ports.ts";
import { findBrowser, openBrowser } from "./support/browser.ts";
import { callByDocument } from "./support/document-client.ts";
import { startEventReceiver } from "./support/event-receiver.ts";
import { DEAD_LETTER, insertedEntry } from "./support/faults.ts";
import {
  ANNOUNCED,
  endEverything,
  killEverything,
  killService,
  leftovers,
  logIn,
  makeStateDir,
  NODE,
  readJson,
  readLine,
  requestLogIn,
  runCurl,
  start,
  type Run,
} from "./support/local-run.ts";
import { freePorts } from "../support/free-port.ts";

// Waits without blocking: a blocked process would not notice that the service closes a connection.
const execute = promisify(execFile);

const START_TIMEOUT_MS = 300_000;
/** The scripts of package.json have this option too: node:sqlite is experimental in Node 22. */
const QUIET = "--disable-warning=ExperimentalWarning";
const browserPath = findBrowser();

const CLIENT = join(process.cwd(), "client/src/index.ts");
/** File and command that run a snippet, by language. */
const RUNNERS: Record<string, string[]> = {
  curl: ["curl.sh", "sh"],
  "Node, fetch": ["fetch.mjs", NODE],
  "Node, client": ["client.mjs", NODE],
  Python: ["python.py", "python3"],
  PHP: ["php.php", "php"],
  Go: ["go.go", "go", "run"],
};
/** Returns true if the machine has the interpreter of a language. */
const isHere = (name: string) => !spawnSync(RUNNERS[name]?.[1] ?? "", ["--help"]).error;

interface LogEntry {
  to_email: string;
  status: string;
}

interface Mail {
  id: string;
  subject: string;
  to: string[];
}

const sessions = new WeakMap<Run, string>();

/** Session of the owner, one per run: logins are limited. */
async function ownerOf(run: Run): Promise<string> {
  const session = sessions.get(run) ?? (await logIn(run));
  sessions.set(run, session);
  return session;
}

async function readLog(run: Run): Promise<LogEntry[]> {
  const path = `/api/v1/projects/${readLine(run, "Project")}/logs`;
  const headers = { Cookie: await ownerOf(run) };
  const response = await fetch(readLine(run, "Address") + path, { headers });
  return (await readJson<{ logs: LogEntry[] }>(response)).logs;
}

async function readInbox(run: Run): Promise<Mail[]> {
  const response = await fetch(`${readLine(run, "Inbox")}api/messages`);
  return (await readJson<{ messages: Mail[] }>(response)).messages;
}

/** Runs `npm run doctor` on a service. Rejects with its output when it finds a fault. */
function doctor(stateDir: string, { ports }: Run, env: Record<string, string> = {}) {
  return execute(NODE, [QUIET, "scripts/doctor.ts"], {
    env: { ...process.env, STATE_DIR: stateDir, PORT: String(ports.PORT), ...env },
  });
}

/**
 * Takes the port of a service that is starting: the run finds it healthy, and `handle` gets all
 * other calls.
 */
async function takeSetUpCalls(
  { ports, ended }: Run,
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void> | void,
) {
  const server = createServer((request, response) => {
    if (request.url === "/health") response.end("{}");
    else void handle(request, response);
  });
  await once(server.listen(ports.PORT, "127.0.0.1"), "listening");
  void ended.then(() => server.close());
}

async function askForWebhooks(run: Run): Promise<Response> {
  const path = `/api/v1/projects/${readLine(run, "Project")}/webhooks`;
  return fetch(readLine(run, "Address") + path, { headers: { Cookie: await ownerOf(run) } });
}

async function expectAllGone(run: Run) {
  if (process.platform === "linux") expect(leftovers()).toEqual([]);
  await expect(refuseTakenPorts(run.ports)).resolves.toBeUndefined();
}

afterAll(endEverything);

describe("npm start", { timeout: START_TIMEOUT_MS }, () => {
  const stateDir = makeStateDir();
  let first: Run;
  let browser: Browser | undefined;
  /** Log of the first run when it stops. */
  let logged: LogEntry[];

  /** Opens a page with cookies of its own. */
  const newPage = async () => {
    browser ??= await openBrowser(browserPath ?? "");
    return browser.newPage();
  };

  beforeAll(async () => {
    first = await start(stateDir, ANNOUNCED);
  }, START_TIMEOUT_MS);
  afterAll(() => browser?.close());

  it("prints the URL, a login, the inbox and a curl command whose mail arrives there, with links to that URL", async () => {
    expect(readLine(first, "Address")).toBe(`http://127.0.0.1:${first.ports.PORT}`);
    expect(readLine(first, "Password").length).toBeGreaterThanOrEqual(16);
    expect(await runCurl(first)).toMatchObject({ message: "sent" });
    const [mail] = await readInbox(first);
    expect(mail).toMatchObject({ subject: "Hello from Postrider", to: ["you@example.com"] });
    const [entry] = await readLog(first);
    expect(entry).toMatchObject({ to_email: "you@example.com", status: "sent" });
    const response = await fetch(`${readLine(first, "Inbox")}api/messages/${mail?.id}`);
    const { html } = await readJson<{ html: string }>(response);
    expect(html).toContain(`href="${readLine(first, "Address")}/c/`);
  });

  it("sends invitations and password links through the demo project", async () => {
    const headers = { Cookie: await ownerOf(first) };
    const response = await fetch(`${readLine(first, "Address")}/api/v1/service/mail`, { headers });
    expect(await readJson(response)).toEqual({
      project_id: readLine(first, "Project"),
      ready: true,
    });
  });

  it("has a license that it signed itself", async () => {
    expect((await askForWebhooks(first)).status).toBe(200);
  });

  it.runIf(browserPath)("serves a page from another origin that adds a subscriber", async () => {
    const page = await newPage();
    const reader = `reader-${Date.now()}@example.com`;
    await page.goto(readLine(first, "Join form"));
    const says = async (words: RegExp) => {
      await page.getByRole("button", { name: "Join" }).click();
      await page.getByRole("status").filter({ hasText: words }).waitFor();
    };
    await says(/Please enter an email address/);
    await page.getByLabel("Email address").fill(reader);
    await says(/Thank you! A mail is on its way to reader-\d+@example\.com/);
    await page.getByLabel("Email address").fill(reader.replace("reader", "Reader"));
    await says(/You are already on the list/);
    const path = `/api/v1/projects/${readLine(first, "Project")}/subscribers?search=${reader}`;
    const headers = { Cookie: await ownerOf(first) };
    const response = await fetch(readLine(first, "Address") + path, { headers });
    expect(await readJson(response)).toMatchObject({
      subscribers: [{ email: reader, status: "active" }],
    });
    await expect
      .poll(() => readInbox(first), { timeout: 15_000 })
      .toContainEqual(expect.objectContaining({ to: [reader], subject: "Welcome to Demo" }));
    const list = `/api/v1/projects/${readLine(first, "Project")}/automations`;
    const series = await fetch(readLine(first, "Address") + list, { headers });
    expect(await readJson(series)).toMatchObject({
      automations: [{ name: "Welcome series", state: "active", people: { inside: 1 } }],
    });
  });

  for (const { name, write } of LANGUAGES)
    it.runIf(isHere(name))(`receives the first email of a program for ${name}`, async () => {
      const [file = "", command = "", ...parameters] = RUNNERS[name] ?? [];
      const email = `${file}-o'neil@example.com`;
      const key = readLine(first, "API key");
      const projectId = readLine(first, "Project");
      const call = firstSend({ origin: readLine(first, "Address"), projectId, key, email });
      const subject = String.raw`Ann's "50 %" \ \n $5 ${"`"}x${"`"} #{1} é`;
      const program = write({ ...call, body: { ...call.body, subject } });
      const path = join(stateDir, file);
      writeFileSync(path, program.replace('"postrider-client"', JSON.stringify(CLIENT)));
      const env = { ...process.env, NO_PROXY: "127.0.0.1" };
      const { stdout } = await execute(command, [...parameters, path], { env });
      expect(stdout).toMatch(/message\W+sent/);
      expect(await readInbox(first)).toContainEqual(
        expect.objectContaining({ to: [email], subject }),
      );
    });

  it.runIf(browserPath)(
    "renders every operation of the API on its page, and Swagger's client makes calls from the document alone",
    async () => {
      const address = readLine(first, "Address");
      const faults: string[] = [];
      const page = await newPage();
      page.on("console", (said) => said.type() === "error" && faults.push(said.text()));
      page.on("pageerror", (error) => faults.push(String(error)));
      page.on("request", (request) => {
        const url = request.url();
        if (!url.startsWith(`${address}/`) && !url.startsWith("data:")) faults.push(url);
      });
      await page.goto(`${address}/docs/api`);
      const group = page.locator(".opblock-tag", { hasText: "Templates" });
      await group.click();
      const path = "/api/v1/projects/{projectId}/templates/preview";
      await page.locator(`[data-path="${path}"]`).click();
      await page.getByText("Renders a template and lists its problems").first().waitFor();
      await page.getByRole("button", { name: "Try it out" }).waitFor();
      const document: { tags: unknown[] } = await readJson(
        await fetch(`${address}/api/v1/openapi.json`),
      );
      expect(await page.locator(".opblock-tag").count()).toBe(document.tags.length);
      expect(faults).toEqual([]);
      const account = { email: readLine(first, "Email"), password: readLine(first, "Password") };
      expect((await callByDocument(page, "auth.login", { body: account })).status).toBe(200);
      const at = { projectId: readLine(first, "Project") };
      const named = { parameters: at, body: { name: "Swagger" } };
      const { status, body: made } = await callByDocument(page, "projects.apiKeys.create", named);
      const key = String(made["key"]);
      const mail = { to: "swagger@example.com", subject: "By the document", html_body: "Hello" };
      const sent = await callByDocument(page, "projects.send", {
        parameters: at,
        body: mail,
        key,
      });
      expect([status, sent.status]).toEqual([201, 200]);
      const parameters = { ...at, logId: String(sent.body["id"]) };
      const story = await callByDocument(page, "projects.logs.get", { parameters, key });
      expect(story.body).toMatchObject({ subject: mail.subject, status: "sent" });
      const query = { ...at, to_email: mail.to, limit: 1 };
      const found = await callByDocument(page, "projects.logs.list", { parameters: query });
      expect(found.body).toMatchObject({ logs: [{ id: sent.body["id"] }] });
      const removed = { ...at, keyId: String(made["id"]) };
      expect(
        await callByDocument(page, "projects.apiKeys.revoke", { parameters: removed }),
      ).toEqual({
        status: 204,
        body: {},
      });
    },
  );

  it("passes a bounce and a complaint from its mailbox to email(), which suppresses the address", async () => {
    const project = `${readLine(first, "Address")}/api/v1/projects/${readLine(first, "Project")}`;
    const headers = { Cookie: await ownerOf(first), "Content-Type": "application/json" };
    const call = (method: string, path: string, body: object) =>
      fetch(project + path, { method, headers, body: JSON.stringify(body) });
    await call("PUT", "/bounce-settings", { return_path: "bounces+{token}@bounce.example.com" });
    const [gone, bored] = [`gone-${Date.now()}@example.com`, `bored-${Date.now()}@example.com`];
    for (const [to, kind] of [
      [gone, "bounce"],
      [bored, "complaint"],
    ] as const) {
      await call("POST", "/send", { to, subject: "Spring", html_body: "<p>Hello</p>" });
      const mail = (await readInbox(first)).find((one) => one.to.includes(to));
      const path = `${readLine(first, "Inbox")}api/messages/${mail?.id}/${kind}`;
      expect(await readJson(await fetch(path, { method: "POST" }))).toEqual({
        reported: kind,
        to: expect.stringMatching(/^bounces\+[a-z2-7]{42}@bounce\.example\.com$/),
      });
    }
    const listed = await fetch(`${project}/suppressions`, { headers });
    const { suppressions } = await readJson<{ suppressions: object[] }>(listed);
    expect(suppressions.slice(0, 2)).toMatchObject([
      { email: bored, reason: "manual", source: "complaint" },
      { email: gone, reason: "hard_bounce" },
    ]);
    await call("PUT", "/bounce-settings", { return_path: "" });
  });

  it("posts each of the seven events to a webhook, signed", async () => {
    const receiver = await startEventReceiver();
    const api = `${readLine(first, "Address")}/api/v1`;
    const headers = { Cookie: await ownerOf(first), "Content-Type": "application/json" };
    const call = async <T = { id: string }>(method: string, path: string, body: object) => {
      const init = { method, headers, body: JSON.stringify(body) };
      return readJson<T>(await fetch(api + path, init));
    };
    const { id } = await call("POST", "/projects", { name: "Events" });
    const path = `/projects/${id}`;
    const smtp = (port: number) =>
      call("PUT", `${path}/smtp`, {
        smtp_host: "127.0.0.1",
        smtp_port: port,
        smtp_user: "events@demo.example",
        smtp_password: "x",
      });
    await smtp(first.ports.MAILBOX_SMTP_PORT);
    const { secret } = await call<{ secret: string }>("POST", `${path}/webhooks`, {
      url: receiver.url,
    });
    receiver.secret = secret;

    const email = "events@example.com";
    const subscriber = await call("POST", `${path}/subscribers`, { email, name: "E" });
    const html_body = '<p><a href="https://example.com/">Read</a></p>';
    const template = await call("POST", `${path}/templates`, {
      name: "T",
      subject: "T",
      html_body,
    });
    await call("POST", `${path}/send`, { subscriber_id: subscriber.id, template_id: template.id });
    const inbox = await readInbox(first);
    const mail = inbox.find(({ to }) => to.includes(email));
    const response = await fetch(`${readLine(first, "Inbox")}api/messages/${mail?.id}`);
    const { html } = await readJson<{ html: string }>(response);
    for (const link of [
      /src="([^"]+\.gif)"/,
      /href="([^"]+\/c\/[^"]+)"/,
      /href="([^"]+\/unsubscribe\/[^"]+)"/,
    ])
      await fetch(link.exec(html)?.[1] ?? "", { redirect: "manual" });
    const ingest = await fetch(`${api}${path}/bounce-webhook`, { headers });
    const { url } = await readJson<{ url: string }>(ingest);
    await fetch(url, { method: "POST", body: JSON.stringify({ email, type: "permanent" }) });
    const [closedPort = 0] = await freePorts(1);
    await smtp(closedPort);
    await call("POST", `${path}/send`, { to: "a@example.com", subject: "S", html_body });

    const types = () => receiver.events.map(({ type }) => type).toSorted();
    await expect
      .poll(types, { timeout: 60_000 })
      .toEqual([
        "email.bounced",
        "email.clicked",
        "email.failed",
        "email.opened",
        "email.sent",
        "subscriber.created",
        "subscriber.unsubscribed",
      ]);
    expect(receiver.events.every(({ project_id }) => project_id === id)).toBe(true);
    receiver.close();
  });

  it("adds accounts by npm run user while it runs; a new password revokes their sessions", async () => {
    const manage = (...args: string[]) =>
      execute(NODE, [QUIET, "scripts/user.ts", ...args, "--state-dir", stateDir]);
    const email = `second-${Date.now()}@example.com`;
    expect((await manage("create", "--email", email, "--name", "Ann O'Neil")).stdout).toMatch(
      /^Created second-\d+@example\.com\.\nPassword: \S{20}\n$/,
    );
    const again = manage("create", "--email", email, "--name", "x");
    await expect(again).rejects.toMatchObject({
      code: 1,
      stderr: `${email} has an account already\n`,
    });

    const reset = await manage("reset-password", "--email", email, "--password", "first password");
    expect(reset.stdout).toBe(`${email} has a new password and no active sessions.\n`);
    const headers = { Cookie: await logIn(first, email, "first password") };
    const me = `${readLine(first, "Address")}/api/v1/auth/me`;
    expect(await readJson(await fetch(me, { headers }))).toMatchObject({
      user: { email, name: "Ann O'Neil" },
      workspaces: [{ name: "Ann O'Neil's workspace", role: "owner" }],
    });
    await manage("reset-password", "--email", email, "--password", "second password");
    expect((await fetch(me, { headers })).status).toBe(401);
    expect((await requestLogIn(first, email, "first password")).status).toBe(401);
  });

  it("protects its state and its secrets from other users of the machine", () => {
    for (const file of [".dev.vars", join(stateDir, "postrider-local.json")]) {
      expect(statSync(file).mode & 0o077).toBe(0);
    }
  });

  it("is healthy according to npm run doctor while it runs", async () => {
    const { stdout, stderr } = await doctor(stateDir, first);
    expect(stderr).toBe("");
    expect(stdout.match(/^ok /gm)).toHaveLength(9);
  });

  it("runs alongside another instance and reports an invalid secret in its environment", async () => {
    const env = { JWT_SECRET: "short" };
    const ownDir = makeStateDir();
    const second = await start(ownDir, /Reason .*\n/, env);
    expect(second.output).toMatch(/Reason +503: JWT_SECRET must be a text/);
    const faults = [DEAD_LETTER, insertedEntry(Date.now() + 86_400_000)];
    await withDatabase({ kind: "local", stateDir: ownDir }, ({ execute }) => execute(faults));
    expect(await second.stop("SIGTERM")).toBe(0);
    const writer = new DatabaseSync(localDatabaseFile(ownDir));
    writer.exec("begin immediate"); // the doctor reads also while somebody writes
    const found = doctor(ownDir, second, env).finally(() => writer.close());
    await expect(found).rejects.toMatchObject({ code: 1, stderr: "3 fault(s)\n" });
    const { stdout } = (await found.catch((error: unknown) => error)) as { stdout: string };
    for (const check of ["secrets", "clock", "BASE_URL"])
      expect(stdout).toMatch(new RegExp(`^FAULT   ${check} .*\\n +→ \\S`, "m"));
    expect(stdout).toMatch(/^WARNING dead letters 1 waiting for a replay\n +→ /m);
    expect((await fetch(`${readLine(first, "Address")}/health`)).status).toBe(200);
  });

  it("names the variable to change if a port is in use", async () => {
    const env = { PORT: String(first.ports.PORT) };
    await expect(start(makeStateDir(), ANNOUNCED, env)).rejects.toThrow(
      `port ${first.ports.PORT} cannot be used (it is in use); choose another one with PORT=`,
    );
  });

  it("stops everything it started on SIGINT", async () => {
    logged = await readLog(first);
    expect(await first.stop("SIGINT")).toBe(0);
    await expectAllGone(first);
  });

  it("exits cleanly if it is interrupted during startup", async () => {
    const run = await start(stateDir, /Starting the service/);
    expect(await run.stop("SIGINT")).toBe(0);
    await expectAllGone(run);
  });

  // A server of the test holds the port before the service does, and gets the calls of the set-up.
  describe.runIf(process.platform === "linux")("during its setup", () => {
    it("shows the failure of a service that exits, not of the call that it broke", async () => {
      const run = await start(stateDir, /Starting the service/);
      await takeSetUpCalls(run, ({ socket }) => {
        socket.destroy();
        killService(run);
      });
      expect(await run.ended).toBe(1);
      expect(run.output).toMatch(/the service exited unexpectedly \(\w+\)\n$/);
    });

    it("exits without a startup message when it is interrupted", { timeout: 60_000 }, async () => {
      onTestFailed(killEverything); // nothing else ends a run whose clock keeps it alive
      const run = await start(stateDir, /Starting the service/);
      const stopped = Promise.withResolvers<number | null>();
      await takeSetUpCalls(run, async (request, response) => {
        if (request.url?.endsWith("/login")) {
          stopped.resolve(run.stop("SIGINT"));
          // Answers once the last clean-up is over.
          const { MAILBOX_PORT } = run.ports;
          await vi.waitFor(() => refuseTakenPorts({ MAILBOX_PORT }), { timeout: 60_000 });
        }
        response.writeHead(403).end();
      });
      expect(await stopped.promise).toBe(0);
      expect(run.output).not.toMatch(/Postrider is running/);
    });
  });

  // broadcast-kill.test.ts starts a second time with the stored owner.
  describe("with an owner other than the stored one, by npm", () => {
    let run: Run;

    beforeAll(async () => {
      const env = { OWNER_EMAIL: "someone@else.example", OWNER_PASSWORD: "not the password" };
      // Without `prestart`, which would install packages while other tests use them.
      const command = ["npm", "start", "--ignore-scripts", "--", "--no-license"] as const;
      run = await start(stateDir, ANNOUNCED, env, [...command]);
      sessions.set(run, await logIn(run, readLine(first, "Email"), readLine(first, "Password")));
    }, START_TIMEOUT_MS);

    it("keeps running with an owner other than the stored one, and reports it", () => {
      expect(run.output).toMatch(/someone@else\.example \(the login was refused with 401/);
      expect(readLine(run, "API key")).toBe(readLine(first, "API key"));
    });

    it("keeps its state for the next start", async () => {
      for (const label of ["API key", "Project"])
        expect(readLine(run, label)).toBe(readLine(first, label));
      expect(await readLog(run)).toEqual(logged);
    });

    it("answers 402 where a license is required if it may not sign one", async () => {
      const response = await askForWebhooks(run);
      expect(response.status).toBe(402);
      expect(await readJson(response)).toMatchObject({
        error: "license required for webhooks",
        code: "license_required",
      });
    });

    it("stops everything it started when npm is told to stop", async () => {
      await run.stop("SIGTERM");
      await vi.waitFor(() => expectAllGone(run), { timeout: 60_000, interval: 100 });
    });
  });
});
