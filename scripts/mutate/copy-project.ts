import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** The tests of the copy are those of the project, with the switch of mutants before their set-up. */
const CONFIG = `import config from "./vitest.config.ts";

for (const project of config.test.projects) {
  const { setupFiles = [] } = project.test;
  project.test.setupFiles = ["./scripts/mutate/in-test.ts", ...setupFiles];
  project.test.sequence = { ...project.test.sequence, setupFiles: "list" };
  project.test.disableConsoleIntercept = true;
}
config.test.maxWorkers = 1;
export default config;
`;

/** Copies what git knows or would add, as it is on disk; the packages are shared. */
export function copyProject(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  const list = execFileSync("git", [
    "ls-files",
    "-z",
    "--cached",
    "--others",
    "--exclude-standard",
  ]);
  for (const file of list.toString().split("\0")) {
    if (file === "" || !existsSync(file)) continue;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(file, join(folder, file));
  }
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "vitest.mutate.config.ts"), CONFIG);
}
