import type { Ctx } from "../../context.ts";
import type { Database } from "../../db/client.ts";
import { AppError, reasonOf, notFound } from "../../errors.ts";
import { DAY_MS } from "../../lib/durations.ts";
import type { ProjectRow } from "../access/index.ts";
import {
  firstMoment,
  freezeDraft,
  inputOf,
  isDraftRow,
  stateConflict,
  type BroadcastRow,
  type DraftRow,
} from "../broadcasts/index.ts";
import { selectUnknownTopics } from "../segments/index.ts";
import { selectSharedNames } from "../templates/index.ts";
import type { MailedSubscriber } from "../../db/subscriber-columns.ts";
import { selectNewest, type Narrowing } from "./audience-queries.ts";
import { selectSimilar, type PastBroadcast } from "./history-queries.ts";
import type { Content } from "./judge-content.ts";
import { narrowAudience } from "./narrow-audience.ts";
import { problem, type Problem, type ReasonedCode } from "./problems.ts";

/** A draft with the content and recipients of its start. */
export interface ReadDraft {
  draft: DraftRow;
  /** The contents of its variants, or its single content; empty if it cannot be sent. */
  contents: Content[];
  /** The values of `{{broadcast.…}}`. */
  ofBroadcast: Record<string, unknown>;
  /** Undefined if its audience cannot be determined. */
  narrowing: Narrowing | undefined;
  /** Why a part is missing. */
  faults: Problem[];
}

/** Reads what a draft would send. Throws not_found, and 409 if it is no longer a draft. */
export async function readDraft(
  { deps }: Ctx,
  project: ProjectRow,
  draft: BroadcastRow | undefined,
): Promise<ReadDraft> {
  if (!draft) throw notFound("broadcast");
  if (!isDraftRow(draft) || (draft.state !== "draft" && draft.state !== "scheduled"))
    throw stateConflict(draft.state);
  const faults: Problem[] = [];
  const narrowing = await orFault(faults, "broken_audience", () =>
    narrowAudience(deps, project, draft),
  );
  // The content is frozen together with the audience, so an invalid audience is left out.
  const input = { ...inputOf(draft), ...(narrowing ? {} : EVERYBODY) };
  const frozen = await orFault(faults, "broken_content", () =>
    freezeDraft(deps, project, draft.id, input),
  );
  const contents = !frozen ? [] : frozen.variants.length > 0 ? frozen.variants : [frozen];
  const ofBroadcast = { name: draft.name, ...draft.variables };
  return { draft, contents, ofBroadcast, narrowing, faults };
}

const EVERYBODY = { where: null, segmentId: null, excludeSegmentIds: [] };

/** Catches the refusal of a part, adds it to the faults and returns undefined. */
async function orFault<Part>(
  faults: Problem[],
  code: ReasonedCode,
  read: () => Promise<Part>,
): Promise<Part | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof AppError) || error.status === 503) throw error;
    faults.push(problem(code, { reason: reasonOf(error) }));
    return undefined;
  }
}

/**
 * Returns the statements that read the facts about a draft with a known audience, for `factsOf`.
 */
export function factStatements(
  db: Database,
  { draft, contents }: ReadDraft,
  narrowing: Narrowing,
  now: number,
) {
  const compared = draft.plan.resend === null ? contents : []; // a resend repeats a broadcast on purpose
  const { id, projectId } = draft;
  const like = {
    id,
    projectId,
    beginsAt: Math.max(now, startOf(draft)),
    subjects: compared.map(({ subject }) => subject),
    htmlBodies: compared.map(({ htmlBody }) => htmlBody),
    since: now - DAY_MS,
  };
  return [
    selectNewest(db, narrowing),
    selectSimilar(db, like),
    selectUnknownTopics(db, projectId, narrowing.topics),
    selectSharedNames(db, projectId, templatesOf(draft)),
  ] as const;
}

const templatesOf = ({ templateId, plan }: DraftRow): string[] =>
  [templateId, ...(plan.ab?.variants ?? []).map((variant) => variant.templateId)].filter(
    (id) => id !== null,
  );

/** Returns the time for which a draft is scheduled; 0 for none. */
const startOf = ({ sendAt, plan: { timeZone } }: DraftRow): number =>
  sendAt !== null && timeZone !== null ? firstMoment(sendAt, timeZone) : (sendAt ?? 0);

/** The facts about a draft from the database. */
export interface DraftFacts {
  /** A recipient; undefined if the draft has none. */
  newest: MailedSubscriber | undefined;
  /** A broadcast similar to the draft: of the last 24 hours, or scheduled near it. */
  similar: PastBroadcast | undefined;
  /** The topics in its condition that the project does not have. */
  unknownTopics: string[];
  /** The names of its templates that are not unique. */
  sharedNames: string[];
}

export function factsOf(
  [newest]: { sample: string }[],
  [similar]: PastBroadcast[],
  unknown: { name: string }[],
  shared: { name: string }[],
): DraftFacts {
  // The statement builds the sample from the columns of one subscriber.
  const sample = newest && (JSON.parse(newest.sample) as MailedSubscriber);
  const namesIn = (rows: { name: string }[]) => rows.map(({ name }) => name);
  return { newest: sample, similar, unknownTopics: namesIn(unknown), sharedNames: namesIn(shared) };
}

/** The facts about a draft whose audience cannot be determined. */
export const NO_FACTS: DraftFacts = {
  newest: undefined,
  similar: undefined,
  unknownTopics: [],
  sharedNames: [],
};
