import { sql } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import { runBatch, type Statement } from "../../db/client.ts";
import { eraseRuns, RUNS_ERASED } from "../automations/index.ts";
import { eraseFailures, eraseWaiting, selectBatchEnd } from "../broadcasts/index.ts";
import {
  broadcastLogId,
  eraseEntries,
  scanForSubject,
  SCANNED_STATUSES,
  selectDirectMails,
  selectLogKeys,
  selectRunMails,
  type ScanPlace,
} from "../email-log/index.ts";
import {
  forgetInDeliveries,
  selectDeliveryEnd,
  selectWebhookFrom,
  type DeliveryPlace,
} from "../webhooks/index.ts";
import { eraseTexts, FIRST_TEXTS, type TextPlaces } from "./erase-texts.ts";
import type { ErasureWork, Stage } from "./erasure-place.ts";
import type { ErasureRow } from "./erasure-queries.ts";

/** The number of rows per step. */
const MAILS = 500;
const MAILS_OF_RUNS = 10_000;
const BROADCASTS = 200;
const ENTRIES = 5_000;
const DELIVERIES = 500;
const BATCHES = 50;

/** The writes of a step, and the stage after it; none at the end of a round. */
interface Step {
  writes: Statement[];
  next: Stage | undefined;
}

/**
 * Erases the mails that indexes find: those to the address, those of the newest broadcasts, those
 * of automations, and those awaiting another attempt. Deletes the runs of automations.
 */
export async function stepDirect(
  { db }: Deps,
  projectId: string,
  { email, subscriberIds }: ErasureWork,
): Promise<Step> {
  const people = sql`select value as id from json_each(${JSON.stringify(subscriberIds)})`;
  const runs = eraseRuns(db, projectId, subscriberIds);
  const [direct, broadcasts, ofRuns, [counted]] = await runBatch(db, [
    selectDirectMails(db, projectId, email, MAILS),
    selectLogKeys(db, projectId, BROADCASTS),
    selectRunMails(db, projectId, people, MAILS_OF_RUNS),
    runs.count,
  ]);
  const ofBroadcasts = subscriberIds.flatMap((subscriberId) =>
    broadcasts.map((broadcast) => ({ id: broadcastLogId(broadcast, subscriberId), own: 1 })),
  );
  const ofAutomations = ofRuns.map((mail) => ({
    id: broadcastLogId(mail, mail.subscriberId, mail.page),
    own: 1,
  }));
  const writes = [
    ...eraseEntries(db, projectId, email, [...direct, ...ofBroadcasts, ...ofAutomations]),
    eraseWaiting(db, projectId, subscriberIds),
    ...runs.writes,
  ];
  if (direct.length === MAILS || counted?.n === RUNS_ERASED)
    return { writes, next: { stage: "direct" } };
  return { writes, next: { stage: "texts", places: FIRST_TEXTS } };
}

/** Replaces the address in the project's free text about others. */
export async function stepTexts(
  { db }: Deps,
  { projectId, hash }: Pick<ErasureRow, "projectId" | "hash">,
  { email }: ErasureWork,
  places: TextPlaces,
): Promise<Step> {
  const { writes, next } = await eraseTexts(db, projectId, { email, hash }, places);
  if (next) return { writes, next: { stage: "texts", places: next } };
  return { writes, next: { stage: "log", at: { status: 0, sentAt: 0, id: "" } } };
}

/** Scans the whole log for other traces, such as copies and mails to former subscribers. */
export async function stepLog(
  { db }: Deps,
  projectId: string,
  work: ErasureWork,
  at: ScanPlace,
  since: number,
): Promise<Step> {
  const [traces, [end]] = await runBatch(db, scanForSubject(db, projectId, work, at, ENTRIES));
  const writes = eraseEntries(db, projectId, work.email, traces);
  if (end) return { writes, next: { stage: "log", at: { status: at.status, ...end } } };
  const status = at.status + 1;
  if (status < SCANNED_STATUSES)
    return { writes, next: { stage: "log", at: { status, sentAt: since, id: "" } } };
  return { writes, next: { stage: "deliveries", at: { webhookId: "", id: "" } } };
}

/** Deletes deliveries about the person, and responses of other deliveries that name them. */
export async function stepDeliveries(
  { db }: Deps,
  projectId: string,
  { email, subscriberIds }: ErasureWork,
  at: DeliveryPlace,
  firstId: string,
): Promise<Step> {
  const [webhook] = await selectWebhookFrom(db, projectId, at.webhookId);
  if (!webhook) return { writes: [], next: { stage: "batches", afterId: "" } };
  const isSame = webhook.id === at.webhookId;
  const from = { webhookId: webhook.id, id: isSame ? at.id : firstId };
  const [end] = await selectDeliveryEnd(db, from, DELIVERIES);
  const names = [email, ...subscriberIds];
  const writes = [...forgetInDeliveries(db, from, names, DELIVERIES)];
  const next = end
    ? { webhookId: webhook.id, id: end.id }
    : { webhookId: `${webhook.id}~`, id: "" }; // after this webhook
  return { writes, next: { stage: "deliveries", at: next } };
}

/**
 * Removes the address from the failures of batches, and the person once more from broadcasts: a
 * worker may have written mails that were in flight.
 */
export async function stepBatches(
  { db }: Deps,
  projectId: string,
  { email, subscriberIds }: ErasureWork,
  afterId: string,
): Promise<Step> {
  const [end] = await selectBatchEnd(db, projectId, afterId, BATCHES);
  const writes = [
    eraseFailures(db, { projectId, email, afterId }, BATCHES),
    ...(afterId === "" ? [eraseWaiting(db, projectId, subscriberIds)] : []),
  ];
  return { writes, next: end && { stage: "batches", afterId: end.id } };
}
