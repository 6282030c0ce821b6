import { spawnSync } from "node:child_process";
import { createPublicKey, verify } from "node:crypto";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { connect, createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { formatAnnouncement } from "../../scripts/local/announcement.ts";
import { startCronClock } from "../../scripts/local/cron-clock.ts";
import { parseCron } from "../../scripts/local/cron-schedule.ts";
import { openDemoProject } from "../../scripts/local/demo-project.ts";
import { loadDevVars } from "../../scripts/local/dev-vars.ts";
import { refuseTakenPorts } from "../../scripts/local/ports.ts";
import { createServiceLog } from "../../scripts/local/service-log.ts";
import { readLocalSettings } from "../../scripts/local/settings.ts";
import { collectWorkerVariables, formatEnvFile } from "../../scripts/local/worker-variables.ts";
import { handBack } from "../../scripts/mailbox/hand-back.ts";
import { startMailbox, type Mailbox } from "../../scripts/mailbox/mailbox.ts";
import { createMessageStore } from "../../scripts/mailbox/message-store.ts";
import { buildBounce } from "../../scripts/mailbox/returned-mail.ts";
import { generateLicenseKeys, signLicense } from "../../scripts/sign-license.ts";
import { readReport } from "../../src/mail/bounce/index.ts";
import { freePort } from "../support/free-port.ts";
import { HOSTILE_MAIL, sendMail } from "./support/sent-mail.ts";

const directory = mkdtempSync(join(tmpdir(), "postrider-test-"));
/** A directory of its own for each attempt of a test. */
const newDirectory = () => mkdtempSync(join(directory, "test-"));
afterAll(() => rmSync(directory, { recursive: true }));

/** Every answer of the inbox's API; each test reads the fields of its own. */
interface InboxAnswer {
  messages: { id: string; subject: string }[];
  received: number;
  subject: string;
  text: string;
}

describe("the local mailbox", () => {
  let mailbox: Mailbox;
  let smtpPort: number;
  let base: string;
  /** The mails that the service got, each with the envelope in its address. */
  const handed: { url: URL; raw: string }[] = [];
  let serviceStatus = 200;
  const service = createHttpServer((request, response) => {
    const keep = async () => {
      handed.push({ url: new URL(request.url ?? "", "http://service"), raw: await text(request) });
      response.writeHead(serviceStatus).end("what the service says");
    };
    void keep();
  });

  beforeAll(async () => {
    smtpPort = await freePort();
    const httpPort = await freePort();
    await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
    const serviceOrigin = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
    base = `http://127.0.0.1:${httpPort}`;
    const imageOrigin = "http://127.0.0.1:9";
    mailbox = await startMailbox({ smtpPort, httpPort, imageOrigin, serviceOrigin });
    return async () => {
      service.close();
      await mailbox.close();
    };
  });

  const getJson = async (path: string): Promise<InboxAnswer> =>
    JSON.parse(await (await fetch(base + path)).text());
  const emptyMailbox = () => fetch(`${base}/api/messages`, { method: "DELETE" });
  const receive = async (message: string, recipients = ["bob@rcpt.example"]) => {
    await sendMail(smtpPort, recipients, message);
    const { messages } = await getJson("/api/messages");
    return messages[0] ?? { id: "none", subject: "" };
  };

  it("offers no STARTTLS, accepts any login and answers pipelined commands in order", async () => {
    const replies = await sendMail(smtpPort, ["a@rcpt.example"], "Subject: x\r\n\r\nbody");
    expect(replies).not.toContain("STARTTLS");
    expect(replies).toContain("SIZE 52428800");
    expect(replies.match(/^\d{3} /gm)?.map((code) => code.trim())).toEqual(
      ["220", "250", "235", "250", "250", "354", "250", "221"], // greeting … QUIT
    );
  });

  it("lists mails newest first, with envelope recipients, and finds them by recipient", async () => {
    await emptyMailbox();
    await receive("Subject: first\r\n\r\n1", ["one@rcpt.example", "x@xn--bcher-kva.example"]);
    const to = ["two@rcpt.example", "three@rcpt.example"];
    await receive("From: F <f@sender.example>\r\nSubject: second\r\n\r\n2", to);
    const { messages } = await getJson("/api/messages");
    expect(messages.map(({ subject }) => subject)).toEqual(["second", "first"]);
    expect(messages[0]).toMatchObject({ from: "F <f@sender.example>", to });
    const wanted = ["ONE@rcpt.example", "x@xn--bcher-kva", "x@B%C3%9CCHER", "x@bu%CC%88cher.ex"];
    const found = await Promise.all(wanted.map((part) => getJson(`/api/messages?to=${part}`)));
    const subjects = found.map((one) => one.messages.map(({ subject }) => subject));
    expect(subjects).toEqual(wanted.map(() => ["first"]));
  });

  it("shows every part of a mail and answers 404 to an unknown one", async () => {
    const { id } = await receive(HOSTILE_MAIL);
    expect(await getJson(`/api/messages/${id}`)).toMatchObject({
      envelope_from: "bounce@sender.example",
      subject: '<script>alert(1)</script> & "quotes"',
      html: expect.stringContaining("<a href="),
      headers: expect.arrayContaining([{ name: "To", value: "list@list.example" }]),
      attachments: [{ filename: "no<te.txt", mime_type: "text/plain", size_bytes: 9 }],
    });
    expect((await fetch(`${base}/api/messages/nothing`)).status).toBe(404);
    expect((await fetch(`${base}/messages/nothing`)).status).toBe(404);
  });

  it("keeps counting received mails after a deletion", async () => {
    await receive("Subject: x\r\n\r\n");
    const before = await getJson("/api/stats");
    await emptyMailbox();
    expect(await getJson("/api/stats")).toEqual({ ...before, kept: 0 });
    expect(await (await fetch(base)).text()).toContain("No emails yet");
  });

  it("escapes the content of a mail wherever a page shows it", async () => {
    const { id } = await receive(HOSTILE_MAIL);
    for (const path of [
      "/",
      `/messages/${id}`,
      `/messages/${id}?view=headers`,
      "/?to=%3Cscript%3E",
    ]) {
      const response = await fetch(base + path);
      expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
      const page = await response.text();
      expect(page).not.toMatch(/<script>|no<te/);
    }
  });

  it("shows a mail's HTML under a policy that runs nothing and loads only the service's images", async () => {
    const { id } = await receive(HOSTILE_MAIL);
    const page = await (await fetch(`${base}/messages/${id}`)).text();
    expect(page).toMatch(/<iframe[^>]*sandbox="allow-popups allow-popups-to-escape-sandbox"/);
    const response = await fetch(`${base}/messages/${id}/html`);
    const policy = response.headers.get("content-security-policy");
    expect(policy).toMatch(/^sandbox allow-popups/);
    expect(policy).not.toMatch(/allow-scripts|script-src/);
    expect(policy).toContain("img-src data: http://127.0.0.1:9;");
    expect(await response.text()).toContain('<head><base target="_blank"><title>');
  });

  it("returns the source byte for byte and attachments as downloads", async () => {
    const { id } = await receive(HOSTILE_MAIL);
    const source = await fetch(`${base}/messages/${id}/source`);
    expect(source.headers.get("content-type")).toMatch(/^text\/plain/);
    expect(await source.text()).toBe(`${HOSTILE_MAIL}\r\n`);
    const attachment = await fetch(`${base}/messages/${id}/attachments/0`);
    expect(attachment.headers.get("content-disposition")).toBe(
      "attachment; filename*=UTF-8''no%3Cte.txt",
    );
    expect(attachment.headers.get("content-type")).toMatch(/^application\/octet-stream/);
    expect((await fetch(`${base}/messages/${id}/attachments/7`)).status).toBe(404);
  });

  it("rejects a foreign Host header", async () => {
    const socket = connect(Number(new URL(base).port), "127.0.0.1");
    socket.write("GET /api/messages HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n");
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 421 /);
  });

  it.each([
    ["//", "127.0.0.1"],
    ["/", "127.0.0.1:99999"],
  ])("answers 400 to %s at %s, which is not a valid address, and continues", async (path, host) => {
    const { port } = new URL(base);
    const socket = connect(Number(port), "127.0.0.1");
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /);
    expect((await fetch(base)).status).toBe(200);
  });

  it.each([
    ["bounce", "<>", "bad_address"],
    ["complaint", "feedback@mailbox.localhost", "not_address"],
  ])("passes a %s of a mail to email() of the service", async (kind, from, verdict) => {
    const mail = "Message-ID: <1@sender.example>\r\nTo: Bob <bob@rcpt.example>\r\n\r\nHi";
    const { id } = await receive(mail);
    handed.length = 0;
    const shown = await (await fetch(`${base}/messages/${id}`)).text();
    expect(shown).toContain(`formaction="/messages/${id}/${kind}"`);
    const answer = await fetch(`${base}/messages/${id}/${kind}`, { method: "POST" });
    expect(await answer.text()).toContain(
      `The service accepted this ${kind} for bounce@sender.example.`,
    );
    const called = await fetch(`${base}/api/messages/${id}/${kind}`, { method: "POST" });
    expect(await called.json()).toEqual({ reported: kind, to: "bounce@sender.example" });
    expect(handed).toHaveLength(2);
    for (const { url, raw } of handed) {
      expect(url.pathname).toBe("/cdn-cgi/handler/email");
      expect(Object.fromEntries(url.searchParams)).toEqual({ from, to: "bounce@sender.example" });
      expect(await readReport(Buffer.from(raw))).toMatchObject({
        kind,
        report: {
          kind,
          recipients: [{ email: "bob@rcpt.example", verdict }],
          messageIds: ["1@sender.example"],
        },
      });
    }
  });

  it("reports every recipient, including one whose address is not ASCII", async () => {
    const recipients = ["jörg@rcpt.example", "bob@rcpt.example"];
    const { raw } = buildBounce({
      id: "1",
      receivedAt: new Date(0),
      mailFrom: "bounce@sender.example",
      recipients,
      raw: Buffer.from("Message-ID: <1@sender.example>\n\nHi"),
    });
    const { report } = await readReport(raw);
    expect(report.recipients.map(({ email }) => email)).toEqual(recipients);
    expect(report.messageIds).toEqual(["1@sender.example"]);
  });

  it("explains why the service rejected a report, and reports no mail without a sender", async () => {
    const { id } = await receive("Subject: x\r\n\r\n");
    serviceStatus = 400;
    const refused = await fetch(`${base}/api/messages/${id}/bounce`, { method: "POST" });
    serviceStatus = 200;
    expect([refused.status, await refused.json()]).toMatchObject([
      502,
      { error: "the service answered 400: what the service says" },
    ]);
    const nobody = {
      id,
      receivedAt: new Date(0),
      mailFrom: "",
      recipients: [],
      raw: Buffer.from(""),
    };
    expect(await handBack("http://127.0.0.1:9", "bounce", nobody)).toMatchObject({ status: 409 });
    const somebody = { ...nobody, mailFrom: "bounce@sender.example" };
    expect(await handBack("http://127.0.0.1:9", "bounce", somebody)).toMatchObject({
      status: 502,
      error: expect.stringContaining("does not answer"),
    });
    const unknown = await fetch(`${base}/api/messages/nothing/bounce`, { method: "POST" });
    expect(unknown.status).toBe(404);
  });

  it("does not let a page of another site report or delete a mail", async () => {
    const { id } = await receive("Subject: kept\r\n\r\n");
    handed.length = 0;
    const calls = [
      [`/api/messages/${id}/bounce`, "POST", { "Sec-Fetch-Site": "cross-site" }],
      [`/messages/${id}/complaint`, "POST", { "Sec-Fetch-Site": "same-site" }],
      [`/messages/${id}/bounce`, "POST", { Origin: "https://evil.example" }],
      ["/api/messages", "DELETE", { "Sec-Fetch-Site": "cross-site" }],
    ] as const;
    for (const [path, method, headers] of calls)
      expect((await fetch(base + path, { method, headers })).status).toBe(403);
    expect(handed).toEqual([]);
    expect((await getJson("/api/messages")).messages[0]).toMatchObject({ subject: "kept" });
  });

  it("shows an unparsable mail as text", async () => {
    const { id } = await receive(`X: ${"y".repeat(3 * 1024 * 1024)}\r\n\r\nbody`);
    const detail = await getJson(`/api/messages/${id}`);
    expect(detail.subject).toContain("cannot be parsed");
    expect(detail.text).toContain("body");
  });
});

