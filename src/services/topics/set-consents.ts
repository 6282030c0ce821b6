import { sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch, runBatchAfter } from "../../db/client.ts";
import { notFound } from "../../errors.ts";
import type { ProjectRow } from "../access/index.ts";
import { auditStatement } from "../audit/index.ts";
import { wakeForRuns } from "../projects/index.ts";
import {
  differs,
  selectConsents,
  selectHistory,
  writeConsents,
  type Consent,
  type ConsentEvent,
} from "./consent-queries.ts";
import { callerProof } from "./consent-proof.ts";
import {
  allAreKnown,
  requireKnown,
  selectUnknown,
  topicsNamed,
  type NamedConsents,
} from "./name-topics.ts";

/** The maximum number of history entries in a response. */
const MOST_SHOWN = 200;

/** The consents of a subscriber, and their history. */
export interface SubscriberConsents {
  consents: Consent[];
  history: ConsentEvent[];
}

/** Reads the consents of a subscriber with the newest history entries. Throws not_found. */
export async function readConsents(
  { deps: { db } }: Ctx,
  project: ProjectRow,
  subscriberId: string,
  steps = MOST_SHOWN,
): Promise<SubscriberConsents> {
  const [[found], consents, history] = await runBatch(db, [
    db.all<{ id: string }>(sql`select id from subscribers where ${isOwn(project, subscriberId)}`),
    selectConsents(db, project.id, subscriberId),
    selectHistory(db, project.id, subscriberId, steps),
  ]);
  if (!found) throw notFound("subscriber");
  return { consents, history };
}

/**
 * Sets the consent of a subscriber to the named topics; the others stay. The route checks
 * `subscribers:write`, and the history records the member or key as the source. Throws not_found,
 * and 400 for an unknown topic; nothing changes then.
 */
export async function setConsents(
  ctx: Ctx,
  project: ProjectRow,
  subscriberId: string,
  given: NamedConsents,
): Promise<SubscriberConsents> {
  const { deps } = ctx;
  const { db } = deps;
  const exists = sql`exists (select 1 from subscribers where ${isOwn(project, subscriberId)})`;
  const when = sql`${exists} and ${allAreKnown(project.id, given)}`;
  const wanted = sql`select n.topic_id, ${subscriberId} as subscriber_id, n.state
    from (${topicsNamed(project.id, given)}) n where ${when}`;
  const fact = {
    scopeId: project.id,
    action: "subscriber.topics",
    targetId: subscriberId,
    metadata: sql`${JSON.stringify(given)}`,
  } as const;
  const [[found], unknown, consents, history] = await runBatchAfter(
    db,
    [
      auditStatement(ctx, fact, differs(wanted)),
      ...writeConsents(deps, project.id, wanted, callerProof(ctx)),
      wakeForRuns(deps, project.id, subscriberId),
    ],
    [
      db.all<{ id: string }>(sql`select id from subscribers where ${isOwn(project, subscriberId)}`),
      selectUnknown(db, project.id, given),
      selectConsents(db, project.id, subscriberId),
      selectHistory(db, project.id, subscriberId, MOST_SHOWN),
    ],
  );
  if (!found) throw notFound("subscriber");
  requireKnown(unknown, (name) => name);
  return { consents, history };
}

const isOwn = (project: ProjectRow, id: string) => sql`id = ${id} and project_id = ${project.id}`;
