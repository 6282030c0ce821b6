import { sql, type SQL } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import type { Database, Statement } from "../../db/client.ts";
import { writeConsents } from "./consent-queries.ts";
import { joinDefaults } from "./join-topics.ts";
import {
  isNamed,
  pathInTopics,
  requireKnown,
  selectUnknown,
  topicsNamed,
  type NamedConsents,
} from "./name-topics.ts";

/** In an import, no person is present to provide proof. */
const PROOF = { by: "import", ipAddress: "", userAgent: "", formText: "" } as const;

const subscribedTo = (topics: readonly string[]): NamedConsents =>
  Object.fromEntries(topics.map((topic) => [topic, "subscribed" as const]));

/**
 * Throws 400 unless the project has all of these topics, by id or name; `pathOf` returns the path
 * of the field that contains a name.
 */
export async function requireTopics(
  db: Database,
  projectId: string,
  topics: readonly string[],
  pathOf = pathInTopics(topics),
): Promise<void> {
  if (topics.length === 0) return;
  requireKnown(await selectUnknown(db, projectId, subscribedTo(topics)), pathOf);
}

/** A subscriber just added by an import, and the topics of their row. */
interface ImportedChoice {
  id: string;
  /** Undefined if their row names none. */
  topics?: readonly string[] | undefined;
}

/**
 * Returns the statements that store the consents of subscribers just added by an import: to the
 * topics of all and of their own row, or to the default ones if both are undefined. They follow
 * their insert. Ids that were not added are ignored.
 */
export function importConsents(
  deps: Deps,
  projectId: string,
  topics: readonly string[] | undefined,
  added: readonly ImportedChoice[],
): readonly Statement[] {
  const choices = added
    .filter((one) => one.topics && one.topics.length > 0)
    .map((one) => ({ id: one.id, topics: one.topics }));
  const others = topics ? added : added.filter((one) => one.topics === undefined);
  const ids = others.map(({ id }) => id);
  return [
    ...importChoices(deps, projectId, choices),
    ...(topics
      ? writeConsents(deps, projectId, chosenForAll(projectId, topics, ids), PROOF)
      : joinDefaults(deps, projectId, ids, PROOF)),
  ];
}

/** Returns the query of the consents of subscribers to the same topics. */
const chosenForAll = (projectId: string, topics: readonly string[], ids: string[]): SQL =>
  sql`select n.topic_id, s.id as subscriber_id, n.state
    from (${topicsNamed(projectId, subscribedTo(topics))}) n cross join subscribers s
    where s.id in (select value from json_each(${JSON.stringify(ids)})) and +s.project_id = ${projectId}`;

/** Returns the statements that store the consents in the rows of an import. */
function importChoices(
  deps: Deps,
  projectId: string,
  choices: readonly ImportedChoice[],
): readonly Statement[] {
  if (choices.length === 0) return [];
  const wanted = sql`select t.id as topic_id, s.id as subscriber_id, 'subscribed' as state
    from json_each(${JSON.stringify(choices)}) r
    cross join subscribers s on s.id = r.value ->> 'id' and s.project_id = ${projectId}
    cross join json_each(r.value, '$.topics') n
    cross join topics t on t.project_id = ${projectId} and ${isNamed(sql`n.value`)}
    group by t.id, s.id`;
  return writeConsents(deps, projectId, wanted, PROOF);
}
