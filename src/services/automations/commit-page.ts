import { sql, type SQL } from "drizzle-orm";
import { runBatch, type Statement } from "../../db/client.ts";
import type { Deps } from "../../deps.ts";
import type { DueRun } from "./due-queries.ts";
import { effectStatements } from "./effects.ts";
import type { Moves } from "./track.ts";

/**
 * Commits the moves of a page with all their effects in one transaction. A run that has changed
 * since it was read is left out of all statements, so a repetition has no effect. Returns the number
 * of statements.
 */
export async function commitPage(deps: Deps, moves: Moves): Promise<number> {
  const { automation, unmet, moved, effects } = moves;
  const still = (runs: DueRun[]) => unchanged(automation.id, runs);
  const statements: Statement[] = [
    ...effects.flatMap((effect) => effectStatements(deps, moves, effect, still(effect.runs))),
    ...(unmet.length > 0
      ? [
          deps.db.run(
            sql`delete from automation_runs where automation_id = ${automation.id}
              and id in (select id from (${still(unmet)}))`,
          ),
        ]
      : []),
    ...(moved.length > 0 ? moveStatements(deps, moves) : []),
  ];
  await runBatch(deps.db, statements);
  return statements.length;
}

/**
 * Returns the query of those of these runs that nothing has changed since they were read, while
 * the automation is active.
 */
function unchanged(automationId: string, runs: DueRun[]): SQL {
  const read = runs.map(({ id, moves, dueAt }) => [id, moves, dueAt]);
  return sql`select run.* from json_each(${JSON.stringify(read)}) was cross join automation_runs run
    on run.automation_id = ${automationId} and run.id = was.value ->> 0
      and run.moves = was.value ->> 1 and run.due_at = was.value ->> 2
    where exists (select 1 from automations where id = ${automationId} and state = 'active')`;
}

/** Returns the statements that count the moves and make them. */
function moveStatements({ db }: Deps, { automation: { id }, now, moved }: Moves): Statement[] {
  const tracks = new Map<string, number>();
  const rows = moved.map(({ run, dueAt, track: { counts, mails }, ...end }) => {
    const { version, step, waitsFor, outcome } = end;
    const track = JSON.stringify([version, step, waitsFor, outcome, mails, counts]);
    const index = tracks.get(track) ?? tracks.size;
    tracks.set(track, index);
    return [run.id, run.moves, run.dueAt, index, dueAt, id];
  });
  const moves = sql`(select row.value ->> 0 as id, row.value ->> 1 as moves, row.value ->> 2 as was_due,
      row.value ->> 4 as next_due, row.value ->> 5 as automation_id, track.value as track
    from json_each(${JSON.stringify(rows)}) row
      cross join json_each(${`[${[...tracks.keys()].join()}]`}) track on track.key = row.value ->> 3) m`;
  // With the id of the automation from the row, the plan looks runs up and does not walk all of them.
  const isSame = sql`automation_runs.automation_id = m.automation_id and automation_runs.id = m.id
    and automation_runs.moves = m.moves and automation_runs.due_at = m.was_due`;
  const isActive = sql`exists (select 1 from automations where id = ${id} and state = 'active')`;
  const isOver = sql`m.track ->> 3 is not null`;
  return [
    db.run(
      sql`insert into automation_counts (automation_id, version, step, what, n)
        select ${id}, counted.value ->> 0, counted.value ->> 1, counted.value ->> 2, count(*)
        from ${moves} cross join automation_runs on ${isSame} cross join json_each(m.track, '$[5]') counted
        where ${isActive} group by 2, 3, 4
        on conflict do update set n = n + excluded.n`,
    ),
    db.run(
      sql`update automation_runs set moves = automation_runs.moves + 1, version = m.track ->> 0, step = m.track ->> 1,
          due_at = m.next_due, waits_for = m.track ->> 2, heard = null, outcome = m.track ->> 3,
          mails = ${appended(sql`m.track -> 4`)}, moved_at = ${now}, ended_at = iif(${isOver}, ${now}, null)
        from ${moves} where ${isSame} and ${isActive}`,
    ),
  ];
}

/** Returns the mails of a run with those of a move appended. */
const appended = (
  added: SQL,
): SQL => sql`case when ${added} = '[]' then mails when mails = '[]' then ${added}
  else substr(mails, 1, length(mails) - 1) || ',' || substr(${added}, 2) end`;
