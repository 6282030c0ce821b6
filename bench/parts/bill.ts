import { setTimeout as delay } from "node:timers/promises";
import { createOwner, subscribe, type Owner, type Project } from "../harness/account.ts";
import { billOf, totalOf, type BillLine } from "../harness/bill.ts";
import { startChild, type Remote } from "../harness/child.ts";
import { started, withCleanUp } from "../harness/clean-up.ts";
import { COUNTED, countOf } from "../harness/counts.ts";
import { runLoad } from "../harness/load.ts";
import { broadcast, createTemplate, findTrackedUrls } from "../harness/newsletter.ts";
import { cpuBetween } from "../harness/process-use.ts";
import type { PartResult, Sizes } from "../harness/report.ts";
import { startService, type RunningWorker } from "../harness/runtime.ts";
import { readable } from "../harness/statistics.ts";
import type { sinkVerbs } from "../peers/sink.ts";
import prices from "../prices.json" with { type: "json" };

const GOAL_DOLLARS = 5;
/** Fractions of a broadcast's mails that are opened and clicked, once each. */
const OPENED = 0.4;
const CLICKED = 0.05;
const DAY_MS = 86_400_000;
/** Age in days at which the log's retention (90 days by default) removes an entry. */
const OLD_DAYS = 100;
const EVERY_FIVE_MINUTES = "*/5 * * * *";
/** Maximum requests per second of one client under the rate limit by address. */
const CALLS_A_SECOND = 10;
const WARM_UP = 100;
/**
 * Opens and clicks per second: a busy hour of a million a day, so that queue batches fill as in
 * production.
 */
const VISITS_A_SECOND = 100;

interface Field {
  service: RunningWorker;
  sink: Remote<typeof sinkVerbs>;
  owner: Owner;
  project: Project;
  sizes: Sizes;
}

/**
 * Measures part 6: the platform's price of a million of each, from counted operations and published
 * prices.
 */
export async function measureBill(sizes: Sizes): Promise<PartResult> {
  return withCleanUp(async (atEnd) => {
    const sink = await started(startChild<typeof sinkVerbs>("../peers/sink.ts"), atEnd);
    const service = await started(startService({}, COUNTED), atEnd);
    const owner = await createOwner(service);
    const port = await sink.port();
    const warmUp = await owner.newProject(port);
    await subscribe(await service.database(), warmUp.id, WARM_UP);
    await broadcast(warmUp, await createTemplate(warmUp, owner));
    const field = { service, sink, owner, project: await owner.newProject(port), sizes };
    const broadcasts = await billBroadcast(field);
    const { pixels, clicks } = await findTrackedUrls((await sink.report()).kept);
    const linksOfMail = clicks.length / pixels.length;
    const clicked = clicks.filter((_, n) => n % linksOfMail === 0);
    const opens = await billVisits(field, pixels.slice(0, sizes.recipients * OPENED), 200);
    const visits = await billVisits(field, clicked.slice(0, sizes.recipients * CLICKED), 302);
    const removals = await billRetention(field);
    const sends = await billSends(field);
    return report(
      { broadcast: broadcasts, open: opens, click: visits, removal: removals, "API send": sends },
      { broadcast: 1, open: OPENED, click: CLICKED, removal: 1 },
    );
  });
}

/** Counts the operations, measures the CPU time, and prices a million. */
async function bill(
  { service }: Field,
  pieces: number,
  work: () => Promise<unknown>,
): Promise<BillLine[]> {
  let cpuMs = 0;
  const counts = await countOf(service, async () => {
    const before = service.use();
    await work();
    cpuMs = cpuBetween(before, service.use()) ?? 0;
  });
  return billOf(counts, cpuMs, pieces);
}

async function billBroadcast(field: Field): Promise<BillLine[]> {
  const { service, sink, owner, project, sizes } = field;
  await subscribe(await service.database(), project.id, sizes.recipients);
  const templateId = await createTemplate(project, owner);
  await sink.begin({ roundTripMs: 0, chunking: true, keep: sizes.recipients });
  return bill(field, sizes.recipients, () => broadcast(project, templateId));
}

