/* The command line as somebody installs it from its package, with a running service. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient, type TokenClient } from "../../client/src/index.ts";
import { freePorts } from "../support/free-port.ts";
import {
  ANNOUNCED,
  endEverything,
  logIn,
  makeStateDir,
  readLine,
  start,
  type Run,
} from "./support/local-run.ts";

const execute = promisify(execFile);
const COMPILERS = resolve(".cache/mail-compilers/node_modules");
const folder = mkdtempSync(join(tmpdir(), "postrider-cli-"));
const program = join(folder, "node_modules/.bin/postrider");
const credentials = join(folder, "config/postrider/credentials.json");

let run: Run;
let session: string;
let projectId: string;
/** The service as the person who is logged in. */
let client: TokenClient;

const environment = (more: Record<string, string> = {}) => ({
  ...process.env,
  NODE_EXTRA_CA_CERTS: "", // a path in another folder, which Node would complain about
  XDG_CONFIG_HOME: join(folder, "config"),
  ...more,
});

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs the command line in the empty folder. */
async function cli(args: string[], env: Record<string, string> = {}): Promise<Ended> {
  const options = { cwd: folder, env: environment(env) };
  return execute(process.execPath, [program, ...args], options).then(
    (done) => ({ code: 0, ...done }),
    (failed: Ended) => failed,
  );
}

/** Runs a command that must succeed, and returns its JSON. */
async function json<T = Record<string, unknown>>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await cli([...args, "--json"]);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

/** Starts a login, and decides on it in the browser's place. */
async function logInWith(decision: { approve: boolean; project_ids?: string[] }): Promise<Ended> {
  const args = [program, "login", "--url", readLine(run, "Address")];
  const child = spawn(process.execPath, args, { cwd: folder, env: environment() });
  const said = { code: 0, stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => (said.stdout += chunk.toString()));
  for await (const line of createInterface(child.stderr)) {
    said.stderr += `${line}\n`;
    const [, user_code] = /confirm the code (\S+)/.exec(line) ?? [];
    if (user_code === undefined) continue;
    const response = await fetch(`${readLine(run, "Address")}/api/v1/auth/device/answer`, {
      method: "POST",
      headers: { Cookie: session, "Content-Type": "application/json" },
      body: JSON.stringify({ user_code, ...decision }),
    });
    expect(response.status).toBe(204);
  }
  if (child.exitCode === null) await once(child, "close");
  return { ...said, code: child.exitCode ?? -1 };
}

beforeAll(async () => {
  const pack = ["pack", "--pack-destination", folder];
  const [, started] = await Promise.all([
    execute("npm", pack, { cwd: join(process.cwd(), "cli") }),
    start(makeStateDir(), ANNOUNCED, { WRANGLER_LOG: "warn" }),
  ]);
  run = started;
  const [archive = ""] = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
  writeFileSync(join(folder, "package.json"), "{}");
  const install = ["install", "--offline", "--no-audit", "--no-fund", `./${archive}`];
  await execute("npm", install, { cwd: folder });
  session = await logIn(run);
  projectId = readLine(run, "Project");
});

afterAll(async () => {
  await endEverything();
  rmSync(folder, { recursive: true, force: true });
});

