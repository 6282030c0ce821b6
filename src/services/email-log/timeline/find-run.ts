import { sql } from "drizzle-orm";
import type { Database } from "../../../db/client.ts";
import { broadcastLogId } from "../broadcast-log-id.ts";
import type { EntryRow } from "../log-rows.ts";

/** The automation whose mail an entry is. */
export interface AutomationOfMail {
  /** Null once the automation is deleted. */
  name: string | null;
  version: number;
  /** Null once the run is deleted. */
  runId: string | null;
}

/** A mail that the entry may be; of a run, or without one. */
interface Candidate extends AutomationOfMail {
  logKey: string;
  createdAt: number;
  page: string | null;
}

/** The newest mails of runs at the step of an entry among which its run is searched. */
const CANDIDATES = 1_000;

/** Selects the mails of an automation's step to the recipient of an entry; none for other mails. */
export const selectCandidates = (db: Database, { broadcastId, subscriberId }: EntryRow) =>
  db.all<Candidate>(
    sql`select a.name, b.automation_version as version, b.log_key as "logKey", b.created_at as "createdAt",
        r.id as "runId", mail.value ->> 'page' as page
      from broadcasts b left join automations a on a.id = b.automation_id
        left join automation_runs r indexed by automation_runs_by_person
          on r.subscriber_id = ${subscriberId} and r.automation_id = b.automation_id
        left join json_each(r.mails) mail on mail.value ->> 'step' = b.step_id
      where b.id = ${broadcastId} and b.automation_id is not null order by r.id desc limit ${CANDIDATES}`,
  );

/** Returns the automation of an entry, and the run that sent its mail; null for other mails. */
export function findRun(
  { id, subscriberId }: EntryRow,
  candidates: Candidate[],
): AutomationOfMail | null {
  const [first] = candidates;
  if (!first) return null;
  const isIt = (one: Candidate) =>
    one.page !== null && broadcastLogId(one, subscriberId ?? "", one.page) === id;
  return { ...first, runId: candidates.find(isIt)?.runId ?? null };
}