/** Requests each of these URLs once. */
async function billVisits(field: Field, paths: string[], status: number): Promise<BillLine[]> {
  const { url, untilIdle } = field.service;
  const seconds = paths.length / VISITS_A_SECOND;
  const load = { url, paths, status, connections: 8, seconds, rate: VISITS_A_SECOND };
  return bill(field, paths.length, async () => {
    await runLoad(load);
    await untilIdle();
  });
}

/**
 * Backdates the mails of the broadcast, and lets the retention job remove them with their clicks.
 */
async function billRetention(field: Field): Promise<BillLine[]> {
  const { service, project, sizes } = field;
  const database = await service.database();
  const age = OLD_DAYS * DAY_MS;
  await database.batch([
    database
      .prepare("update log_entries set sent_at = sent_at - ?1 where project_id = unhex(?2, '-')")
      .bind(age, project.id),
    database
      .prepare(
        "update rollups set bucket_at = bucket_at - ?1 where project_id = ?2 and kind = 'link'",
      )
      .bind(age, project.id),
  ]);
  const lines = await bill(field, sizes.recipients, async () => {
    const schedule = `/bench/scheduled?cron=${encodeURIComponent(EVERY_FIVE_MINUTES)}`;
    const { ok } = await fetch(`${service.url}${schedule}`, { method: "POST" });
    if (!ok) throw new Error("the schedule failed");
  });
  const left = await database
    .prepare("select count(*) as n from log_entries where project_id = unhex(?1, '-')")
    .bind(project.id)
    .first<number>("n");
  if (left !== 0) throw new Error(`${left} mails are left in the log`);
  return lines;
}

async function billSends(field: Field): Promise<BillLine[]> {
  const { project, sizes } = field;
  return bill(field, sizes.sends, async () => {
    for (let n = 0; n < sizes.sends; n++) {
      const nextAt = delay(1_000 / CALLS_A_SECOND);
      await project.api("POST", `/projects/${project.id}/send`, {
        to: `buyer${n}@shop.test`,
        subject: "Your order",
        html_body: '<p><a href="https://example.com/order">See your order</a></p>',
      });
      await nextAt;
    }
  });
}

/** Builds the tables; `parts` are the units of work that one broadcast mail causes. */
function report(bills: Record<string, BillLine[]>, parts: Record<string, number>): PartResult {
  const names = Object.keys(bills);
  const units = Object.keys(prices.per_million) as BillLine["unit"][];
  const lineOf = (name: string, unit: string) => bills[name]?.find((line) => line.unit === unit);
  const dollars = (value = 0) => `$${value.toFixed(2)}`;
  const rows = units.map((unit) => [
    unit,
    ...names.flatMap((name) => {
      const { amount = 0, dollars: price = 0 } = lineOf(name, unit) ?? {};
      return [amount / 1_000_000, dollars(price)];
    }),
  ]);
  const totals = names.flatMap((name) => ["", dollars(totalOf(bills[name] ?? []))]);
  const dominant = names.map((name) => {
    const lines = bills[name] ?? [];
    const [largest] = lines.toSorted((a, b) => b.dollars - a.dollars);
    const share = ((largest?.dollars ?? 0) / totalOf(lines)) * 100;
    return `${name}: ${readable(share)} % of it are ${largest?.unit ?? "-"}`;
  });
  return {
    title: `The bill of a million of each, at the prices of ${prices.read_on}`,
    columns: ["unit", ...names.flatMap((name) => [`each ${name}`, "$/million"])],
    rows: [...rows, ["total", ...totals]],
    goals: [
      {
        what: `dollars for a million broadcast mails, ${OPENED * 100} % opened and ${CLICKED * 100} % clicked, until the log removes them`,
        measured: Object.entries(parts).reduce(
          (sum, [name, share]) => sum + share * totalOf(bills[name] ?? []),
          0,
        ),
        kind: "at_most",
        limit: GOAL_DOLLARS,
      },
    ],
    notes: [
      ...dominant,
      "cpu_ms is measured here with the simulated database, queues and counting in it: the platform bills less.",
      `durable_gb_seconds are assumed (10 ms a request). Opens and clicks come at ${VISITS_A_SECOND} a second, each in a message of its own; sends at ${CALLS_A_SECOND} a second from one address.`,
    ],
  };
}
