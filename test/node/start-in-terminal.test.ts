// `npm start -- --quiet` as somebody runs it: from a project of its own, in a terminal.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, openSync, rmSync, symlinkSync, writeSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { endEverything, makeStateDir, NODE, readJson, start } from "./support/local-run.ts";

const START_TIMEOUT_MS = 300_000;
const COPIED = ["src", "scripts", "migrations", "examples", "wrangler.toml", "package.json"];
const READY = /a tracked link[^\r]*'\r\n/;
const hasTerminals = spawnSync("sh", ["-c", "command -v script mkfifo"]).status === 0;

afterAll(endEverything);

describe.runIf(hasTerminals)("npm start -- --quiet in a terminal", () => {
  it(
    "shows its message again on Enter, prints no requests, and works on while its packages and sources are replaced",
    { timeout: START_TIMEOUT_MS },
    async () => {
      const stateDir = makeStateDir();
      const project = join(stateDir, "project");
      mkdirSync(project);
      for (const name of COPIED) cpSync(name, join(project, name), { recursive: true });
      for (const name of ["node_modules", "assets"])
        symlinkSync(resolve(name), join(project, name));
      const keyboard = join(stateDir, "keyboard");
      execFileSync("sh", ["-c", `mkfifo '${keyboard}'`]);
      const keys = openSync(keyboard, "r+");
      const command = `${resolve(NODE)} ${join(project, "scripts/start.ts")} --quiet`;
      const terminal = `exec script -qfc '${command}' /dev/null < '${keyboard}'`;
      const run = await start(join(stateDir, "state"), READY, {}, ["sh", "-c", terminal]);
      const read = (label: string) =>
        new RegExp(`^ {2}${label} +(\\S+)\r$`, "m").exec(run.output)?.[1] ?? "";

      rmSync(join(project, "node_modules")); // as `npm ci` does
      rmSync(join(project, "src"), { recursive: true });
      const url = `${read("Address")}/api/v1/projects/${read("Project")}/send`;
      const headers = { Authorization: `Bearer ${read("API key")}` };
      for (const to of ["ann@example.com", "ben@example.com"]) {
        const body = JSON.stringify({ to, subject: "Hello", text_body: "Hello" });
        const response = await fetch(url, { method: "POST", headers, body });
        expect([to, response.status]).toEqual([to, 200]);
      }
      const inbox = await fetch(`${read("Inbox")}api/messages`);
      expect((await readJson<{ messages: object[] }>(inbox)).messages).toHaveLength(2);

      writeSync(keys, "\n");
      const messages = () => run.output.match(/Enter shows this again/g);
      await expect.poll(messages, { timeout: START_TIMEOUT_MS }).toHaveLength(2);
      writeSync(keys, "\u0003");
      await run.ended;
      expect(run.output).not.toMatch(/service │/);
    },
  );
});