describe("the package of the command line", () => {
  it("is one program without dependencies, which explains itself", async () => {
    const installed = join(folder, "node_modules/postrider");
    expect(
      readdirSync(join(folder, "node_modules")).filter((name) => !name.startsWith(".")),
    ).toEqual(["postrider"]);
    expect(readdirSync(join(installed, "dist"))).toEqual(["postrider.js"]);
    const { code, stdout } = await cli(["--help"]);
    expect([code, stdout]).toEqual([0, expect.stringContaining("Usage: postrider <command>")]);
    const page = readFileSync("docs/cli.md", "utf8");
    for (const option of new Set(stdout.match(/--[a-z-]+/g))) expect(page).toContain(option);
  });

  it.each([
    [["fly"], 'there is no command "fly"'],
    [["toString"], 'there is no command "toString"'],
    [["send", "--tu", "ann@example.com"], "Unknown option '--tu'"],
    [["send", "--subject", "x"], "send needs --to"],
    [["login", "--url", "http://mail.example.com"], "unencrypted"],
  ])("exits with 2 for wrong arguments: %j", async (args, words) => {
    const env = { POSTRIDER_URL: "https://mail.example.com", POSTRIDER_TOKEN: "pat_x" };
    const { code, stderr } = await cli(args, env);
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
  });

  it("exits with 1 and an error in JSON without a login, and with a token that is over", async () => {
    const { code, stderr } = await cli(["logs", "--json"]);
    expect([code, JSON.parse(stderr)]).toMatchObject([1, { code: "not_logged_in" }]);
    const env = { POSTRIDER_URL: readLine(run, "Address"), POSTRIDER_TOKEN: "pat_x" };
    const refused = await cli(["logs", "--json"], env);
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stderr)).toMatchObject({ code: "access_token_over" });
    const [port = 0] = await freePorts(1);
    const nobody = { ...env, POSTRIDER_URL: `http://127.0.0.1:${port}` };
    const { code: status, stderr: words } = await cli(
      ["send", "--to", "a@example.com", "--subject", "x", "--text", "package.json"],
      { ...nobody, POSTRIDER_PROJECT: projectId },
    );
    expect([status, words]).toEqual([
      1,
      expect.stringMatching(/^no answer from the service: .+\n$/),
    ]);
  });
});

describe("a login", () => {
  it("that is declined stores nothing", async () => {
    const { code, stderr } = await logInWith({ approve: false });
    expect([code, stderr]).toEqual([1, expect.stringContaining("the login was declined")]);
    expect(existsSync(credentials)).toBe(false);
  });

  it("stores the access token for the user alone, and ends the token before", async () => {
    const first = await logInWith({ approve: true });
    expect([first.code, first.stdout]).toEqual([0, expect.stringMatching(/^Logged in to http/)]);
    expect(statSync(credentials).mode & 0o777).toBe(0o600);
    const read = () => JSON.parse(readFileSync(credentials, "utf8")) as { token: string };
    const before = read().token;
    await logInWith({ approve: true, project_ids: [projectId] });
    const baseUrl = readLine(run, "Address");
    const old = createClient({ baseUrl, token: before });
    await expect(old.auth.me()).rejects.toMatchObject({ code: "access_token_over" });
    client = createClient({ baseUrl, token: read().token });
    expect(await client.projects.list()).toMatchObject([{ id: projectId }]);
  });
});

