import type { Deps } from "../../../deps.ts";
import { AppError, inField, notFound } from "../../../errors.ts";
import type { ProjectRow } from "../../access/index.ts";
import {
  formatCondition,
  parseCondition,
  selectSegments,
  type Condition,
} from "../../segments/index.ts";
import { leaveOutMailed } from "../leave-out-mailed.ts";
import type { DraftInput } from "./draft-input.ts";

/**
 * Returns the condition of an audience as one line: the draft's condition and segment, without the
 * excluded segments and subscribers within the project's frequency cap. Null for all subscribers.
 * Throws 400 for a condition that does not parse or is too long overall, and not_found for a
 * segment that the project does not have.
 */
export async function freezeAudience(
  deps: Deps,
  project: ProjectRow,
  { where, segmentId, excludeSegmentIds }: DraftInput,
): Promise<string | null> {
  const parts: Condition[] = [];
  if (where !== null) parts.push(parseWhere(where));
  const wanted = segmentId === null ? [] : [segmentId];
  const ids = [...wanted, ...excludeSegmentIds];
  const segments = ids.length === 0 ? [] : await selectSegments(deps.db, project.id);
  for (const [n, id] of ids.entries()) {
    const segment = segments.find((one) => one.id === id);
    if (!segment) throw notFound("segment");
    const condition = parseCondition(segment.condition);
    parts.push(n < wanted.length ? condition : { not: condition });
  }
  const [only] = parts;
  if (!only) return leaveOutMailed(project, null);
  const whole = parts.length === 1 ? only : { and: parts };
  const chosen = formatCondition(named("the audience", () => parseCondition(whole)));
  return leaveOutMailed(project, chosen);
}

/** Parses the condition of a draft. Throws 400 with the field's name. */
export const parseWhere = (where: string): Condition => named("where", () => parseCondition(where));

/** Adds the part of the audience to errors. */
function named(what: string, parse: () => Condition): Condition {
  try {
    return parse();
  } catch (error) {
    if (error instanceof AppError) throw inField(what, error);
    throw error;
  }
}
