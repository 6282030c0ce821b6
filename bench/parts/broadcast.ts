import { createOwner, subscribe, type Project } from "../harness/account.ts";
import { started, withCleanUp } from "../harness/clean-up.ts";
import { startChild, type Remote } from "../harness/child.ts";
import { asPeerMail, broadcast, createTemplate } from "../harness/newsletter.ts";
import { cpuBetween } from "../harness/process-use.ts";
import type { Goal, PartResult, Sizes } from "../harness/report.ts";
import { startService, startWorker, type RunningWorker } from "../harness/runtime.ts";
import { median } from "../harness/statistics.ts";
import type { nodemailerVerbs, PeerLoad, PeerResult } from "../peers/nodemailer.ts";
import type { SinkReport, sinkVerbs } from "../peers/sink.ts";

export const CONNECTIONS = 4;
const WARM_UP = 100;
/** Round trips per mail, which determine the length of a peer's run. */
const ROUND_TRIPS = { nodemailer: 2, "worker-mailer": 4 };
type Peer = keyof typeof ROUND_TRIPS;

/** Goals relative to nodemailer's rate, by round-trip time. */
const GOALS = { nearData: 1.6, nearChunking: 2.2, farData: 1.9, farChunking: 6 };

export interface Sample {
  /** Mails per second, from the call to the response. */
  rate: number;
  /** Mails per second between the first and the last mail at the sink. */
  sinkRate: number;
  /** Milliseconds from the call to the first mail, and from the last mail to the response. */
  beforeMs: number;
  afterMs: number;
  cpuMsPerMail: number | undefined;
  lost: number;
  twice: number;
}

/** A project with subscribers, and the template of its broadcasts. */
interface Newsletter {
  project: Project;
  templateId: string;
}

/** The contenders, connected, and a project with a list of the configured size. */
export interface Field {
  service: RunningWorker;
  worker: RunningWorker;
  sink: Remote<typeof sinkVerbs>;
  nodemailer: Remote<typeof nodemailerVerbs>;
  data: Newsletter;
  chunking: Newsletter;
  mail: PeerLoad["mail"];
  port: number;
  sizes: Sizes;
}

/** Measures part 1: a newsletter to a list, compared with two clients that only send. */
export async function measureBroadcast(sizes: Sizes): Promise<PartResult> {
  return withCleanUp(async (atEnd) =>
    report(await measureAll(await openField(sizes, atEnd)), sizes),
  );
}

/** Starts the contenders and warms up the service. */
export async function openField(
  sizes: Sizes,
  atEnd: (cleanUp: () => Promise<void>) => void,
): Promise<Field> {
  const sink = await started(startChild<typeof sinkVerbs>("../peers/sink.ts"), atEnd);
  const peer = startChild<typeof nodemailerVerbs>("../peers/nodemailer.ts");
  const nodemailer = await started(peer, atEnd);
  const service = await started(startService({}), atEnd);
  const worker = await started(startWorker("bench/workers/worker-mailer.ts"), atEnd);
  const port = await sink.port();
  const owner = await createOwner(service);
  const project = await owner.newProject(port, CONNECTIONS);
  const chunkingProject = await owner.newProject(port, CONNECTIONS);
  const templateId = await createTemplate(project, owner);
  const chunkingTemplateId = await createTemplate(chunkingProject, owner);
  const database = await service.database();
  const warmUp = await owner.newProject(port, CONNECTIONS);
  await subscribe(database, warmUp.id, WARM_UP);
  await subscribe(database, project.id, sizes.recipients);
  await subscribe(database, chunkingProject.id, sizes.recipients);
  await sink.begin({ roundTripMs: 0, chunking: true, keep: 1 });
  await broadcast(warmUp, await createTemplate(warmUp, owner));
  const mail = await asPeerMail((await sink.report()).kept[0] ?? "");
  return {
    service,
    worker,
    sink,
    nodemailer,
    data: { project, templateId },
    chunking: { project: chunkingProject, templateId: chunkingTemplateId },
    mail,
    port,
    sizes,
  };
}

const SERVICE = { data: "Postrider, DATA", chunking: "Postrider, CHUNKING" };
type Samples = Map<string, Sample[]>;
const keyOf = (roundTripMs: number, who: string) => `${roundTripMs} ${who}`;

/** Measures every contender once per round, so that a noisy minute affects all of them. */
async function measureAll(field: Field): Promise<Samples> {
  const samples: Samples = new Map();
  const add = (key: string, sample: Sample) =>
    samples.set(key, [...(samples.get(key) ?? []), sample]);
  const { roundTripsMs, rounds } = field.sizes;
  for (const roundTripMs of roundTripsMs) {
    await measurePeer(
      { ...field, sizes: { ...field.sizes, recipients: WARM_UP } },
      "worker-mailer",
      0,
    );
    for (let round = 0; round < rounds; round++) {
      // Peers ignore CHUNKING, and alternate between both kinds of server.
      const chunking = round % 2 === 1;
      add(keyOf(roundTripMs, SERVICE.data), await measureOurs(field, roundTripMs, false));
      add(
        keyOf(roundTripMs, "nodemailer"),
        await measurePeer(field, "nodemailer", roundTripMs, chunking),
      );
      add(keyOf(roundTripMs, SERVICE.chunking), await measureOurs(field, roundTripMs, true));
      add(
        keyOf(roundTripMs, "worker-mailer"),
        await measurePeer(field, "worker-mailer", roundTripMs, chunking),
      );
    }
  }
  return samples;
}

