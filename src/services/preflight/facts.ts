import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import type { MailedSubscriber } from "../../db/subscriber-columns.ts";
import { AppError, notFound, reasonOf } from "../../errors.ts";
import type { TrackingSwitches } from "../../lib/tracking-switches.ts";
import type { ProjectRow } from "../access/index.ts";
import {
  firstMoment,
  freezeAudience,
  freezeDraft,
  inputOf,
  isDraftRow,
  stateConflict,
  type BroadcastRow,
  type DraftInput,
  type DraftRow,
} from "../broadcasts/index.ts";
import { inTurn } from "../limits/index.ts";
import { previewTemplate, type Preview } from "../mailing/index.ts";
import { audienceSettingsOf } from "../projects/index.ts";
import { selectUnknownTopics } from "../segments/index.ts";
import {
  countRecipients,
  selectNewest,
  type Narrowing,
  type RecipientCounts,
} from "./audience-queries.ts";
import { findLinks } from "./links.ts";
import { narrowAudience, narrowToNobody } from "./narrow-audience.ts";
import { selectOthers, type OtherBroadcast } from "./other-broadcasts.ts";
import { problem, type Problem, type ReasonedCode } from "./problems.ts";

export interface Content {
  subject: string;
  htmlBody: string;
  textBody: string;
  preheader: string;
  tracking: TrackingSwitches;
  /** The sender name in an A/B test; null for the project's name. */
  fromName?: string | null;
}

/** A draft with the content and recipients of its start. */
export interface ReadDraft {
  row: DraftRow;
  /** The contents of its variants, or its single content; empty if it cannot be sent. */
  contents: Content[];
  narrowing: Narrowing;
  /** Why the draft cannot start: parts that cannot be read, and what its start rejects. */
  faults: Problem[];
}

/** Returns a draft. Throws not_found, and 409 if it is no longer one. */
function requireDraft(row: BroadcastRow | undefined): DraftRow {
  if (!row) throw notFound("broadcast");
  if (!isDraftRow(row) || (row.state !== "draft" && row.state !== "scheduled"))
    throw stateConflict(row.state);
  return row;
}

/** Reads the recipients of a draft with these fields. Throws 400 and not_found. */
async function readAudience(
  { deps }: Ctx,
  project: ProjectRow,
  row: DraftRow,
  input: DraftInput,
): Promise<Narrowing> {
  const settings = audienceSettingsOf(project);
  const uncapped = { ...project, audienceSettings: { ...settings, minDaysBetweenBroadcasts: 0 } };
  const audienceWhere = await freezeAudience(deps, uncapped, input);
  const narrowed = { ...row, topicId: input.topicId, audienceWhere };
  return narrowAudience(deps, narrowed, settings.minDaysBetweenBroadcasts);
}

/**
 * Counts who would get a draft now, and who is left out, with these audience fields instead of its
 * own. Throws not_found, 409 if it is no longer a draft, and 400 for a condition that does not parse.
 */
export async function countAudience(
  ctx: Ctx,
  project: ProjectRow,
  row: BroadcastRow | undefined,
  change: Partial<DraftInput>,
): Promise<RecipientCounts> {
  const draft = requireDraft(row);
  const narrowing = await readAudience(ctx, project, draft, { ...inputOf(draft), ...change });
  const [counts] = await inTurn(ctx, project.id, () => countRecipients(ctx.deps.db, narrowing));
  if (!counts) throw new Error("the recipients were not counted");
  return counts;
}

/** Reads what a draft would send. Throws not_found, and 409 if it is no longer a draft. */
export async function readDraft(
  ctx: Ctx,
  project: ProjectRow,
  found: BroadcastRow | undefined,
): Promise<ReadDraft> {
  const { deps } = ctx;
  const row = requireDraft(found);
  const input = inputOf(row);
  const audience = await orFault("broken_audience", () => readAudience(ctx, project, row, input));
  const content = await orFault("broken_content", async () => {
    const toAll = { ...input, where: null, segmentId: null, excludeSegmentIds: [] };
    const { variants, ...single } = await freezeDraft(deps, project, toAll);
    return variants.length > 0 ? variants : [single];
  });
  return {
    row,
    contents: content.part ?? [],
    narrowing: audience.part ?? narrowToNobody(project.id),
    faults: [...audience.faults, ...content.faults],
  };
}

/** Returns the part that `read` returns, or the problem of its refusal. */
export async function orFault<Part>(
  code: ReasonedCode,
  read: () => Part | Promise<Part>,
): Promise<{ part?: Part; faults: Problem[] }> {
  try {
    return { part: await read(), faults: [] };
  } catch (error) {
    if (!(error instanceof AppError) || error.status === 503) throw error;
    return { faults: [problem(code, { reason: reasonOf(error) })] };
  }
}

/** The values of `{{broadcast.…}}`. */
export const broadcastValues = ({ name, variables }: DraftRow): Record<string, unknown> => ({
  name,
  ...variables,
});

/** The facts about a draft that need neither the network nor a scan of its audience. */
export interface DraftFacts extends ReadDraft {
  project: ProjectRow;
  /** A recipient; undefined if the draft has none. */
  newest: MailedSubscriber | undefined;
  /** Similar broadcasts near the draft, and auto-paused ones. */
  others: OtherBroadcast[];
  /** The topics in its condition that the project does not have. */
  unknownTopics: string[];
  /** Its contents, rendered for the newest recipient or else without a recipient's data. */
  previews: Preview[];
  links: string[];
}

/** Reads the facts about a draft in one round trip, and renders its contents. */
export async function readFacts(
  ctx: Ctx,
  project: ProjectRow,
  read: ReadDraft,
): Promise<DraftFacts> {
  const { db, now } = ctx.deps;
  const { row, contents, narrowing } = read;
  const { id, projectId } = row;
  const compared = row.plan.resend === null ? contents : []; // a resend repeats a broadcast on purpose
  const like = {
    id,
    projectId,
    subjects: compared.map(({ subject }) => subject),
    htmlBodies: compared.map(({ htmlBody }) => htmlBody),
    beginsAt: Math.max(now(), startOf(row)),
  };
  const [[sample], others, topics] = await runBatch(db, [
    selectNewest(db, narrowing),
    selectOthers(db, like),
    selectUnknownTopics(db, projectId, narrowing.topics),
  ]);
  // The statement builds the sample from the columns of one subscriber.
  const newest = sample && (JSON.parse(sample.sample) as MailedSubscriber);
  const previews = [];
  for (const content of contents)
    previews.push(await previewOf(ctx, project, content, row, newest));
  const links = findLinks(contents.map(({ htmlBody }) => htmlBody));
  const unknownTopics = topics.map(({ name }) => name);
  return { ...read, project, newest, others, unknownTopics, previews, links };
}

function previewOf(
  ctx: Ctx,
  project: ProjectRow,
  content: Content,
  row: DraftRow,
  subscriber: MailedSubscriber | undefined,
): Promise<Preview> {
  const audience = subscriber
    ? { kind: "subscriber" as const, subscriber, data: { broadcast: broadcastValues(row) } }
    : { kind: "list" as const, metadataKeys: [] };
  const tracking = { ...content.tracking, ...row.plan.tracking };
  const preheader = row.plan.previewText ?? content.preheader;
  return previewTemplate(ctx, project, { ...content, preheader, tracking, audience });
}

/** Returns the time for which a draft is scheduled; 0 for none. */
const startOf = ({ sendAt, plan: { timeZone } }: DraftRow): number =>
  sendAt !== null && timeZone !== null ? firstMoment(sendAt, timeZone) : (sendAt ?? 0);