describe("the message store", () => {
  const envelope = { mailFrom: "", recipients: ["a@b.example"] };

  it("drops the oldest mails over its count or bytes, never the newest", () => {
    const store = createMessageStore({ maxMessages: 2, maxTotalBytes: 10, maxRecipients: 9 });
    store.add({ ...envelope, raw: Buffer.alloc(4) });
    const second = store.add({ ...envelope, raw: Buffer.alloc(4) });
    const third = store.add({ ...envelope, raw: Buffer.alloc(4) });
    expect(store.list().map(({ id }) => id)).toEqual([third.id, second.id]);
    const large = store.add({ ...envelope, raw: Buffer.alloc(100) });
    expect(store.list().map(({ id }) => id)).toEqual([large.id]);
    expect(store.stats()).toEqual({ received: 4, recipients: 1, kept: 1 });
  });

  it("counts distinct recipients beyond the mails it keeps, up to its limit", () => {
    const store = createMessageStore({ maxMessages: 1, maxTotalBytes: 10, maxRecipients: 3 });
    const receive = (...recipients: string[]) =>
      store.add({ mailFrom: "", recipients, raw: Buffer.alloc(1) });
    receive("a@b.example", "c@b.example");
    receive("A@b.example");
    expect(store.stats()).toEqual({ received: 2, recipients: 2, kept: 1 });
    receive("d@b.example", "e@b.example");
    expect(store.stats().recipients).toBe(3);
  });
});

