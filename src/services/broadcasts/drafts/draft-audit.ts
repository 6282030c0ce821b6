import { changedMeanwhile, notFound, refusal, type AppError } from "../../../errors.ts";
import type { ProjectRow } from "../../access/index.ts";
import type { AuditAction } from "../../audit/index.ts";
import type { BroadcastRow } from "../queries.ts";
import { isDraftRow, type DraftRow } from "./draft-input.ts";
import type { Expected } from "./draft-queries.ts";
import { stateConflict } from "../state-conflict.ts";

/** Returns the audit entry of an action on a draft. */
export function draftAudit(project: ProjectRow, action: AuditAction, targetId: string) {
  return { scopeId: project.id, action, targetId } as const;
}

/** Throws unless a broadcast is a draft in an expected state and version. */
export function requireExpected(
  row: BroadcastRow | undefined,
  expected: Expected,
): asserts row is DraftRow {
  if (!row || !isDraftRow(row) || !isAsExpected(row, expected)) throw notAsExpected(row, expected);
}

export const isAsExpected = (
  { state, updatedAt }: BroadcastRow,
  { versions, states }: Expected,
): boolean => states.some((one) => one === state) && (versions?.includes(updatedAt) ?? true);

/** Returns the error for a change of a broadcast that is not in the expected state or version. */
export function notAsExpected(
  row: BroadcastRow | undefined,
  { states, versions }: Expected,
): AppError {
  if (!row) return notFound("broadcast");
  if (!states.some((state) => state === row.state)) return stateConflict(row.state);
  if (versions && !versions.includes(row.updatedAt)) return changedMeanwhile("broadcast");
  return refusal("broadcast_changed", {});
}