describe("with a login", () => {
  it("sends a file or a template, once for a key, and shows it in the log", async () => {
    writeFileSync(join(folder, "hello.html"), "<p>Hello</p>");
    const hello = [
      "send",
      "--to",
      "cli@example.com",
      "--subject",
      "From a file",
      "--html",
      "hello.html",
    ];
    const sent = await json("send", ...hello.slice(1), "--idempotency-key", "one");
    expect(await json(...hello, "--idempotency-key", "one")).toEqual(sent);
    const body = { name: "greeting", subject: "Hi {{name}}", html_body: "<p>{{name}}</p>" };
    await client.projects.templates.create({ projectId, body });
    const data = JSON.stringify({ name: "Ann\u001B[2J" });
    await json("send", "--to", "cli@example.com", "--template", "greeting", "--data", data);
    const { stdout } = await cli(["logs", "--to", "cli@example.com"]);
    expect(stdout).toMatch(
      /^\S+Z {2}sent {8}cli@example\.com {2}From a file\n\S+Z {2}sent {8}cli@example\.com {2}Hi Ann ?\[2J\n$/,
    );
    const missing = await cli(["send", "--to", "cli@example.com", "--template", "none"]);
    expect([missing.code, missing.stderr]).toEqual([1, 'there is no template "none"\n']);
  });

  it("follows the log", async () => {
    const args = [program, "logs", "--follow", "--json", "--to", "follow@example.com"];
    const child = spawn(process.execPath, args, { cwd: folder, env: environment() });
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    for (const subject of ["One", "Two"]) {
      const body = { to: "follow@example.com", subject, text_body: "x" };
      await client.projects.send({ projectId, body });
      const { value } = await lines.next();
      expect(JSON.parse(value ?? "")).toMatchObject({ subject, status: "sent" });
    }
    child.kill();
    expect((await lines.next()).done).toBe(true);
  });

  it("pulls and pushes templates, and overwrites no changes of others", async () => {
    type Answer = { templates: { folder: string; change: string; words: string }[] };
    const changeOf = async (...args: string[]) =>
      (await json<Answer>("templates", ...args)).templates.find((one) => one.folder === "greeting");
    const body = { name: "../../Évil  name", html_body: "x" };
    const { id: evil } = await client.projects.templates.create({ projectId, body });
    const twin = { name: "twin", html_body: "x" };
    for (const html_body of ["one", "two"])
      await client.projects.templates.create({ projectId, body: { ...twin, html_body } });
    expect(await changeOf("pull", "--dry-run")).toMatchObject({ change: "create" });
    expect(existsSync(join(folder, "emails"))).toBe(false);
    expect(await changeOf("pull")).toMatchObject({ change: "create" });
    expect(existsSync(join(folder, "emails/évil-name/template.json"))).toBe(true);
    const twins = ["twin", "twin-2"].map((name) =>
      readFileSync(join(folder, "emails", name, "body.html"), "utf8"),
    );
    expect(twins.toSorted()).toEqual(["one", "two"]);
    await client.projects.templates.delete({ projectId, templateId: evil });
    rmSync(join(folder, "emails/évil-name"), { recursive: true });
    const at = join(folder, "emails/greeting");
    const settings = JSON.parse(readFileSync(join(at, "template.json"), "utf8"));
    expect(settings).toEqual({ name: "greeting", subject: "Hi {{name}}", public: false });

    writeFileSync(join(at, "body.html"), "<p>Mine</p>");
    expect(await changeOf("push", "--dry-run")).toMatchObject({
      change: "update",
      words: "html_body",
    });
    expect(await changeOf("push")).toMatchObject({ change: "update" });
    expect(await changeOf("push")).toMatchObject({ change: "unchanged" });
    const listed = await client.projects.templates.list({ projectId });
    const remote = listed.find(({ name }) => name === "greeting");
    expect(remote).toMatchObject({ html_body: "<p>Mine</p>" });

    const templateId = remote?.id ?? "";
    await client.projects.templates.update({ projectId, templateId, body: { subject: "Theirs" } });
    writeFileSync(join(at, "body.html"), "<p>Mine again</p>");
    for (const verb of ["push", "pull"]) {
      const { code, stdout, stderr } = await cli(["templates", verb]);
      expect([code, stderr]).toEqual([1, expect.stringContaining("1 in conflict")]);
      expect(stdout).toMatch(/conflict {2}greeting {2}changed (?:here|in the project): /);
    }
    expect((await client.projects.templates.get({ projectId, templateId })).subject).toBe("Theirs");
    expect(await changeOf("push", "--force")).toMatchObject({ change: "update" });
    await client.projects.templates.update({ projectId, templateId, body: { subject: "Newer" } });
    expect(await changeOf("pull")).toMatchObject({ change: "update", words: "subject" });
    mkdirSync(join(folder, "emails/new"));
    writeFileSync(join(folder, "emails/new/template.json"), '{"name":"new"}');
    expect((await json<Answer>("templates", "push")).templates).toContainEqual({
      folder: "new",
      change: "create",
      words: "",
    });
  });

  it.runIf(existsSync(COMPILERS))(
    "compiles React Email and MJML by the project's packages",
    async () => {
      mkdirSync(join(folder, "shop"));
      symlinkSync(COMPILERS, join(folder, "shop/node_modules"));
      const sources = {
        "react/body.tsx": `import { Button, Html } from "@react-email/components";
        import { Greeting } from "./greeting";
        export default () => (
          <Html lang="en">
            <Greeting name={"{{name}}"} />
            <Button href="https://shop.example/">Shop</Button>
          </Html>
        );`,
        "react/greeting.tsx":
          "export const Greeting = ({ name }: { name: string }) => <h1>Hello {name}</h1>;",
        "mjml/body.mjml": `<mjml><mj-body><mj-section><mj-column>
        <mj-text>Hello {{name}}</mj-text>
        </mj-column></mj-section></mj-body></mjml>`,
        "faulty/body.mjml": "<mjml><mj-body><mj-nothing /></mj-body></mjml>",
      };
      for (const [file, source] of Object.entries(sources)) {
        const at = join(folder, "shop/emails", dirname(file));
        mkdirSync(at, { recursive: true });
        writeFileSync(join(at, "template.json"), JSON.stringify({ name: dirname(file) }));
        writeFileSync(join(folder, "shop/emails", file), source);
      }
      const faulty = await cli(["templates", "push", "shop/emails"]);
      expect([faulty.code, faulty.stderr]).toEqual([1, expect.stringContaining("mj-nothing")]);
      rmSync(join(folder, "shop/emails/faulty"), { recursive: true });
      await json("templates", "push", "shop/emails");
      const templates = await client.projects.templates.list({ projectId });
      const html = async (wanted: string) => {
        const templateId = templates.find(({ name }) => name === wanted)?.id ?? "";
        const { html_body: body } = await client.projects.templates.get({ projectId, templateId });
        return body.replaceAll("<!-- -->", "");
      };
      expect(await html("react")).toMatch(
        /<html [^>]*lang="en".*<h1>Hello \{\{name\}\}<\/h1><a href="https/,
      );
      expect(await html("mjml")).toMatch(/<table[^]+<td[^]+>Hello \{\{name\}\}<\/div>/);
      expect(readdirSync(join(folder, "shop/emails/react")).toSorted()).toEqual([
        "body.tsx",
        "greeting.tsx",
        "template.json",
      ]);
    },
  );

  it.each(["mjml", "tsx"])("says which packages a body.%s needs", async (extension) => {
    const at = join(folder, `${extension}/one`);
    mkdirSync(at, { recursive: true });
    writeFileSync(join(at, "template.json"), '{"name":"one"}');
    writeFileSync(join(at, `body.${extension}`), "");
    const { code, stderr } = await cli(["templates", "push", extension]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("npm install ")]);
  });

  it("imports a list in parts with its lines, tags and topics, and shows before what would happen", async () => {
    await client.projects.topics.create({ projectId, body: { name: "News" } });
    const rows = Array.from({ length: 5_001 }, (_, n) => `p${n}@example.com,"Person\n${n}",Rome\n`);
    writeFileSync(join(folder, "list.csv"), `email,name,city\n${rows.join("")}nobody,Nobody,\n`);
    const args = ["import", "list.csv", "--tag", "fair", "--topic", "News", "--status", "active"];
    const plan = await json(...args, "--dry-run");
    expect(plan).toMatchObject({ dry_run: true, imported: 5_001, rejected_rows: 1 });
    const { stdout, stderr, code } = await cli(args);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^5001 imported, .*, 1 rejected\n$/)]);
    expect(stderr).toBe(
      "5000 of 5002 rows\n5002 of 5002 rows\nline 10004: nobody: invalid_syntax\n",
    );
    const found = { projectId, search: "p5000@example.com" };
    const { subscribers } = await client.projects.subscribers.list(found);
    expect(subscribers).toMatchObject([{ tags: ["fair"], metadata: { city: "Rome" } }]);
    const { imports } = await client.projects.imports.list({ projectId });
    expect(imports[0]).toMatchObject({ name: "list.csv", imported: 5_001 });
  });

  it("logs out, which ends the token", async () => {
    expect(await json("logout")).toEqual({ logged_out: true });
    expect(existsSync(credentials)).toBe(false);
    await expect(client.auth.me()).rejects.toMatchObject({ code: "access_token_over" });
  });
});
