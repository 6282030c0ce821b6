import { setTimeout as delay } from "node:timers/promises";
import { createOwner, subscribe, type Project } from "../harness/account.ts";
import { startChild } from "../harness/child.ts";
import { started, withCleanUp } from "../harness/clean-up.ts";
import { COUNTED, countOf } from "../harness/counts.ts";
import type { Goal, PartResult, Sizes } from "../harness/report.ts";
import { startService, type RunningWorker } from "../harness/runtime.ts";
import type { sinkVerbs } from "../peers/sink.ts";
import type { Counts } from "../workers/counted.ts";

const ROWS_GOAL = 3;
const ROUND_TRIPS_GOAL = 10;
const STATEMENTS_GOAL = 500;
const EVENT_VISITS_GOAL = 2;

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const SWEEPS_MAX = 500;
const SWEEP_MS = 2_000;
const EVENT = "signed_up";
const EVENTS_A_CALL = 1_000;

const mail = (id: string) => ({
  id,
  type: "send",
  subject: `${id} for {{name}}`,
  html_body: '<p>Hello {{name}}</p><a href="{{unsubscribe_link}}">Unsubscribe</a>',
});

/** Three mails with a day between them. */
const SERIES = {
  name: "Series",
  trigger: { type: "event", event: EVENT },
  steps: [
    mail("first"),
    { id: "one", type: "wait", for: "1 day" },
    mail("second"),
    { id: "two", type: "wait", for: "1 day" },
    mail("third"),
  ],
};
const STEPS = SERIES.steps.length;
const MAILS = 3;

/**
 * Measures an automation: many people enter by an event and go through five steps, on a clock that
 * jumps from one wait to the next.
 */
export async function measureAutomations({ travellers }: Sizes): Promise<PartResult> {
  return withCleanUp(async (atEnd) => {
    const sink = await started(startChild<typeof sinkVerbs>("../peers/sink.ts"), atEnd);
    const service = await started(startService({}, COUNTED), atEnd);
    const owner = await createOwner(service);
    const project = await owner.newProject(await sink.port());
    await subscribe(await service.database(), project.id, travellers);
    const path = `/projects/${project.id}/automations`;
    const { id } = await owner.api<{ id: string }>("POST", path, SERIES);
    await owner.api("POST", `${path}/${id}/start`);
    const ids = await idsIn(service, project);
    const days: Counts[] = [];
    let [lost, twice] = [0, 0];
    for (let day = 0; day < MAILS; day++) {
      await sink.begin({ roundTripMs: 0, chunking: true, keep: 0 });
      const work = async () => {
        if (day === 0) await enter(project, ids);
        await pass(service, day);
      };
      days.push(await countOf(service, work));
      const { messages, distinctRecipients } = await sink.report();
      lost += travellers - distinctRecipients;
      twice += messages - distinctRecipients;
    }
    const sum = (of: (counts: Counts) => number) =>
      days.reduce((total, counts) => total + of(counts), 0);
    // Without the event's own two rows; the run and its index entries stay.
    const entered = sum(({ eventRowsWritten }) => eventRowsWritten) - 2 * travellers;
    const rows = (sum(({ moves }) => moves.rowsWritten) + entered) / (travellers * STEPS);
    const roundTrips = sum(({ moves }) => moves.roundTrips) / (travellers * MAILS);
    const most = Math.max(...days.map(({ moves }) => moves.mostStatements));
    const single = await countOf(service, () => record(project, ids.slice(0, 1)));
    return {
      title: `A series of ${STEPS} steps, three of them mails, for ${travellers} people`,
      columns: [
        "day",
        "rows written a person",
        "rows of moves a person",
        "round trips of moves",
        "statements of moves",
        "most of them in a run",
      ],
      rows: days.map(({ d1RowsWritten, moves }, day) => [
        day + 1,
        d1RowsWritten / travellers,
        moves.rowsWritten / travellers,
        moves.roundTrips,
        moves.statements,
        moves.mostStatements,
      ]),
      goals: [
        goal("rows written a person and step, without the log", rows, ROWS_GOAL),
        goal("D1 round trips for 1,000 moves", roundTrips * 1_000, ROUND_TRIPS_GOAL),
        goal("statements of a run of the sender that move people", most, STATEMENTS_GOAL),
        goal("visits of D1 for an event", single.d1RoundTrips, EVENT_VISITS_GOAL),
        goal("mails lost", lost, 0),
        goal("mails sent twice", twice, 0),
      ],
      notes: [
        "A day's rows contain the log of its mails, and those of the first day the events. A move takes a person through a mail and the wait after it.",
      ],
    };
  });
}

const goal = (what: string, measured: number, limit: number): Goal => ({
  what,
  measured,
  limit,
  kind: "at_most",
});

async function enter(project: Project, ids: string[]): Promise<void> {
  for (let at = 0; at < ids.length; at += EVENTS_A_CALL)
    await record(project, ids.slice(at, at + EVENTS_A_CALL));
}

/** Stores an event of each of these people. */
const record = ({ id, api }: Project, people: string[]) =>
  api(
    "POST",
    `/projects/${id}/events`,
    people.map((subscriber) => ({ name: EVENT, subscriber_id: subscriber })),
  );

async function idsIn(service: RunningWorker, { id }: Project): Promise<string[]> {
  const database = await service.database();
  const { results } = await database
    .prepare("select id from subscribers where project_id = ?1 order by id")
    .bind(id)
    .all<{ id: string }>();
  return results.map((row) => row.id);
}

/** Sets the clock to a day, and runs the sweep of the minute until everybody rests. */
async function pass(service: RunningWorker, day: number): Promise<void> {
  const ahead = day * (DAY_MS + HOUR_MS);
  await post(service, `/bench/ahead?ms=${ahead}`);
  const database = await service.database();
  for (let sweep = 0; sweep < SWEEPS_MAX; sweep++) {
    await post(service, `/bench/scheduled?cron=${encodeURIComponent("* * * * *")}`);
    await delay(SWEEP_MS);
    const left = await database
      .prepare(
        `select exists (select 1 from automation_runs where due_at <= ?1)
          or exists (select 1 from broadcast_chunks) as is_left`,
      )
      .bind(Date.now() + ahead)
      .first<number>("is_left");
    if (left === 0) return;
  }
  throw new Error(`not everybody rests on day ${day}`);
}

async function post({ url }: RunningWorker, path: string): Promise<void> {
  const { ok, status } = await fetch(`${url}${path}`, { method: "POST" });
  if (!ok) throw new Error(`${path}: ${status}`);
}
