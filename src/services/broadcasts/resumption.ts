import { sql } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import type { BroadcastChange } from "./broadcast-event.ts";
import type { BroadcastRow } from "./queries.ts";
import { countedAgain } from "./turns/begin-queued.ts";

/** Returns the change that resumes a paused broadcast. */
export const resumption = (deps: Deps, row: BroadcastRow): BroadcastChange => ({
  ...countedAgain(row, deps.now()),
  state: "sending",
  reasons: null,
  complaints: 0,
  earlierComplaints: sql`earlier_complaints + complaints`,
  // Resuming confirms that the outcomes are acceptable. Before planning, there are none.
  canaryDueAt: sql`iif(planned_id = '', canary_due_at, 0)`,
  planDueAt: deps.now(),
  resumptions: sql`resumptions + 1`,
});
