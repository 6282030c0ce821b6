import { setTimeout as delay } from "node:timers/promises";
import { createOwner, type Owner, type Project } from "../harness/account.ts";
import { startChild, type Remote } from "../harness/child.ts";
import { started, withCleanUp } from "../harness/clean-up.ts";
import { COUNTED, countOf } from "../harness/counts.ts";
import type { Goal, PartResult, Sizes } from "../harness/report.ts";
import { migrate, startService, startWorker, type RunningWorker } from "../harness/runtime.ts";
import { median, quantile } from "../harness/statistics.ts";
import { timeEach, type TimedResult } from "../harness/time-each.ts";
import type { nodemailerVerbs } from "../peers/nodemailer.ts";
import type { sinkVerbs } from "../peers/sink.ts";

const WARM_UP = 30;
const COUNTED_SENDS = 20;
const COUNTED_AT_ONCE = 200;
/** D1 calls per send: one read, one write. */
const ROUND_TRIPS_GOAL = 2;
/** Connections that a project opens for single mails, and the size of the pool. */
const CONNECTIONS = 6;
/** Seconds per measurement where only latency matters. */
const SECONDS = 3;
/** Round trips per mail over an open session without CHUNKING. */
const SMTP_ROUND_TRIPS = 2;
const P50_ROUND_TRIPS_GOAL = 2.3;

/** Concurrency, and the fraction of the pool's rate that is the goal. */
interface Way {
  what: string;
  atOnce: number;
  connections: number;
  goals: Record<number, number>;
}

const WAYS: Way[] = [
  { what: "one by one", atOnce: 1, connections: 1, goals: { 0: 0.4, 20: 0.9, 50: 0.9 } },
  { what: "50 at once", atOnce: 50, connections: CONNECTIONS, goals: { 20: 0.8, 50: 0.8 } },
];
const OURS = { data: "Postrider, DATA", chunking: "Postrider, CHUNKING" };
const POOL = "nodemailer's pool";
/**
 * Reads D1, calls a Durable Object that writes one row, and sends nothing (bench/workers/bare.ts).
 * With latency, its time includes the round trips that a mail would take.
 */
const LEAST = "a Worker that sends nothing";

const MAIL = {
  subject: "Your order {n}",
  html: '<p>Thank you.</p><p><a href="https://example.com/order">See your order</a></p>',
  text: "Thank you. See https://example.com/order",
};
const addressOf = (n: number) => `buyer${n}@shop.test`;

type Sample = TimedResult & { rate: number; openMax: number };

interface Field {
  sink: Remote<typeof sinkVerbs>;
  nodemailer: Remote<typeof nodemailerVerbs>;
  owner: Owner;
  least: RunningWorker;
  port: number;
  sizes: Sizes;
}

/** Measures part 3: mails by API and their cost in D1, compared with a warm pool of nodemailer. */
export async function measureSend(sizes: Sizes): Promise<PartResult> {
  return withCleanUp(async (atEnd) => {
    const sink = await started(startChild<typeof sinkVerbs>("../peers/sink.ts"), atEnd);
    const peer = startChild<typeof nodemailerVerbs>("../peers/nodemailer.ts");
    const nodemailer = await started(peer, atEnd);
    const service = await started(startService({}), atEnd);
    const counted = await started(startService({}, COUNTED), atEnd);
    const least = await started(startWorker("bench/workers/bare.ts"), atEnd);
    await migrate(await least.database());
    const port = await sink.port();
    const owner = await createOwner(service);
    const samples = await measureAll({ sink, nodemailer, owner, least, port, sizes });
    await sink.begin({ roundTripMs: 0, chunking: true });
    return report(samples, sizes, await countSends(counted, port));
  });
}

type Samples = Map<string, Sample[]>;
const keyOf = (roundTripMs: number, { what }: Way, who: string) => `${roundTripMs} ${what} ${who}`;

/** Measures every contender once per round, so that a noisy minute affects all of them. */
async function measureAll(field: Field): Promise<Samples> {
  const samples: Samples = new Map();
  for (let round = 0; round < field.sizes.rounds; round++)
    for (const roundTripMs of field.sizes.roundTripsMs)
      for (const way of WAYS)
        for (const who of contendersAt(roundTripMs, way)) {
          const key = keyOf(roundTripMs, way, who);
          const sample = await measure(field, roundTripMs, way, who);
          samples.set(key, [...(samples.get(key) ?? []), sample]);
        }
  return samples;
}

/** The Worker that sends nothing has no connections, so with latency its mails are sequential. */
const contendersAt = (roundTripMs: number, { atOnce }: Way): string[] =>
  [OURS.data, POOL, OURS.chunking].concat(roundTripMs === 0 || atOnce === 1 ? [LEAST] : []);