describe("licenses", () => {
  it("are base64url JSON with an Ed25519 signature that the raw public key verifies", () => {
    const { publicKey, signingKey } = generateLicenseKeys();
    const license = signLicense({ tier: "team", sub: "x", iat: 1, exp: 2 }, signingKey);
    const [body = "", signature = ""] = license.split(".");
    const payload = JSON.parse(Buffer.from(body, "base64url").toString());
    expect(payload).toEqual({ tier: "team", sub: "x", iat: 1, exp: 2 });
    const x = Buffer.from(publicKey, "base64");
    expect(x).toHaveLength(32);
    const jwk = { kty: "OKP", crv: "Ed25519", x: x.toString("base64url") };
    const key = createPublicKey({ key: jwk, format: "jwk" });
    expect(verify(null, Buffer.from(body), key, Buffer.from(signature, "base64url"))).toBe(true);
  });

  it("are created and signed on the command line, with the signing key in a private file", () => {
    const file = join(newDirectory(), "license.key");
    const run = (...args: string[]) =>
      spawnSync("node_modules/.bin/node", ["scripts/license.ts", ...args], { encoding: "utf8" });
    const made = run("keygen", "--key", file);
    expect(made.stdout).toMatch(/^LICENSE_PUBLIC_KEY=[\w+/]{43}=\n$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(made.stdout).not.toContain(readFileSync(file, "utf8").trim());
    expect(run("keygen", "--key", file)).toMatchObject({ status: 1, stdout: "" });

    const signed = run("sign", "--tier", "pro", "--days", "2", "--key", file).stdout;
    const payload = JSON.parse(Buffer.from(signed.split(".")[0] ?? "", "base64url").toString());
    expect(payload).toMatchObject({ tier: "pro", sub: "self-hosted" });
    expect(payload.exp - payload.iat).toBe(2 * 86_400);
    expect(run("sign", "--tier", "gold", "--key", file).stderr).toContain("--tier must be one of");
    expect(run("sign", "--tier", "pro", "--key", "/nowhere").stderr).not.toContain("    at ");
  });
});

describe("the bounce classifier", () => {
  const run = (input: string, ...args: string[]) =>
    spawnSync("node_modules/.bin/node", ["scripts/bounce.ts", ...args], {
      encoding: "utf8",
      input,
    });

  it("prints one line of JSON per file, and names a file that it cannot read", () => {
    const file = join(directory, "report.eml");
    const text = "From: MAILER-DAEMON@mx.example\nSubject: Undelivered\n\n";
    writeFileSync(
      file,
      `${text}lena@mx.example: 550 5.1.1 No such user\nMessage-ID: <7@shop.example>\n`,
    );
    const { stdout, status } = run("", file, file);
    const [first = "", second, end] = stdout.split("\n");
    expect({ status, second, end }).toEqual({ status: 0, second: first, end: "" });
    expect(JSON.parse(first)).toEqual({
      kind: "bounce",
      recipients: [
        {
          email: "lena@mx.example",
          verdict: "bad_address",
          reason: "user_unknown",
          diagnostic: "lena@mx.example: 550 5.1.1 No such user",
        },
      ],
      message_ids: ["7@shop.example"],
    });
    const failed = run("", "/nowhere.eml");
    expect(failed).toMatchObject({ status: 1, stdout: "" });
    expect(failed.stderr).toMatch(/^cannot read \/nowhere\.eml: .*\n$/);
  });

  it("classifies replies from standard input, one per line, and names a line that is not JSON", () => {
    const { stdout, stderr, status } = run(
      `{"phase":"RCPT","reply":"550 5.1.1 No such user"}
{"phase":"RCPT","reply":"550 5.1.8 Sender address rejected"}
{"reply":"451 4.7.1 Greylisted"}
no
`,
      "--replies",
    );
    expect(stdout).toBe(
      `{"verdict":"bad_address","reason":"user_unknown"}
{"verdict":"not_address","reason":"sender_rejected"}
{"verdict":"temporary","reason":"greylisted"}
`,
    );
    expect({ stderr, status }).toEqual({ stderr: "line 4 is not JSON: no\n", status: 1 });
    expect(run("null\n", "--replies").stderr).toBe(
      'line 1 needs "reply", and "phase" must be a string\n',
    );
  });
});

describe("local settings", () => {
  it("have defaults, and an error names the invalid variable", () => {
    expect(readLocalSettings({})).toMatchObject({
      port: 8787,
      mailboxSmtpPort: 1025,
      mailboxPort: 8025,
      stateDir: join(process.cwd(), ".wrangler/state"),
    });
    expect(() => readLocalSettings({ MAILBOX_PORT: "70000" })).toThrow(/MAILBOX_PORT .*70000/);
    expect(() => readLocalSettings({ PORT: "1025" })).toThrow("three different ports");
  });

  it("reject a port in use, and the error names the variable that selects another", async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    const { port } = taken.address() as AddressInfo;
    await expect(refuseTakenPorts({ MAILBOX_PORT: port })).rejects.toThrow(
      `port ${port} cannot be used (it is in use); choose another one with MAILBOX_PORT=`,
    );
    await new Promise((resolve) => taken.close(resolve));
  });
});

