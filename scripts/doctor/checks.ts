import { fillLevel, fillPercent } from "../../src/lib/storage-fill.ts";
import { refusalOf } from "../deploy/base-url.ts";
import { judgeReturnPaths } from "./judge-return-paths.ts";
import type { Part, Reading } from "./reading.ts";
import { fault, ok, type Verdict, warning } from "./verdict.ts";

/** Result of one check. */
export interface Finding extends Verdict {
  check: string;
}

/** A larger clock difference is not explained by a slow request. */
const CLOCK_TOLERANCE_MS = 30_000;

/** Evaluates a reading: one finding per check, in a fixed order. */
export function judge(reading: Reading): Finding[] {
  const isLocal = reading.place === "local";
  const again = isLocal ? "run `npm start`" : "run `npm run deploy`";
  return [
    finding("bindings", reading.bindings, (part) => judgeBindings(part, isLocal)),
    finding("secrets", reading.secrets, (part) => judgeSecrets(part, again)),
    finding("migrations", reading.migrations, (part) => judgeMigrations(part, again)),
    finding("queues", reading.queues, (part) => judgeQueues(part, isLocal)),
    ...(reading.crons ? [finding("cron triggers", reading.crons, judgeCrons)] : []),
    finding("dead letters", reading.deadLetters, judgeDeadLetters),
    finding("database", reading.size, judgeSize),
    finding("clock", reading.clock, judgeClock),
    finding("bounces", reading.returnPaths, judgeReturnPaths),
    finding("BASE_URL", reading.address, (part) => judgeAddress(part, isLocal)),
  ];
}

function finding<Value>(
  check: string,
  part: Part<Value>,
  judgeValue: (value: Value) => Verdict,
): Finding {
  const verdict =
    "value" in part
      ? judgeValue(part.value)
      : fault(`cannot be read: ${part.error}`, "fix the cause, then run the doctor again");
  return { check, ...verdict };
}

function judgeBindings({ wanted, found }: { wanted: string[]; found: string[] }, isLocal: boolean) {
  const missing = wanted.filter((name) => !found.includes(name));
  if (missing.length === 0) return ok(`all ${wanted.length} present`);
  if (missing.every((name) => name.startsWith("IMAGES")))
    return warning(
      "IMAGES missing: emails have no image library",
      isLocal
        ? "restore it in wrangler.toml"
        : "enable R2 in Cloudflare's dashboard, then run `npm run deploy`",
    );
  return fault(
    `${missing.join(", ")} missing`,
    isLocal ? "restore them in wrangler.toml" : "run `npm run deploy`",
  );
}

function judgeSecrets(states: Record<string, string>, again: string) {
  const bad = Object.entries(states).filter(([, state]) => state !== "present");
  if (bad.length === 0) return ok(`${Object.keys(states).join(", ")} are set`);
  return fault(
    bad.map(([name, state]) => `${name} is ${state}`).join(", "),
    `${again}, which creates the missing ones; if the database is in use, restore the old value from ` +
      "its copy (docs/configuration.md, Secrets)",
  );
}

function judgeMigrations(part: { wanted: string[]; applied: string[] }, again: string) {
  const { wanted, applied } = part;
  const missing = wanted.filter((name) => !applied.includes(name));
  const unknown = applied.filter((name) => !wanted.includes(name));
  if (missing.length > 0) return fault(`${missing.join(", ")} not applied`, again);
  if (unknown.length > 0) {
    return warning(
      `the database has ${unknown.join(", ")}, which this checkout lacks`,
      "update the checkout: an older version must not run on a newer database",
    );
  }
  return ok(`all ${wanted.length} are applied`);
}

function judgeQueues(
  queues: { name: string; exists: boolean; consumers: number }[],
  isLocal: boolean,
) {
  const absent = queues.filter(({ exists }) => !exists).map(({ name }) => name);
  const idle = queues.filter(({ exists, consumers }) => exists && consumers === 0);
  const remedy = isLocal ? "restore their consumers in wrangler.toml" : "run `npm run deploy`";
  if (absent.length > 0) return fault(`${absent.join(", ")} missing`, remedy);
  if (idle.length === 0) return ok(`all ${queues.length} have a consumer`);
  const names = idle.map(({ name }) => name).join(", ");
  return fault(`${names} without a consumer: messages wait and are lost after days`, remedy);
}

function judgeCrons({ wanted, found }: { wanted: string[]; found: string[] }) {
  const missing = wanted.filter((cron) => !found.includes(cron));
  if (missing.length === 0) return ok(`all ${wanted.length} present`);
  const names = missing.map((cron) => `"${cron}"`).join(", ");
  return fault(`${names} missing: the jobs of these triggers do not run`, "run `npm run deploy`");
}

function judgeDeadLetters({ waiting, unstored }: { waiting: number; unstored: number }) {
  if (waiting === 0 && unstored === 0) return ok("none");
  const says = [
    waiting > 0 ? `${waiting} waiting for a replay` : "",
    unstored > 0 ? `${unstored} on the queue, not stored yet` : "",
  ].filter((text) => text !== "");
  return warning(
    says.join(", "),
    "check `GET /api/v1/service/dead-letters` and the log, fix the cause, then replay them " +
      "(API reference §18.5)",
  );
}

function judgeSize({ bytes, limit }: { bytes: number; limit: number }) {
  const fill = bytes / limit;
  const says = `${(bytes / 1e6).toFixed(1)} MB, ${fillPercent(fill).toFixed(1)}% of its limit`;
  const remedy = "lower LOG_RETENTION_DAYS (docs/configuration.md, Retention)";
  switch (fillLevel(fill)) {
    case "full":
      return fault(says, `${remedy} now: the service sends no mail`);
    case "warning":
      return warning(says, `${remedy} soon: at 95% the service sends no mail`);
    case "ok":
      return ok(says);
  }
}

function judgeClock(part: { here: number; there: number | undefined; newest: number }) {
  const { here, there, newest } = part;
  const now = there ?? here;
  const off = Math.round((here - now) / 1_000);
  if (newest - now > CLOCK_TOLERANCE_MS) {
    return fault(
      `the database has entries of ${new Date(newest).toISOString()}, which is in the future`,
      "correct the clock of the machine that wrote them; until then, leases and sessions expire late",
    );
  }
  if (Math.abs(off) * 1_000 > CLOCK_TOLERANCE_MS) {
    return warning(
      `this machine is ${Math.abs(off)} s ${off > 0 ? "ahead" : "behind"}`,
      "turn on time synchronization: licenses that it signs and accounts that it creates get its time",
    );
  }
  return ok("agrees");
}

function judgeAddress(
  {
    baseUrl,
    health,
  }: { baseUrl: string | undefined; health: { outcome: string; reason: string } | undefined },
  isLocal: boolean,
) {
  if (!baseUrl) return fault("is not set", "run `npm run deploy`, which sets it");
  const refusal = isLocal ? undefined : refusalOf(baseUrl);
  if (refusal) {
    return fault(`${baseUrl} ${refusal}`, "run `npm run deploy -- --domain mail.example.com`");
  }
  if (health?.outcome === "healthy") return ok(`${baseUrl} answers`);
  const reason = health?.reason ?? "not asked";
  if (health?.outcome === "refusing") {
    return fault(
      `${baseUrl} refuses to work: ${reason}`,
      "correct the setting that the message names",
    );
  }
  return fault(
    `${baseUrl}/health does not respond: ${reason}`,
    isLocal
      ? "run `npm start`; if PORT is set, set the same for the doctor"
      : "check DNS, the certificate and the route of this name; a new name takes a few minutes",
  );
}