/** Sends through open sessions with one latency: a separate project has separate sessions. */
async function measure(
  { sink, nodemailer, owner, least, port, sizes }: Field,
  roundTripMs: number,
  { atOnce, connections }: Way,
  who: string,
): Promise<Sample> {
  const settings = { roundTripMs, chunking: who === OURS.chunking };
  const most = (SECONDS * 1_000 * connections) / (SMTP_ROUND_TRIPS * roundTripMs);
  const count = Math.floor(Math.min(sizes.sends * connections, most));
  await sink.begin(settings);
  if (who === POOL) {
    const mail = { from: "sender@bench.test", to: "buyer{n}@shop.test", ...MAIL };
    const timed = await nodemailer.timed({ port, connections, count, mail, atOnce });
    const { openMax } = await sink.report();
    return { ...timed, openMax, rate: (count * 1_000) / timed.allMs };
  }
  if (who === LEAST) {
    const call = async (n: number) => {
      if (roundTripMs > 0) await delay(SMTP_ROUND_TRIPS * roundTripMs);
      await callLeast(least, n);
    };
    await timeEach(WARM_UP, atOnce, call);
    const timed = await timeEach(count, atOnce, call);
    return { ...timed, openMax: 0, rate: (count * 1_000) / timed.allMs };
  }
  const project = await owner.newProject(port);
  await timeEach(WARM_UP, atOnce, (n) => sendOne(project, count + n));
  await sink.begin(settings);
  const timed = await timeEach(count, atOnce, (n) => sendOne(project, n));
  const { messages, distinctRecipients, openMax } = await sink.report();
  await owner.api("DELETE", `/projects/${project.id}`); // closes its sessions
  if (messages !== count || distinctRecipients !== count)
    throw new Error(`${messages} of ${count} mails arrived, at ${distinctRecipients} addresses`);
  return { ...timed, openMax, rate: (count * 1_000) / timed.allMs };
}

function bodyOf(n: number) {
  const subject = MAIL.subject.replace("{n}", String(n));
  return { to: addressOf(n), subject, html_body: MAIL.html, text_body: MAIL.text };
}

function sendOne(project: Project, n: number): Promise<unknown> {
  return project.api("POST", `/projects/${project.id}/send`, bodyOf(n));
}

async function callLeast({ url }: RunningWorker, n: number): Promise<void> {
  const headers = { "Content-Type": "application/json" };
  const body = JSON.stringify(bodyOf(n));
  const response = await fetch(`${url}/least-send`, { method: "POST", headers, body });
  const text = await response.text();
  if (!response.ok) throw new Error(`the Worker that sends nothing: ${response.status} ${text}`);
}

interface Counted {
  note: string;
  roundTrips: number;
  settles: number;
}

/** Counts the cost of sequential sends, and the D1 calls that record many concurrent ones. */
async function countSends(counted: RunningWorker, port: number): Promise<Counted> {
  const project = await (await createOwner(counted)).newProject(port);
  const send = (count: number, atOnce: number) =>
    timeEach(count, atOnce, (n) => sendOne(project, n));
  await send(3, 1);
  const counts = await countOf(counted, () => send(COUNTED_SENDS, 1));
  const many = await countOf(counted, () => send(COUNTED_AT_ONCE, 50));
  const each = (value: number) => value / COUNTED_SENDS;
  return {
    roundTrips: each(counts.d1RoundTrips),
    settles: many.d1RoundTrips / COUNTED_AT_ONCE - 1, // one read per send
    note: `A send: ${each(counts.d1RoundTrips)} D1 round trips, ${each(counts.d1RowsRead)} rows read, ${each(counts.d1RowsWritten)} written; object: ${each(counts.durableRequests)} request, ${each(counts.durableRowsRead)} rows read, ${each(counts.durableRowsWritten)} written.`,
  };
}

function report(
  samples: Samples,
  sizes: Sizes,
  { note, roundTrips, settles }: Counted,
): PartResult {
  const rows: PartResult["rows"] = [];
  const goals: Goal[] = [];
  const middle = (key: string, of: (sample: Sample) => number) =>
    median((samples.get(key) ?? []).map(of));
  for (const way of WAYS)
    for (const roundTripMs of sizes.roundTripsMs) {
      const rateOf = (who: string) => middle(keyOf(roundTripMs, way, who), ({ rate }) => rate);
      const ofPool = (who: string) => rateOf(who) / rateOf(POOL);
      for (const who of contendersAt(roundTripMs, way)) {
        const key = keyOf(roundTripMs, way, who);
        const p50 = middle(key, ({ eachMs }) => median(eachMs));
        const p99 = middle(key, ({ eachMs }) => quantile(eachMs, 0.99));
        const openMax = middle(key, (sample) => sample.openMax);
        const place = [`${roundTripMs} ms`, way.what, who];
        rows.push([...place, rateOf(who), ofPool(who), p50, p99, openMax]);
      }
      const limit = way.goals[roundTripMs];
      const what = `rate ${way.what} at ${roundTripMs} ms, by DATA, of the pool's`;
      if (limit !== undefined)
        goals.push({ what, measured: ofPool(OURS.data), kind: "at_least", limit });
    }
  const [oneByOne] = WAYS;
  const farthest = Math.max(...sizes.roundTripsMs);
  if (oneByOne) {
    const p50 = middle(keyOf(farthest, oneByOne, OURS.data), ({ eachMs }) => median(eachMs));
    const what = `round trips in the p50 of a send at ${farthest} ms, by DATA`;
    goals.push({ what, measured: p50 / farthest, kind: "at_most", limit: P50_ROUND_TRIPS_GOAL });
  }
  const d1 = { kind: "at_most", limit: ROUND_TRIPS_GOAL } as const;
  goals.push({ what: "D1 round trips a send", measured: roundTrips, ...d1 });
  return {
    title: "POST /send over kept sessions",
    columns: ["round trip", "mails", "client", "a second", "of pool", "p50 ms", "p99 ms", "open"],
    rows,
    goals,
    notes: [
      note,
      `With 50 at once, without distance: ${settles.toFixed(2)} D1 round trips a send for settles.`,
      `The pool has as many connections as Postrider opens: 1 for mails one by one, else ${CONNECTIONS}.`,
      "Open is the most connections that the sink saw at once.",
    ],
  };
}
