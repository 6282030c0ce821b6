import { sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import type { Database } from "../../db/client.ts";
import { AppError, conflict, notFound } from "../../errors.ts";
import { DAY_MS } from "../../lib/durations.ts";
import type { ProjectRow } from "../access/index.ts";
import {
  audience,
  freezeDraft,
  inputOf,
  isDraftRow,
  type BroadcastRow,
  type DraftRow,
} from "../broadcasts/index.ts";
import { selectNewest, type Narrowing, type SampleRow } from "./audience-queries.ts";
import { selectSimilar, type PastBroadcast } from "./history-queries.ts";
import type { Content } from "./judge-content.ts";
import { problem, type Problem } from "./problems.ts";

/** A draft with what its start would send, and to whom. */
export interface ReadDraft {
  draft: DraftRow;
  /** Undefined if the draft cannot be sent; `faults` then says why. */
  content: Content | undefined;
  /** The values of `{{broadcast.…}}`. */
  ofBroadcast: Record<string, unknown>;
  faults: Problem[];
  narrowing: Narrowing;
}

/**
 * Reads what a draft would send. Throws not_found, and conflict for a broadcast that is no draft any
 * more.
 */
export async function readDraft(
  { deps }: Ctx,
  project: ProjectRow,
  draft: BroadcastRow | undefined,
): Promise<ReadDraft> {
  if (!draft) throw notFound("broadcast");
  if (!isDraftRow(draft) || (draft.state !== "draft" && draft.state !== "scheduled"))
    throw conflict(`the broadcast is ${draft.state}`);
  const ofBroadcast = { name: draft.name, ...draft.variables };
  const narrowing = {
    projectId: project.id,
    chosen: audience(draft),
    consenting: sql`true`,
    due: audience(draft),
  };
  try {
    const content = await freezeDraft(deps, project, draft.id, inputOf(draft));
    const fixed = audience({ ...draft, ...content });
    const narrowed = { ...narrowing, chosen: fixed, due: fixed };
    return { draft, content, ofBroadcast, faults: [], narrowing: narrowed };
  } catch (error) {
    if (!(error instanceof AppError) || error.code === "unavailable") throw error;
    const faults = [problem("broken_content", error.message)];
    return { draft, content: undefined, ofBroadcast, faults, narrowing };
  }
}

/** Returns the statements of what the database says about a draft, for `factsOf`. */
export function factStatements(
  db: Database,
  { draft, content, narrowing }: ReadDraft,
  now: number,
) {
  const isMeant = draft.plan.resend !== null; // it repeats a broadcast to others
  const like = {
    subjects: content && !isMeant ? [content.subject] : [],
    htmlBody: content && !isMeant ? content.htmlBody : "",
    since: now - DAY_MS,
  };
  return [selectNewest(db, narrowing), selectSimilar(db, draft.projectId, like)] as const;
}

/** What the database says about a draft. */
export interface DraftFacts {
  /** A recipient; undefined when nobody would get the mail. */
  newest: SampleRow | undefined;
  /** A broadcast of the last 24 hours that is like the draft. */
  similar: PastBroadcast | undefined;
}

export function factsOf([newest]: { sample: string }[], [similar]: PastBroadcast[]): DraftFacts {
  // The statement makes the sample from the columns of one subscriber.
  return { newest: newest && (JSON.parse(newest.sample) as SampleRow), similar };
}
