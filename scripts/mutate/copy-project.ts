import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** Configuration of the copy: the project's tests, with the mutant switch before their set-up. */
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

/**
 * Configuration for tests of pure code, which start at once without the Workers runtime and
 * servers. Workers modules are empty here, so a test that needs them fails; such a test is left
 * out.
 */
const NODE_CONFIG = `const workers = {
  name: "no-workers",
  enforce: "pre",
  resolveId: (id) => (id.startsWith("cloudflare:") ? "\\0no-workers" : undefined),
  load: (id) => (id === "\\0no-workers" ? "export const env = { TEST_PORTS: {} };" : undefined),
};

export default {
  plugins: [workers],
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: ["./scripts/mutate/in-test.ts"],
    disableConsoleIntercept: true,
    testTimeout: 15_000,
    maxWorkers: 1,
  },
};
`;

/** Copies the files on disk that git tracks or would add; the copy shares the packages. */
export function copyProject(folder: string, { inNode }: { inNode: boolean }): void {
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
  writeFileSync(join(folder, "vitest.mutate.config.ts"), inNode ? NODE_CONFIG : CONFIG);
}
