import { z } from "zod";
import { RUN_OUTCOMES } from "../../lib/run-outcomes.ts";
import {
  listRuns,
  listRunsOfSubscriber,
  readReport,
  reportReads,
  runReads,
  RUN_STATES,
  subscriberRunReads,
  type ListedRun,
} from "../../services/automations/index.ts";
import { countAnswer, idAnswer, namedAnswer, timeAnswer } from "../answer-fields.ts";
import { uuidField } from "../fields.ts";
import { pagesOf } from "../paging.ts";
import { presenterOf } from "../presenter.ts";
import { route } from "../route/route.ts";
import { visitsAnswer } from "./broadcast-answer.ts";

const ONE = "/projects/:id/automations/:automationId";

const outcomesAnswer = {
  completed: countAnswer.describe("People who ended after the last step."),
  goal: countAnswer.describe("People who left because they met the goal."),
  unsubscribed: countAnswer,
  suppressed: countAnswer,
  deleted: countAnswer,
  stopped: countAnswer.describe("People who were inside when the automation was stopped."),
};

const peopleAnswer = {
  entered: countAnswer,
  inside: countAnswer,
  ...outcomesAnswer,
  goal_rate: z
    .number()
    .nullable()
    .describe("`goal` as a share of the people inside and ended, 0 to 1; null without people."),
};

const stepMailsAnswer = namedAnswer("AutomationMails", {
  subject: z.string(),
  sent: countAnswer,
  failed: countAnswer,
  bounced: countAnswer,
  suppressed: countAnswer,
  unknown: countAnswer.describe("Recipients whose email the server may have."),
  ...visitsAnswer,
});

const stepAnswer = namedAnswer("AutomationStepReport", {
  id: z.string(),
  type: z.string(),
  now: countAnswer.describe("People who rest at the step."),
  passed: countAnswer.describe("People who went on to another step."),
  ...outcomesAnswer,
  mails: stepMailsAnswer
    .nullable()
    .describe("The emails of the step; null for steps that send none."),
});

const reportAnswer = namedAnswer("AutomationReport", {
  totals: z.strictObject(peopleAnswer).describe("The sums of all versions."),
  versions: z
    .array(
      z.strictObject({
        version: countAnswer,
        created_at: timeAnswer,
        moves_on: z
          .boolean()
          .describe("Whether people inside move to a newer version at their next step."),
        ...peopleAnswer,
        steps: z.array(stepAnswer),
      }),
    )
    .describe("The ten newest versions that people could enter, the newest first."),
});

const presentReport = presenterOf(reportAnswer);

export const runAnswer = namedAnswer("AutomationRun", {
  id: idAnswer,
  automation_id: idAnswer,
  automation_name: z.string(),
  subscriber_id: idAnswer,
  email: z.string().nullable().describe("Null once the subscriber is deleted."),
  version: countAnswer,
  step: z.string().describe("The step of the person, or the last one; empty before the first."),
  state: z.enum(RUN_STATES),
  outcome: z.enum(RUN_OUTCOMES).nullable().describe("Null while the person is inside."),
  entered_at: timeAnswer,
  moved_at: timeAnswer,
  due_at: timeAnswer
    .nullable()
    .describe("When the next step is due; null at the end, and until the person confirms."),
  ended_at: timeAnswer.nullable(),
  mails: z
    .array(
      z.strictObject({
        step: z.string(),
        at: timeAnswer,
        log_id: idAnswer.nullable().describe("Null while the email is not in the log."),
      }),
    )
    .describe("Its emails, the newest last."),
});

const presentRun = presenterOf(runAnswer);

const pages = pagesOf("runs", z.string(), ({ id }: ListedRun) => id);
const runsAnswer = z.strictObject({ runs: z.array(runAnswer), next: z.string().nullable() });

const presentRuns = ({ runs, next }: Awaited<ReturnType<typeof listRuns>>) => ({
  runs: runs.map(presentRun),
  next: pages.cursorOf(next),
});

/** Routes of what has happened in automations. */
export const automationRunRoutes = [
  route({
    auth: "cookie_or_key",
    method: "GET",
    path: `${ONE}/report`,
    operation: "projects.automations.report",
    summary: "Counts the people and emails of an automation by version and step.",
    capability: "read",
    answer: reportAnswer,
    reads: ({ deps, projectId, param }) => reportReads(deps.db, projectId, param("automationId")),
    handle: async ({ reads }) => presentReport(readReport(reads)),
  }),
  route({
    auth: "cookie_or_key",
    method: "GET",
    path: `${ONE}/runs`,
    operation: "projects.automations.runs",
    summary: "Lists the runs of an automation, newest first.",
    example: { query: { state: "inside", limit: "20" } },
    capability: "read",
    query: pages.queryAfter({
      subscriber_id: uuidField.optional(),
      state: z.enum(RUN_STATES).optional(),
      step: z.string().max(40).optional(),
    }),
    answer: runsAnswer,
    reads: ({ deps, projectId, param, query: { subscriber_id: subscriberId, ...query } }) =>
      runReads(deps.db, projectId, param("automationId"), { subscriberId, ...query }),
    handle: async ({ ctx, project, reads, query }) =>
      presentRuns(await listRuns(ctx, project, reads, query.limit)),
  }),
  route({
    auth: "cookie_or_key",
    method: "GET",
    path: "/projects/:id/subscribers/:subscriberId/runs",
    operation: "projects.subscribers.runs",
    summary: "Lists the runs of a subscriber in automations, newest first.",
    capability: "read",
    query: pages.queryAfter({}),
    answer: runsAnswer,
    reads: ({ deps, projectId, param, query }) =>
      subscriberRunReads(deps.db, projectId, param("subscriberId"), query),
    handle: async ({ ctx, project, reads, query }) =>
      presentRuns(await listRunsOfSubscriber(ctx, project, reads, query.limit)),
  }),
];
