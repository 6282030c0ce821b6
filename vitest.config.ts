import { tmpdir } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { loadCertificates } from "./test/support/certificates.ts";
import { memoryDirectory } from "./test/support/memory-directory.ts";
import { TEST_SETTINGS } from "./test/support/settings.ts";

// workerd reads this when miniflare starts it, so it must be set before the plugin is imported.
const certificates = await loadCertificates(".cache/test-ca");
process.env["NODE_EXTRA_CA_CERTS"] = certificates.caFile;
// A runtime without a network and without anything of the developer's own.
process.env["CLOUDFLARE_CF_FETCH_ENABLED"] = "false";
process.env["WRANGLER_SEND_METRICS"] = "false";
// miniflare keeps its databases in the directory for temporary files.
const diskDirectory = tmpdir();
process.env["TMPDIR"] = memoryDirectory() ?? diskDirectory;
const { cloudflareTest, readD1Migrations } = await import("@cloudflare/vitest-plugin");

/**
 * Files that mostly wait for browsers and processes, the longest first. They take half of the
 * workers for half of the time.
 */
const FIRST = [
  "node/dashboard-broadcasts.test.ts",
  "node/dashboard.test.ts",
  "node/start.test.ts",
  "node/broadcast-kill.test.ts",
  "node/deploy-wrangler.test.ts",
  "node/doctor.test.ts",
];

/**
 * Files that mostly wait for a lease, or a server that hangs. They run one after another when the
 * files above are over, so that the other workers keep the processors busy.
 */
const LATER = [
  "mail/diagnosis.test.ts",
  "mailing/record-repeat.test.ts",
  "webhooks/webhook-delivery.test.ts",
  "webhooks/webhook-dispatcher.test.ts",
];
/** Their places, as parts of all other files, which begin with the largest. */
const PLACES = [0.2, 0.3, 0.4, 0.5];

/** Orders the files so that some that wait always run beside some that compute. */
class Mixed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const named = (names: string[]) =>
      names.flatMap((name) => sorted.filter(({ moduleId }) => moduleId.endsWith(name)));
    const [first, later] = [named(FIRST), named(LATER)];
    const others = sorted.filter((file) => !first.includes(file) && !later.includes(file));
    const mixed = [...others];
    for (const [n, file] of [...later.entries()].toReversed())
      mixed.splice(Math.floor(others.length * (PLACES[n] ?? 1)), 0, file);
    return [...first, ...mixed];
  }
}

/** Servers and browsers share the processors; test/support/flaky-tests.ts lists what failed at first. */
const retry = 1;

/** Packages of many modules that the service imports: each worker loads one bundle of them. */
const BUNDLED = [
  "@hono/zod-validator",
  "drizzle-orm",
  "drizzle-orm/batch",
  "drizzle-orm/casing",
  "drizzle-orm/d1",
  "drizzle-orm/session",
  "drizzle-orm/sqlite-core",
  "drizzle-orm/sqlite-core/query-builders/raw",
  "handlebars",
  "hono",
  "hono/cookie",
  "hono/cors",
  "hono/factory",
  "hono/html",
  "hono/router/trie-router",
  "hono/secure-headers",
  "hono/utils/accept",
  "hono/utils/html",
  "hono/utils/url",
  "zod",
];

export default defineConfig({
  test: {
    maxWorkers: 4, // two of them mostly wait
    sequence: { sequencer: Mixed },
    projects: [
      {
        plugins: [
          cloudflareTest(async ({ inject }) => ({
            wrangler: { configPath: "./wrangler.toml" },
            miniflare: {
              bindings: {
                ...TEST_SETTINGS,
                TEST_MIGRATIONS: await readD1Migrations("./migrations"),
                TEST_PORTS: inject("ports"),
                MODEL_RUNS: process.env["MODEL_RUNS"] ?? "",
              },
            },
          })),
        ],
        test: {
          name: "workers",
          retry,
          disableConsoleIntercept: true, // work behind an answer may log when its file has ended
          include: ["test/**/*.test.ts"],
          exclude: ["test/node/**"],
          setupFiles: ["./test/support/setup.ts"],
          globalSetup: ["./test/support/global-setup.ts"],
          testTimeout: 120_000, // a bound for hangs, far above what a busy machine needs
          expect: { poll: { timeout: 30_000, interval: 20 } },
          hookTimeout: 60_000,
          deps: { optimizer: { ssr: { enabled: true, include: BUNDLED } } },
          isolate: false, // starting a runtime costs 3 s of CPU a file; setup.ts gives each file its own world
        },
      },
      {
        test: {
          name: "node",
          retry,
          include: ["test/node/**/*.test.ts"],
          environment: "node",
          env: { TMPDIR: diskDirectory }, // these tests copy whole checkouts
          expect: { poll: { timeout: 60_000, interval: 50 } },
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
