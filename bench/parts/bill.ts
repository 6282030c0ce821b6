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

const BROADCAST_GOAL_DOLLARS = 5;
const WARM_UP = 100;
/**
 * Opens and clicks per second: a busy hour of a million a day, so that queue batches fill alike.
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
 * Measures part 6: the platform's price for a million of each, from counted operations and
 * published prices.
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
    const { pixels } = await findTrackedUrls((await sink.report()).kept);
    const opens = await billOpens(field, pixels);
    const sends = await billSends(field);
    return report({ broadcast: broadcasts, open: opens, "API send": sends });
  });
}

/** Counts the work, measures its CPU time, and prices a million of it. */
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

/** Opens each mail once. */
async function billOpens(field: Field, pixels: string[]): Promise<BillLine[]> {
  const { url, untilIdle } = field.service;
  const seconds = pixels.length / VISITS_A_SECOND;
  const load = { url, paths: pixels, status: 200, connections: 8, seconds, rate: VISITS_A_SECOND };
  return bill(field, pixels.length, async () => {
    await runLoad(load);
    await untilIdle();
  });
}

async function billSends(field: Field): Promise<BillLine[]> {
  const { project, sizes } = field;
  return bill(field, sizes.sends, async () => {
    for (let n = 0; n < sizes.sends; n++)
      await project.api("POST", `/projects/${project.id}/send`, {
        to: `buyer${n}@shop.test`,
        subject: "Your order",
        html_body: '<p><a href="https://example.com/order">See your order</a></p>',
      });
  });
}

function report(bills: Record<string, BillLine[]>): PartResult {
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
    title: `The bill of a million mails of a broadcast, opens and API sends, at the prices of ${prices.read_on}`,
    columns: ["unit", ...names.flatMap((name) => [`each ${name}`, "$/million"])],
    rows: [...rows, ["total", ...totals]],
    goals: [
      {
        what: "dollars for a million broadcast mails",
        measured: totalOf(bills["broadcast"] ?? []),
        kind: "at_most",
        limit: BROADCAST_GOAL_DOLLARS,
      },
    ],
    notes: [
      ...dominant,
      "cpu_ms is measured here with the simulated database, queues and counting in it: the platform bills less.",
      `durable_gb_seconds are assumed (10 ms a request). Opens come at ${VISITS_A_SECOND} a second.`,
    ],
  };
}
