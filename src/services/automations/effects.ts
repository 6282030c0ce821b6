import { sql, type SQL } from "drizzle-orm";
import type { Statement } from "../../db/client.ts";
import { shownJson } from "../../db/subscriber-columns.ts";
import type { Deps } from "../../deps.ts";
import { addTeamNotices, harmless } from "../service-mail/index.ts";
import { setConsentsOfMany, setOnMany } from "../subscribers/index.ts";
import { eventStatement } from "../webhooks/index.ts";
import type { SetStep } from "../../lib/automation-definition.ts";
import type { Effect, Moves } from "./track.ts";

/**
 * Returns the statements of what a step does for the runs that `still` selects as rows of
 * `automation_runs`.
 */
export function effectStatements(
  deps: Deps,
  { automation, version, now }: Pick<Moves, "automation" | "version" | "now">,
  { step, page, runs }: Effect,
  still: SQL,
): Statement[] {
  const { id, projectId, name } = automation;
  switch (step.type) {
    case "send":
      return [addChunk(deps, { id, version, step: step.id, page, now }, still)];
    case "set":
      return setStatements(deps, projectId, step, sql`select subscriber_id as id from (${still})`);
    case "webhook": {
      const eventIds = JSON.stringify(
        Object.fromEntries(runs.map((run) => [run.id, deps.newId()])),
      );
      const events = sql`select ${eventIds} ->> run.id as id, 'automation.step' as type, ${projectId} as project_id, ${now} as at, json_object('automation_id', ${id}, 'step_id', ${step.id},
          'run_id', run.id, 'subscriber', json(${shownJson("s")}), 'event', json(run.data)) as data
        from (${still}) run cross join subscribers s on s.id = run.subscriber_id`;
      return [eventStatement(deps, events, projectId, step.url)];
    }
    case "notify": {
      const title = `Reached: ${harmless(step.id)}`;
      return [
        addTeamNotices(deps, {
          projectId,
          emails: step.emails,
          title,
          text: noticeOf(name, step.id, still),
        }),
      ];
    }
    default:
      return [];
  }
}

/** Returns the statement that hands the mails of these runs, all of one version, to the sender. */
function addChunk(
  { db }: Deps,
  {
    id,
    version,
    step,
    page,
    now,
  }: Record<"id" | "step" | "page", string> & Record<"version" | "now", number>,
  still: SQL,
): Statement {
  return db.run(
    sql`insert into broadcast_chunks (broadcast_id, after_id, until_id, cursor_id, state, due_at, lease_token, in_flight, again, deferred, page)
      select b.id, ${page}, '', '', 'pending', ${now}, '', '[]', people.list, '[]', ${page}
      from (select json_group_array(json_object('id', subscriber_id, 'error', '')) as list, count(*) as n
          from (${still})) people
        cross join broadcasts b on b.automation_id = ${id} and b.automation_version = ${version} and b.step_id = ${step}
      where people.n > 0`,
  );
}

function setStatements(
  deps: Deps,
  projectId: string,
  { add_tags: addTags = [], remove_tags: removeTags = [], metadata = {}, topics }: SetStep,
  ids: SQL,
): Statement[] {
  const consents = Object.entries(topics ?? {}).map(
    ([topic, isSubscribed]) => [topic, isSubscribed ? "subscribed" : "unsubscribed"] as const,
  );
  return [
    ...(addTags.length + removeTags.length + Object.keys(metadata).length > 0
      ? setOnMany(deps, projectId, ids, { addTags, removeTags, metadata })
      : []),
    ...(consents.length > 0
      ? setConsentsOfMany(deps, projectId, ids, Object.fromEntries(consents), PROOF)
      : []),
  ];
}

const PROOF = { by: "automation", ipAddress: "", userAgent: "", formText: "" } as const;

/** The most people whom a notice names. */
const MOST_NAMED = 10;

/** Returns SQL for the text of a notice about these runs; null if they are none. */
function noticeOf(name: string, step: string, still: SQL): SQL {
  const of = `reached the step ${step} of the automation "${harmless(name)}"`;
  return sql`(select iif(count(*) = 0, null, count(*) || iif(count(*) = 1, ' person ', ' people ') || ${`${of}: `}
      || group_concat(email, ', ') filter (where nth <= ${MOST_NAMED})
      || iif(count(*) > ${MOST_NAMED}, ' and others', '') || '.')
    from (select s.email, row_number() over (order by s.id) as nth
      from (${still}) run cross join subscribers s on s.id = run.subscriber_id))`;
}
