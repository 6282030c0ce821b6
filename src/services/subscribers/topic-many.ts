import { sql, type SQL } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import type { Deps } from "../../deps.ts";
import type { ProjectRow } from "../access/index.ts";
import {
  callerProof,
  lacksConsent,
  requireKnown,
  RESPECTS_LEAVERS,
  selectUnknown,
  topicsNamed,
  writeConsents,
  type ConsentProof,
  type NamedConsents,
} from "../topics/index.ts";
import { chooseSubscribers, runChange, type Chosen, type Progress } from "./choose-subscribers.ts";

/**
 * Sets the consent to the named topics for up to 1,000 chosen subscribers whose consent differs.
 * Nobody who has left a topic is subscribed to it again. Takes one atomic batch. A repeated call continues where the last one ended. The route checks
 * `subscribers:write`. Throws 400 for an unknown topic. Nothing changes then.
 */
export async function setTopicsOfMany(
  ctx: Ctx,
  project: ProjectRow,
  chosen: Chosen,
  consents: NamedConsents,
): Promise<Progress> {
  const { deps } = ctx;
  const { db } = deps;
  requireKnown(await selectUnknown(db, project.id, consents), (name) => `topics.${name}`);
  const when = lacksConsent(project.id, consents, RESPECTS_LEAVERS);
  const choice = await chooseSubscribers(ctx, project.id, chosen, { when });
  if (!choice) return { changed: 0, more: false };
  const statements = setConsentsOfMany(deps, project.id, choice.ids, consents, callerProof(ctx));
  return runChange(db, choice, statements);
}

/**
 * Returns the statements that set the consent of the subscribers that `ids` selects to the named
 * topics, for whom it differs. Nobody who has left a topic is subscribed to it again.
 */
export function setConsentsOfMany(
  deps: Deps,
  projectId: string,
  ids: SQL,
  consents: NamedConsents,
  proof: ConsentProof,
) {
  const wanted = sql`select n.topic_id, s.id as subscriber_id, n.state
    from (${ids}) s cross join (${topicsNamed(projectId, consents)}) n
    left join topic_consents c on c.topic_id = n.topic_id and c.subscriber_id = s.id
    where ${RESPECTS_LEAVERS}`;
  return writeConsents(deps, projectId, wanted, proof);
}
