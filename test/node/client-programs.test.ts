/* Programs that send with the client's other ways in, against the service that `npm start` runs. */
import { spawn } from "node:child_process";
import { createReadStream, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import nodemailer from "nodemailer";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { postriderTransport } from "../../client/src/nodemailer.ts";
import { startWrangler } from "../../scripts/local/wrangler.ts";
import { freePorts } from "../support/free-port.ts";
import {
  ANNOUNCED,
  endEverything,
  logIn,
  makeStateDir,
  NODE,
  readJson,
  readLine,
  start,
  type Run,
} from "./support/local-run.ts";

const START_TIMEOUT_MS = 300_000;
const CLIENT = resolve("client/src/index.ts");
const RESEND_MCP = ".cache/resend-mcp/node_modules/resend-mcp/dist/index.js";

interface Received {
  id: string;
  to: string[];
  subject: string;
  text: string;
  html: string;
  headers: { name: string; value: string }[];
  attachments: { filename: string; mime_type: string; size_bytes: number }[];
}

const stateDir = makeStateDir();
let run: Run;
let key: string;
let projectId: string;

beforeAll(async () => {
  // A registry of its own: the Worker below must find this service, not one of another test.
  process.env["WRANGLER_REGISTRY_PATH"] = join(stateDir, "registry");
  run = await start(stateDir, ANNOUNCED, { WRANGLER_LOG: "warn" });
  key = readLine(run, "API key");
  projectId = readLine(run, "Project");
}, START_TIMEOUT_MS);
afterAll(endEverything);

/** Returns all emails to an address, complete, with the source of each. */
async function received(to: string): Promise<(Received & { source: string })[]> {
  const inbox = readLine(run, "Inbox");
  const ask = (path: string) => fetch(inbox + path);
  const { messages } = await readJson<{ messages: { id: string }[] }>(
    await ask(`api/messages?to=${to}`),
  );
  return Promise.all(
    messages.map(async ({ id }) => ({
      ...(await readJson<Received>(await ask(`api/messages/${id}`))),
      source: await (await ask(`messages/${id}/source`)).text(),
    })),
  );
}

/** Creates something as the owner of the service. */
async function make<T>(path: string, body: object): Promise<T> {
  const headers = { Cookie: await logIn(run), "Content-Type": "application/json" };
  const at = `${readLine(run, "Address")}/api/v1/${path}`;
  return readJson<T>(await fetch(at, { method: "POST", headers, body: JSON.stringify(body) }));
}

/** The code of a section of docs/api-client.md in one language. */
function documented(section: string, language: string): string {
  const text = readFileSync("docs/api-client.md", "utf8").split(`## ${section}\n`)[1] ?? "";
  return new RegExp(`\`\`\`${language}\n([^]+?)\`\`\``).exec(text)?.[1] ?? "no example";
}

describe("nodemailer", () => {
  const transporter = (more: object = {}) =>
    nodemailer.createTransport(
      postriderTransport({ baseUrl: readLine(run, "Address"), key, projectId }),
      more,
    );

  it("sends addresses, contents, headers and attachments of every kind", async () => {
    const file = join(stateDir, "a file.txt");
    writeFileSync(file, "from a path");
    const sent = await transporter({ headers: { "X-Default": "yes" } }).sendMail({
      to: ['"Ann, \\"A\\"" <ann@nodemailer.example>', { name: "Bob", address: "bob@x.example" }],
      cc: "cc@x.example",
      bcc: "bcc@x.example",
      replyTo: "Help <help@x.example>",
      inReplyTo: "<before@x.example>",
      references: ["<first@x.example>", "<before@x.example>"],
      subject: "Grüße",
      html: createReadStream(file),
      text: "plain",
      headers: { "X-Order": "1042", "X-Raw": { prepared: true, value: "raw" } },
      attachments: [
        { filename: "text.txt", content: "Grüße" },
        { filename: "bytes.bin", content: Buffer.from([0, 255, 128]) },
        { filename: "array.bin", content: Buffer.from("AAEC", "base64") },
        { content: "aGVsbG8=", encoding: "base64", filename: "hello.pdf" },
        { filename: "stream.txt", content: createReadStream(file) },
        { path: file },
        { path: "data:image/png;base64,AAEC", cid: "<logo@x>", filename: "logo.png" },
      ],
    });
    const [mail] = await received("ann@nodemailer.example");
    expect(mail).toMatchObject({ subject: "Grüße", text: expect.stringMatching(/^plain\s*$/) });
    expect(mail?.html).toContain("from a path");
    expect(mail?.source).toMatch(
      /^To: "Ann, \\"A\\"" <ann@nodemailer.example>,\s+Bob <bob@x.example>/m,
    );
    expect(mail?.source).toContain(`Message-ID: <${sent.messageId}@`);
    const header = (name: string) =>
      mail?.headers.find((one) => one.name.toLowerCase() === name)?.value;
    expect(
      ["cc", "reply-to", "in-reply-to", "references", "x-order", "x-raw", "x-default"].map(header),
    ).toEqual([
      "cc@x.example",
      "Help <help@x.example>",
      "<before@x.example>",
      "<first@x.example> <before@x.example>",
      "1042",
      "raw",
      "yes",
    ]);
    expect(mail?.source).not.toContain("bcc@x.example");
    expect(await received("bcc@x.example")).toHaveLength(1);
    expect(
      mail?.attachments.map(({ filename, mime_type, size_bytes }) => [
        filename,
        mime_type,
        size_bytes,
      ]),
    ).toEqual([
      ["logo.png", "image/png", 3],
      ["text.txt", "text/plain", 7],
      ["bytes.bin", "application/octet-stream", 3],
      ["array.bin", "application/octet-stream", 3],
      ["hello.pdf", "application/pdf", 5],
      ["stream.txt", "text/plain", 11],
      ["a file.txt", "text/plain", 11],
    ]);
  });

  it("refuses what the API cannot send, and sends nothing", async () => {
    const to = "refused@nodemailer.example";
    const plain = { to, subject: "s", text: "t" };
    for (const more of [
      { alternatives: [{ content: "x", contentType: "text/x" }] },
      { envelope: { from: "a@b.example", to } },
      { priority: "high" as const },
      { date: new Date() },
      { list: { help: "help@x.example" } },
      { sender: "other@x.example" },
      { from: ["a@x.example", "b@x.example"] },
      { headers: { "X-Two": ["1", "2"] } },
      { attachments: [{ filename: "x", raw: "x" }] },
      { attachments: [{ filename: "x", content: "x", headers: { "X-Y": "1" } }] },
      { attachments: [{ filename: "x", content: "x", contentDisposition: "inline" as const }] },
      { attachments: [{ filename: "x" }] },
    ])
      await expect(transporter().sendMail({ ...plain, ...more })).rejects.toMatchObject({
        name: "PostriderError",
        code: "invalid_call",
      });
    const from = transporter().sendMail({ ...plain, from: "foreign@x.example" });
    await expect(from).rejects.toMatchObject({ name: "PostriderError", status: 422 });
    const missing = transporter().sendMail({ ...plain, html: { path: join(stateDir, "none") } });
    await expect(missing).rejects.toMatchObject({ code: "ENOENT" });
    const gone = transporter().sendMail({ ...plain, signal: AbortSignal.abort() });
    await expect(gone).rejects.toThrow(/abort/i);
    expect(await received(to)).toEqual([]);
  });
});

describe("a Worker with a service binding", () => {
  let url: string;
  let worker: ReturnType<typeof startWrangler>;

  /** The documented Worker, and calls that a test chooses. */
  const PROGRAM = `import documented from "./documented.ts";
import { createClient } from ${JSON.stringify(CLIENT)};
export default {
  async fetch(request, env) {
    const { call, key = env.POSTRIDER_KEY, args } = await request.json();
    if (call === "documented") return documented.fetch(request, env);
    if (call === "client") {
      const fetch = (input, init) => env.POSTRIDER.fetch(input, init);
      const client = createClient({ baseUrl: "https://postrider.example", key, fetch });
      return Response.json(await client.projects.subscribers.list(...args));
    }
    for (const one of args[0]?.attachments ?? []) one.content = new TextEncoder().encode(one.content);
    return Response.json(await env.MAIL[call](key, ...args));
  },
};`;

  beforeAll(async () => {
    const directory = join(stateDir, "caller");
    mkdirSync(directory);
    const files = {
      "main.js": PROGRAM,
      "documented.ts": documented("Workers of the same account", "ts"),
      "wrangler.toml": `name = "caller"
main = "main.js"
compatibility_date = "2026-10-01"
[vars]
POSTRIDER_KEY = "${key}"
${documented("Workers of the same account", "toml")}
[[services]]
binding = "POSTRIDER"
service = "postrider"
`,
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
    const [port] = await freePorts(1);
    url = `http://127.0.0.1:${port}/`;
    const place = ["--local", "--ip", "127.0.0.1", "--port", String(port), "--inspector-port", "0"];
    const quiet = ["--show-interactive-dev-session=false"];
    const config = ["--config", join(directory, "wrangler.toml")];
    const isReady = Promise.withResolvers<void>();
    worker = startWrangler(["dev", ...config, ...place, ...quiet], (line) => {
      if (line.includes("Ready on")) isReady.resolve();
    });
    const ended = worker.exited.then((status) => {
      throw new Error(`the Worker ended with ${status}`);
    });
    await Promise.race([isReady.promise, ended]);
  }, START_TIMEOUT_MS);
  afterAll(() => worker?.stop());

  async function call(name: string, args: unknown[], more: object = {}) {
    const body = JSON.stringify({ call: name, args, ...more });
    return readJson<Record<string, unknown>>(await fetch(url, { method: "POST", body }));
  }

  it("sends as documented, once for its idempotency key", async () => {
    const first = await call("documented", []);
    expect(first).toMatchObject({ message: "sent" });
    expect(await call("documented", [])).toEqual(first);
    const mails = await received("ann@example.com");
    expect(mails.filter(({ subject }) => subject === "Hello")).toHaveLength(1);
  });

  it("sends bytes, subscribes people, and lists them with the client", async () => {
    const email = "bytes@worker.example";
    const attachments = [{ filename: "x.txt", content: "Grüße" }];
    const mail = { to: email, subject: "s", text_body: "t", attachments };
    expect(await call("send", [mail])).toMatchObject({
      data: { message: "sent" },
      error: null,
    });
    const [sent] = await received(email);
    expect(sent?.attachments).toMatchObject([{ filename: "x.txt", size_bytes: 7 }]);
    expect(await call("subscribe", [{ email, name: "Ann" }])).toMatchObject({
      data: { email },
    });
    const { subscribers } = await call("client", [{ projectId }]);
    expect(subscribers).toContainEqual(expect.objectContaining({ email, name: "Ann" }));
    const event = { name: "signed.up", email };
    expect(await call("track", [[event, { ...event, email: "nobody@worker.example" }]])).toEqual({
      data: { accepted: 1, unknown: 1 },
      error: null,
    });
    expect(await call("track", [{ ...event, nmae: "x" }])).toMatchObject({
      error: { code: "unknown_field", status: 400 },
    });
    const again = await call("subscribe", [{ email }]);
    expect(again).toMatchObject({ data: null, error: { code: "subscriber_exists", status: 409 } });
  });

  it("sends a batch, and gets the refusal of a key of another kind", async () => {
    const content = { name: "batch", subject: "For {{name}}", text_body: "t" };
    const at = `projects/${projectId}`;
    const { id: template_id } = await make<{ id: string }>(`${at}/templates`, content);
    const { key: sdk } = await make<{ key: string }>(`${at}/api-keys`, { name: "s", type: "sdk" });
    const to = "batch@worker.example";
    const body = { template_id, recipients: [{ to, data: { name: "Ann" } }] };
    expect(await call("batch", [body], { key: sdk })).toMatchObject({
      error: { code: "wrong_key_type", status: 401 },
    });
    expect(await call("batch", [body])).toMatchObject({ data: { sent: 1, failed: 0 } });
    expect(await received(to)).toMatchObject([{ subject: "For Ann" }]);
  });

  it("gets refusals as data with code, status and body", async () => {
    const mail = { to: "no@worker.example", subject: "s", text_body: "t" };
    const field = await call("send", [{ ...mail, extra: 1 }]);
    expect(field).toMatchObject({
      data: null,
      error: { code: "unknown_field", status: 400, body: { details: [{ path: "extra" }] } },
    });
    for (const bad of ["sk_unknown", "a\r\nb", "", 7, null, { key: "x" }])
      expect([bad, await call("send", [mail], { key: bad })]).toMatchObject([
        bad,
        { data: null, error: { code: "invalid_api_key", status: 401 } },
      ]);
    for (const idempotencyKey of ["a\nb", "", "é", "x".repeat(256), 7])
      expect(await call("send", [mail, { idempotencyKey }])).toMatchObject({
        error: { code: "invalid_idempotency_key", status: 400 },
      });
    const template_id = projectId;
    const batch = await call("batch", [{ template_id, recipients: [{ to: mail.to }] }]);
    expect(batch).toMatchObject({ error: { code: "not_found", status: 404 } });
    expect(await received(mail.to)).toEqual([]);
  });
});

describe.runIf(existsSync(RESEND_MCP))("resend-mcp", () => {
  let token: string;

  beforeAll(async () => {
    const body = { name: "assistant", project_ids: [projectId] };
    ({ token } = await make<{ token: string }>("auth/tokens", body));
  });

  /** Runs its server as an assistant does. `use` gets the call of a tool, which returns its text. */
  async function withServer<T>(
    path: string,
    use: (call: (name: string, args: object) => Promise<string>) => Promise<T>,
  ): Promise<T> {
    const RESEND_BASE_URL = readLine(run, "Address") + path;
    const env = { ...process.env, RESEND_API_KEY: token, RESEND_BASE_URL };
    const server = spawn(NODE, [RESEND_MCP], { env, stdio: ["pipe", "pipe", "ignore"] });
    try {
      const lines = createInterface(server.stdout)[Symbol.asyncIterator]();
      const tell = (message: object) =>
        server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
      const ask = async <Result>(method: string, params: object): Promise<Result> => {
        tell({ id: 1, method, params });
        return JSON.parse((await lines.next()).value ?? "null").result;
      };
      const clientInfo = { name: "test", version: "1" };
      await ask("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
      tell({ method: "notifications/initialized" });
      return await use(async (name, args) => {
        const { content } = await ask<{ content: { text: string }[] }>("tools/call", {
          name,
          arguments: args,
        });
        return content.map(({ text }) => text).join("\n");
      });
    } finally {
      server.kill();
    }
  }

  const from = "Shop <hello@demo.example>";
  const mail = (to: string) => ({ from, to: [to], subject: "From an assistant", text: "Hello" });

  it("sends, reads the email again, and keeps contacts and templates", async () => {
    const to = "ann@mcp.example";
    await withServer("/resend", async (call) => {
      const sent = await call("send-email", mail(to));
      expect(sent).toMatch(/^Email sent successfully! \{"id":"[\w-]+"\}$/);
      const id = JSON.parse(/\{.*\}/.exec(sent)?.[0] ?? "{}").id;
      expect(await call("get-email", { id })).toMatch(/^- To: ann@mcp\.example$/m);
      const created = await call("create-contact", { email: to, firstName: "Ann" });
      const [line = "none"] = /^ID: [\w-]+$/m.exec(created) ?? [];
      const listed = await call("list-contacts", { limit: 10 });
      expect(listed).toContain(`${line}\nEmail: ${to}\nFirst name: Ann`);
      const template = { name: "assistant", html: "<p>Hi</p>", subject: "Hi" };
      expect(await call("create-template", template)).toMatch(/^ID: [\w-]+$/m);
    });
    expect(await received(to)).toMatchObject([
      { subject: "From an assistant", text: expect.stringMatching(/^Hello\s*$/) },
    ]);
  });

  it.each([
    ["/resend", "foreign@x.example", "foreign@x.example is not a sender of the project"],
    ["", from, "endpoint not found"],
    ["/resend/v1", from, "endpoint not found"],
  ])("shows why a call is refused, and sends nothing: %j from %s", async (path, sender, words) => {
    const to = "no@mcp.example";
    const said = await withServer(path, (call) =>
      call("send-email", { ...mail(to), from: sender }),
    );
    expect(said).toMatch(/^Email failed to send: /);
    expect(said).toContain(words);
    expect(await received(to)).toEqual([]);
  });
});
