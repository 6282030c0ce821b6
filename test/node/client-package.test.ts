/* The package of the typed client, as somebody outside of this project installs it. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const MAX_GZIP_BYTES = 4_096;
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
});

describe("the package of the client", () => {
  it("has one module of at most 4 KiB gzipped, its declarations, and no dependency", () => {
    expect(files.filter((file) => !file.endsWith(".d.ts"))).toEqual([
      "package/dist/index.js",
      "package/package.json",
    ]);
    expect(files).toContain("package/dist/index.d.ts");
    const bytes = readFileSync(join(installed, "dist/index.js"));
    expect(gzipSync(bytes, { level: 9 }).length).toBeLessThanOrEqual(MAX_GZIP_BYTES);
    const manifest: object = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
    expect(manifest).not.toHaveProperty("dependencies");
    expect(manifest).not.toHaveProperty("peerDependencies");
  });

  it("type-checks from outside, in strict mode and without skipLibCheck", () => {
    writeFileSync(
      join(folder, "use.ts"),
      `import { createClient, PostriderError, verifyWebhook } from "postrider-client";
import type { Client, LogEntry, RefusalCode, Subscriber } from "postrider-client";
const client: Client = createClient({ baseUrl: "https://mail.example.com", key: "sk_x" });
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
    const options = ["--strict", "--noEmit", "--target", "es2022", "--lib", "es2022,dom"];
    for (const resolution of [
      ["--module", "nodenext"],
      ["--module", "esnext", "--moduleResolution", "bundler"],
    ]) {
      const tsc = join(project, "node_modules/typescript/bin/tsc");
      const given = [tsc, ...options, ...resolution, "--types", "", "--ignoreConfig", "use.ts"];
      expect(run(process.execPath, given)).toMatchObject({ status: 0, output: "" });
    }
  });

  it("runs on Node as installed", () => {
    writeFileSync(
      join(folder, "run.mjs"),
      `import { createServer } from "node:http";
import { createClient } from "postrider-client";
const server = createServer((request, response) => {
  response.setHeader("Content-Type", "application/json");
  response.end(JSON.stringify({ path: request.url, key: request.headers.authorization }));
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const client = createClient({ baseUrl: \`http://127.0.0.1:\${server.address().port}\`, key: "sk_x" });
console.log(JSON.stringify(await client.projects.stats({ projectId: "p" })));
server.close();
server.closeAllConnections();
`,
    );
    const { status, stdout } = run(process.execPath, ["run.mjs"]);
    expect([status, JSON.parse(stdout)]).toEqual([
      0,
      { path: "/api/v1/projects/p/stats", key: "Bearer sk_x" },
    ]);
  });
});
