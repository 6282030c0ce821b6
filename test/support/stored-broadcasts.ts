/* Broadcasts as rows of the database, for tests of queries. */
import type { BroadcastPlan } from "../../src/db/schema/index.ts";
import { selectBroadcast } from "../../src/services/broadcasts/index.ts";
import { insertRow, type Row } from "./rows.ts";
import type { Service } from "./service.ts";

/** The plan of a draft that chose nothing. */
export const EMPTY_PLAN: BroadcastPlan = {
  subject: null,
  segmentId: null,
  where: null,
  excludeSegmentIds: [],
  maxDelayMinutes: null,
  timeZone: null,
  warmUpFirstDay: null,
  ab: null,
  resend: null,
};

/** A chunk that is for everybody in its range. */
export const WHOLE_CHUNK = { variant: null, leftOut: null };

/** Stores a broadcast that is being sent, with these columns, and returns it. */
export async function storeBroadcast(service: Service, columns: Row) {
  const id = crypto.randomUUID();
  await insertRow("broadcasts", {
    id,
    subject: "Hi",
    html_body: "",
    text_body: "",
    status: "active",
    state: "sending",
    log_key: "",
    plan_due_at: 1,
    created_at: 1,
    where_at: Date.now(),
    ...columns,
  });
  const [broadcast] = await selectBroadcast((await service.deps()).db, id);
  if (!broadcast) throw new Error("the broadcast is gone");
  return broadcast;
}
