import type { Deps } from "../../deps.ts";
import { runBatch } from "../../db/client.ts";
import { purgeStep } from "./topic-queries.ts";

/** The number of consents deleted per run; it keeps the statement within D1's time limit. */
const CONSENTS_PER_RUN = 5_000;

/** Deletes consents of deleted topics, a bounded number per minute. */
export async function purgeTopics({ db }: Deps): Promise<void> {
  await runBatch(db, purgeStep(db, CONSENTS_PER_RUN));
}
