import { sql } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import type { Database, Statement } from "../../db/client.ts";
import { writeConsents } from "./consent-queries.ts";
import { requireKnown, selectUnknown, topicsNamed, type NamedConsents } from "./name-topics.ts";

/** An import has no person at the other end who could prove anything. */
const PROOF = { by: "import", ipAddress: "", userAgent: "", formText: "" } as const;

const subscribedTo = (topics: readonly string[]): NamedConsents =>
  Object.fromEntries(topics.map((topic) => [topic, "subscribed" as const]));

/** Throws bad_request unless the project has all of these topics, by id or by name. */
export async function requireTopics(
  db: Database,
  projectId: string,
  topics: readonly string[],
): Promise<void> {
  if (topics.length === 0) return;
  requireKnown(await selectUnknown(db, projectId, subscribedTo(topics)));
}

/**
 * Returns the statements that note the consent of subscribers whom an import has just added; they
 * follow their insert. An id that was not added changes nothing.
 */
export function importConsents(
  deps: Deps,
  projectId: string,
  topics: readonly string[],
  ids: string[],
): Statement[] {
  if (topics.length === 0 || ids.length === 0) return [];
  const wanted = sql`select n.topic_id, s.id as subscriber_id, n.state
    from (${topicsNamed(projectId, subscribedTo(topics))}) n cross join subscribers s
    where s.id in (select value from json_each(${JSON.stringify(ids)})) and +s.project_id = ${projectId}`;
  return writeConsents(deps, projectId, wanted, PROOF);
}