/** Sends the broadcast once and compares its result with what the sink received. */
export async function measureOurs(
  field: Field,
  roundTripMs: number,
  chunking: boolean,
): Promise<Sample> {
  const { service, sink, sizes } = field;
  // A project of its own for each: a sender keeps its sessions, with what the server offered.
  const { project, templateId } = chunking ? field.chunking : field.data;
  await service.untilIdle();
  await sink.begin({ roundTripMs, chunking });
  const before = service.use();
  const startedAt = Date.now();
  const { sent, state } = await broadcast(project, templateId);
  const endedAt = Date.now();
  const cpuMs = cpuBetween(before, service.use());
  if (state !== "done" || sent !== sizes.recipients) throw new Error(`${state}, ${sent} sent`);
  const run = { count: sizes.recipients, startedAt, endedAt, cpuMs };
  return sampleOf(await sink.report(), run);
}

/** Lets a peer send as many mails as its time allows. */
export async function measurePeer(
  field: Field,
  peer: Peer,
  roundTripMs: number,
  chunking = false,
): Promise<Sample> {
  const { sink, nodemailer, worker, mail, port, sizes } = field;
  const perSecond = (CONNECTIONS * 1_000) / (roundTripMs * ROUND_TRIPS[peer]);
  const count = Math.min(sizes.recipients, Math.ceil(perSecond * sizes.peerSeconds));
  await sink.begin({ roundTripMs, chunking });
  const load = { port, connections: CONNECTIONS, count, mail };
  if (peer === "nodemailer") {
    const run = await nodemailer.pool(load);
    return sampleOf(await sink.report(), { count, ...run });
  }
  const before = worker.use();
  const response = await fetch(worker.url, { method: "POST", body: JSON.stringify(load) });
  const { startedAt, endedAt } = JSON.parse(await response.text()) as PeerResult;
  const cpuMs = cpuBetween(before, worker.use());
  return sampleOf(await sink.report(), { count, startedAt, endedAt, cpuMs });
}

interface Run {
  count: number;
  startedAt: number;
  endedAt: number;
  cpuMs?: number | undefined;
  warmUpMails?: number;
}

function sampleOf(
  { messages, distinctRecipients, firstAt, lastAt }: SinkReport,
  { count, startedAt, endedAt, cpuMs, warmUpMails = 0 }: Run,
): Sample {
  return {
    rate: (count / (endedAt - startedAt)) * 1_000,
    sinkRate: (count / (lastAt - Math.max(firstAt, startedAt))) * 1_000,
    beforeMs: Math.max(0, firstAt - startedAt),
    afterMs: endedAt - lastAt,
    cpuMsPerMail: cpuMs === undefined ? undefined : cpuMs / count,
    lost: count + warmUpMails - distinctRecipients,
    twice: messages - distinctRecipients,
  };
}

function report(samples: Samples, { roundTripsMs, recipients }: Sizes): PartResult {
  const rows: PartResult["rows"] = [];
  const goals: Goal[] = [];
  const middle = (key: string, field: keyof Sample) =>
    median((samples.get(key) ?? []).flatMap((sample) => sample[field] ?? []));
  for (const roundTripMs of roundTripsMs) {
    const peerRate = middle(keyOf(roundTripMs, "nodemailer"), "rate");
    for (const who of [SERVICE.data, SERVICE.chunking, "nodemailer", "worker-mailer"]) {
      const key = keyOf(roundTripMs, who);
      const rate = middle(key, "rate");
      const sinkRate = middle(key, "sinkRate");
      const isOurs = who.startsWith("Postrider");
      rows.push([
        `${roundTripMs} ms`,
        who,
        rate,
        rate / peerRate,
        sinkRate,
        isOurs ? middle(key, "beforeMs") : undefined,
        isOurs ? middle(key, "afterMs") : undefined,
        middle(key, "cpuMsPerMail"),
      ]);
    }
    const ratio = (who: string) => middle(keyOf(roundTripMs, who), "rate") / peerRate;
    const limits =
      roundTripMs === 0 ? [GOALS.nearData, GOALS.nearChunking] : [GOALS.farData, GOALS.farChunking];
    [SERVICE.data, SERVICE.chunking].forEach((who, at) => {
      const what = `${who}, ${roundTripMs} ms, times nodemailer`;
      goals.push({ what, measured: ratio(who), kind: "at_least", limit: limits[at] ?? 0 });
    });
  }
  const ours = [...samples].filter(([key]) => key.includes("Postrider")).flatMap(([, all]) => all);
  const worst = (field: "lost" | "twice") => Math.max(...ours.map((sample) => sample[field]));
  goals.push({ what: "recipients lost", measured: worst("lost"), kind: "at_most", limit: 0 });
  goals.push({
    what: "recipients mailed twice",
    measured: worst("twice"),
    kind: "at_most",
    limit: 0,
  });
  return {
    title: `Broadcast to ${recipients} recipients, ${CONNECTIONS} connections`,
    columns: [
      "round trip",
      "client",
      "mails/s",
      "× nodemailer",
      "mails/s at the sink",
      "ms to the first",
      "ms after the last",
      "CPU ms/mail",
    ],
    rows,
    goals,
    notes: [
      "Postrider renders, tracks, checks suppressions and logs within its time; the others only send.",
    ],
  };
}
