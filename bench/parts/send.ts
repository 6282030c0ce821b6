import { createOwner, type Project } from "../harness/account.ts";
import { startChild, type Remote } from "../harness/child.ts";
import { started, withCleanUp } from "../harness/clean-up.ts";
import { COUNTED, countOf } from "../harness/counts.ts";
import type { Goal, PartResult, Sizes } from "../harness/report.ts";
import { startService } from "../harness/runtime.ts";
import { median, quantile } from "../harness/statistics.ts";
import type { nodemailerVerbs, PeerLoad } from "../peers/nodemailer.ts";
import type { sinkVerbs } from "../peers/sink.ts";

const WARM_UP = 20;
const COUNTED_SENDS = 20;
/** D1 calls of one send: one read, one write. */
const ROUND_TRIPS_GOAL = 2;

const MAIL = {
  subject: "Your order {n}",
  html: '<p>Thank you.</p><p><a href="https://example.com/order">See your order</a></p>',
  text: "Thank you. See https://example.com/order",
};
const addressOf = (n: number) => `buyer${n}@shop.test`;

type Sink = Remote<typeof sinkVerbs>;

/** Latencies of consecutive sends, and of the SMTP sessions within them. */
interface Timing {
  eachMs: number[];
  smtpMs: number[];
}

/**
 * Measures part 3: one mail by API and its cost in D1, beside nodemailer with a connection per
 * mail.
 */
export async function measureSend(sizes: Sizes): Promise<PartResult> {
  return withCleanUp(async (atEnd) => {
    const sink = await started(startChild<typeof sinkVerbs>("../peers/sink.ts"), atEnd);
    const peer = startChild<typeof nodemailerVerbs>("../peers/nodemailer.ts");
    const nodemailer = await started(peer, atEnd);
    const service = await started(startService({}), atEnd);
    const counted = await started(startService({}, COUNTED), atEnd);
    const port = await sink.port();
    const project = await (await createOwner(service)).newProject(port);
    const rows: PartResult["rows"] = [];
    for (const roundTripMs of sizes.roundTripsMs.slice(0, 2)) {
      const ours = await timeSends(sink, roundTripMs, (count) => sendAll(project, count), sizes);
      const theirs = await timeSends(
        sink,
        roundTripMs,
        (count) => sendByPeer(nodemailer, port, count),
        sizes,
      );
      rows.push(rowOf(roundTripMs, "Postrider", ours), rowOf(roundTripMs, "nodemailer", theirs));
    }
    const countedProject = await (await createOwner(counted)).newProject(port);
    await sendAll(countedProject, 3);
    const counts = await countOf(counted, () => sendAll(countedProject, COUNTED_SENDS));
    const each = (value: number) => value / COUNTED_SENDS;
    const goal: Goal = {
      what: "D1 round trips a send",
      measured: each(counts.d1RoundTrips),
      kind: "at_most",
      limit: ROUND_TRIPS_GOAL,
    };
    return {
      title: "POST /send, one after another, a connection each",
      columns: ["round trip", "client", "p50 ms", "p99 ms", "of it SMTP", "above SMTP"],
      rows,
      goals: [goal],
      notes: [
        `A send: ${each(counts.d1RoundTrips)} D1 round trips, ${each(counts.d1RowsRead)} rows read, ${each(counts.d1RowsWritten)} written; limiter: ${each(counts.durableRequests)} request, ${each(counts.durableRowsRead)} rows read, ${each(counts.durableRowsWritten)} written.`,
        "SMTP is what the sink saw, from the connection to its reply to the mail.",
      ],
    };
  });
}

async function sendAll(project: Project, count: number): Promise<{ eachMs: number[] }> {
  const eachMs: number[] = [];
  for (let n = 0; n < count; n++) {
    const subject = MAIL.subject.replace("{n}", String(n));
    const body = { to: addressOf(n), subject, html_body: MAIL.html, text_body: MAIL.text };
    const startedAt = performance.now();
    await project.api("POST", `/projects/${project.id}/send`, body);
    eachMs.push(performance.now() - startedAt);
  }
  return { eachMs };
}

function sendByPeer(nodemailer: Remote<typeof nodemailerVerbs>, port: number, count: number) {
  const mail = { from: "sender@bench.test", to: "buyer{n}@shop.test", ...MAIL };
  const load: PeerLoad = { port, connections: 1, count, mail };
  return nodemailer.single(load);
}

async function timeSends(
  sink: Sink,
  roundTripMs: number,
  send: (count: number) => Promise<{ eachMs: number[] }>,
  { sends }: Sizes,
): Promise<Timing> {
  await sink.begin({ roundTripMs, chunking: true });
  await send(WARM_UP);
  await sink.begin({ roundTripMs, chunking: true });
  const { eachMs } = await send(sends);
  const { sessionsMs, messages } = await sink.report();
  if (messages !== sends) throw new Error(`${messages} of ${sends} mails arrived`);
  return { eachMs, smtpMs: sessionsMs };
}

function rowOf(roundTripMs: number, who: string, { eachMs, smtpMs }: Timing) {
  const smtp = median(smtpMs);
  const middle = median(eachMs);
  return [`${roundTripMs} ms`, who, middle, quantile(eachMs, 0.99), smtp, middle - smtp];
}