describe("local secrets", () => {
  it("are generated once, into a private file that keeps its other contents", () => {
    const ownDirectory = newDirectory();
    const file = join(ownDirectory, ".dev.vars");
    // Editors on Windows write the mark before the first name.
    writeFileSync(file, "\uFEFFJWT_SECRET=mine", { mode: 0o600 });
    const first = loadDevVars(file);
    expect(first["JWT_SECRET"]).toBe("mine");
    expect(Buffer.from(first["ENCRYPTION_KEY"] ?? "", "base64")).toHaveLength(32);
    expect(loadDevVars(file)).toEqual(first);

    const fresh = join(ownDirectory, ".dev.vars.fresh");
    expect(loadDevVars(fresh)["JWT_SECRET"]?.length).toBeGreaterThanOrEqual(32);
    expect(statSync(fresh).mode & 0o777).toBe(0o600);
  });

  it("replace empty ones, such as those of .dev.vars.example", () => {
    const file = join(newDirectory(), ".dev.vars.copied");
    copyFileSync(".dev.vars.example", file);
    const secrets = loadDevVars(file);
    expect(secrets["JWT_SECRET"]?.length).toBeGreaterThanOrEqual(32);
    expect(Buffer.from(secrets["ENCRYPTION_KEY"] ?? "", "base64")).toHaveLength(32);
    expect(secrets["SETUP_TOKEN"]).not.toBe("");
    expect(loadDevVars(file)).toEqual(secrets);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("reach the Worker: the environment overrides .dev.vars, which overrides local defaults", () => {
    const devVars = { JWT_SECRET: "file", DOH_URL: "file" };
    const env = { DOH_URL: "environment", SERVICE_LICENSE_KEY: "", PATH: "/bin" };
    const defaults = { localAddress: "http://127.0.0.1:1", signsLicense: true };
    const variables = collectWorkerVariables(env, devVars, defaults);
    expect(variables).toMatchObject({
      BASE_URL: "http://127.0.0.1:1",
      ALLOW_PRIVATE_TARGETS: "true",
      JWT_SECRET: "file",
      DOH_URL: "environment",
      SERVICE_LICENSE_KEY: "",
    });
    expect(Object.keys(variables)).not.toContain("PATH");
  });

  it("are quoted so that no part of a value is expanded or cut", () => {
    expect(formatEnvFile({ A: "a $HOME #b", B: "it's", C: `it's \`x\`` })).toBe(
      "A='a \\$HOME #b'\nB=`it's`\nC=\"it's `x`\"\n",
    );
    expect(() => formatEnvFile({ A: `'"\`` })).toThrow("A cannot contain");
  });
});

describe("the demo project", () => {
  it.each([
    [true, 1, "curl http"],
    [false, 0, "ALLOW_PRIVATE_TARGETS is not true"],
  ])(
    "sends to the mailbox if the service may connect to it (%s)",
    async (mailboxReachable, wirings, words) => {
      const calls: string[] = [];
      const server = createHttpServer((request, response) => {
        calls.push(`${request.method} ${request.url?.split("/").at(-1)}`);
        request.resume();
        response.statusCode = request.method === "GET" ? 200 : 201;
        const description = "Sends its mail to the local mailbox";
        const automations = [{ key: "welcome_series", name: "Welcome series", steps: [] }];
        const answer = { id: "p1", key: "sk_1", api_keys: [], description, automations };
        response.end(JSON.stringify(answer));
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const stateDir = newDirectory();
      const options = {
        address,
        stateDir,
        sessionCookie: "c",
        mailboxSmtpPort: 1,
        inboxUrl: "http://inbox/",
      };
      const demo = await openDemoProject({ ...options, mailboxReachable });
      server.close();
      expect(calls.filter((call) => call === "PUT smtp")).toHaveLength(wirings);
      // its description names the inbox, where the dashboard finds it
      expect(calls.filter((call) => call === "PUT p1")).toHaveLength(1);
      const login = {
        outcome: "logged_in",
        email: "e",
        password: "p",
        sessionCookie: "c",
      } as const;
      const isInteractive = false;
      const inboxUrl = "http://inbox/";
      const run = { address, inboxUrl, login, demo, mailboxReachable, isInteractive };
      expect(formatAnnouncement(run)).toContain(words);
      expect(formatAnnouncement(run).includes("curl")).toBe(mailboxReachable);
    },
  );
});

describe("the service's log", () => {
  it("is buffered until the startup message, except for errors", () => {
    const printed: string[] = [];
    const log = createServiceLog((line) => printed.push(line));
    log.take("chatter");
    expect(printed).toEqual([]);
    log.take("✘ [ERROR] it does not build");
    log.take("  in src/index.ts");
    expect(printed).toEqual([
      "service │ chatter\n",
      "service │ ✘ [ERROR] it does not build\n",
      "service │   in src/index.ts\n",
    ]);
  });
});

describe("the service's log of a host without an address", () => {
  it("has the line of the service, and none of the runtime's machine code", () => {
    const printed: string[] = [];
    const log = createServiceLog((line) => printed.push(line));
    log.passOn();
    log.take("✘ [ERROR] e = rust/worker/ffi.rs:1: failed: failed to lookup address information: x");
    log.take("  stack: /x/@cloudflare/workerd-linux-64/bin/workerd@383c3f9 /x/bin/workerd@28a3c60");
    log.take('▲ [WARNING] {"event":"webhook_unreachable"}');
    expect(printed).toEqual(['service │ ▲ [WARNING] {"event":"webhook_unreachable"}\n']);
  });
});

describe("cron expressions", () => {
  const due = (expression: string, time: string) => parseCron(expression)(new Date(time));

  it("are due in the minutes they specify, in UTC", () => {
    expect(due("* * * * *", "2026-01-01T00:00:00Z")).toBe(true);
    expect(due("*/5 * * * *", "2026-01-01T10:35:00Z")).toBe(true);
    expect(due("*/5 * * * *", "2026-01-01T10:36:00Z")).toBe(false);
    expect(due("17 3 * * *", "2026-01-01T03:17:00Z")).toBe(true);
    expect(due("17 3 * * *", "2026-01-01T04:17:00Z")).toBe(false);
    expect(due("0 9-17/4,23 1 1,7 *", "2026-07-01T13:00:00Z")).toBe(true);
    expect(due("0 9-17/4,23 1 1,7 *", "2026-07-01T14:00:00Z")).toBe(false);
  });

  it("count weekdays from Sunday as 1", () => {
    expect(due("0 0 * * 1", "2026-01-04T00:00:00Z")).toBe(true);
    expect(due("0 0 * * 7", "2026-01-03T00:00:00Z")).toBe(true);
  });

  it("are rejected when they are invalid", () => {
    for (const expression of ["* * * *", "*/0 * * * *", "x * * * *", "0 0 L * *"]) {
      expect(() => parseCron(expression)).toThrow("cron expression");
    }
  });
});

describe("the cron clock", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it("fires due jobs each minute and reports a failing handler", async () => {
    const fired: string[] = [];
    const server = createHttpServer((request, response) => {
      fired.push(request.url ?? "");
      response.statusCode = 500;
      response.end("broken");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const reports: string[] = [];

    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
    vi.setSystemTime(new Date("2026-01-01T03:15:30Z"));
    const crons = ["* * * * *", "17 3 * * *"];
    const clock = startCronClock(`http://127.0.0.1:${port}`, crons, (line) => reports.push(line));
    await vi.advanceTimersByTimeAsync(90_000);
    await vi.waitFor(() => expect(reports).toHaveLength(3), { timeout: 60_000 });
    await clock.stop();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(reports).toHaveLength(3);
    expect(reports).toContain("cron 17 3 * * *: 500 broken");
    expect(fired).toContain("/cdn-cgi/handler/scheduled?cron=17%203%20*%20*%20*");
    await new Promise((resolve) => server.close(resolve));
  });
});
