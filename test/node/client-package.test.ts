/* The package of the typed client, as somebody outside of this project installs it. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const MAX_GZIP_BYTES = 6_144;
const project = process.cwd();
const folder = mkdtempSync(join(tmpdir(), "postrider-client-"));
const installed = join(folder, "node_modules/postrider-client");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(command: string, args: string[], cwd = folder) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: "utf8" });
  return { status, stdout, output: stdout + stderr };
}

let files: string[];

beforeAll(() => {
  const packed = run(
    "npm",
    ["pack", "--json", "--pack-destination", folder],
    join(project, "client"),
  );
  if (packed.status !== 0) throw new Error(packed.output);
  const [listing] = packed.output.split("\n").filter((line) => line.includes(".tgz"));
  const [archive] = /postrider-client-[\d.]+\.tgz/.exec(listing ?? "") ?? [];
  if (archive === undefined) throw new Error(packed.output);
  mkdirSync(installed, { recursive: true });
  const listed = run("tar", ["-xvzf", archive, "--strip-components=1", "-C", installed]);
  if (listed.status !== 0) throw new Error(listed.output);
  files = listed.output.trim().split("\n").toSorted();
  symlinkSync(join(project, "node_modules/nodemailer"), join(folder, "node_modules/nodemailer"));
});

/** The program in a section of docs/api-client.md. */
function documented(section: string): string {
  const text = readFileSync(join(project, "docs/api-client.md"), "utf8");
  const [, after = ""] = text.split(`## ${section}\n`);
  return /```ts\n([^]+?)```/.exec(after)?.[1] ?? "no example";
}

describe("the package of the client", () => {
  it("has readable modules, the main one of at most 6 KiB gzipped, source maps, declarations, and no dependency", () => {
    expect(files.filter((file) => !file.endsWith(".d.ts"))).toEqual([
      "package/LICENSE",
      "package/README.md",
      "package/dist/index.js",
      "package/dist/index.js.map",
      "package/dist/nodemailer.js",
      "package/dist/nodemailer.js.map",
      "package/package.json",
    ]);
    expect(files).toContain("package/dist/index.d.ts");
    const bytes = readFileSync(join(installed, "dist/index.js"));
    expect(gzipSync(bytes, { level: 9 }).length).toBeLessThanOrEqual(MAX_GZIP_BYTES);
    const longest = Math.max(
      ...bytes
        .toString()
        .split("\n")
        .map((line) => line.length),
    );
    expect(longest).toBeLessThan(200);
    const manifest: object = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
    expect(manifest).not.toHaveProperty("dependencies");
    expect(manifest).not.toHaveProperty("peerDependencies");
  });

  it("type-checks from outside, in strict mode and without skipLibCheck", () => {
    writeFileSync(
      join(folder, "use.ts"),
      `import { createClient, PostriderError, verifyWebhook } from "postrider-client";
import type { Client, KeyClient, LogEntry, RefusalCode, Subscriber, TokenClient } from "postrider-client";
const baseUrl = "https://mail.example.com";
const client: TokenClient = createClient({ baseUrl, token: "pat_x" });
const byKey: KeyClient = createClient({ baseUrl, key: "sk_x" });
const bySession: Client = createClient({ baseUrl });
export async function refused(projectId: string) {
  await byKey.projects.send({ projectId, body: { to: "a@b.example", subject: "x", html_body: "x" } });
  await bySession.auth.sessions.list();
  // @ts-expect-error a key cannot read the log
  await byKey.projects.logs.list({ projectId });
  // @ts-expect-error a key cannot list sessions
  await byKey.auth.sessions.list();
  // @ts-expect-error an access token cannot list sessions
  await client.auth.sessions.list();
  // @ts-expect-error the key-based API takes only keys
  await client.keyed.subscribers.list();
  // @ts-expect-error one credential is enough
  createClient({ baseUrl, key: "sk_x", token: "pat_x" });
}
export async function use(projectId: string): Promise<string> {
  const { logs, total } = await client.projects.logs.list({ projectId, status: "failed", limit: 5 });
  const count: number | undefined = total;
  const failed: LogEntry[] = logs;
  // @ts-expect-error there is no such status
  await client.projects.logs.list({ projectId, status: "lost" });
  // @ts-expect-error the call needs a project
  await client.projects.logs.list({});
  // @ts-expect-error there is no such call
  await client.projects.logs.burn({ projectId });
  // @ts-expect-error a template has a name
  await client.projects.templates.create({ projectId, body: { subject: "x" } });
  const nameless = ({ name }: Subscriber): boolean => name === "";
  for await (const subscriber of client.projects.subscribers.list.all({ projectId }))
    if (nameless(subscriber)) return subscriber.email;
  const event = await verifyWebhook({ body: "", signature: null, secret: "x" });
  const code: RefusalCode = "not_found";
  const error = new PostriderError("x", code, 404);
  return [failed[0]?.to_email, count, event.type, error.code].join();
}
`,
    );
    writeFileSync(join(folder, "documented.mts"), documented("Calls"));
    writeFileSync(join(folder, "worker.mts"), documented("Workers of the same account"));
    const options = ["--strict", "--noEmit", "--target", "es2022", "--lib", "es2022,dom"];
    for (const resolution of [
      ["--module", "nodenext"],
      ["--module", "esnext", "--moduleResolution", "bundler"],
    ]) {
      const tsc = join(project, "node_modules/typescript/bin/tsc");
      const given = [
        tsc,
        ...options,
        ...resolution,
        "--types",
        "",
        "--ignoreConfig",
        "use.ts",
        "documented.mts",
        "worker.mts",
      ];
      expect(run(process.execPath, given)).toMatchObject({ status: 0, output: "" });
    }
  });

  it.each([
    [
      "Calls",
      [
        "GET /api/v1/projects/ Bearer pat_x",
        "POST /api/v1/projects/ Bearer pat_x",
        "POST /api/v1/projects/ Bearer sk_x",
      ],
    ],
    ["Nodemailer", ["POST /api/v1/projects/ Bearer sk_x"]],
  ])("runs the documented program of %s on Node as installed", (section, requests) => {
    const calls = documented(section)
      .replace('"https://mail.example.com"', "`http://127.0.0.1:${server.address().port}`")
      .replaceAll("_…", "_x");
    writeFileSync(
      join(folder, "run.mjs"),
      `import { createServer } from "node:http";
const server = createServer((request, response) => {
  console.log(request.method, request.url.slice(0, 17), request.headers.authorization);
  response.setHeader("Content-Type", "application/json");
  response.end(JSON.stringify({ logs: [], id: "t" }));
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
${calls}
server.close();
server.closeAllConnections();
`,
    );
    const { status, stdout } = run(process.execPath, ["run.mjs"]);
    expect([status, stdout.trim().split("\n")]).toEqual([0, requests]);
  });
});
