import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { refusal } from "../../errors.ts";
import type { ProjectRow } from "../access/index.ts";
import type { BroadcastRow } from "../broadcasts/index.ts";
import { judgeDraft } from "./judge-draft.ts";
import type { Problem } from "./problems.ts";
import { factsOf, factStatements, readDraft } from "./read-draft.ts";

/** A request to start a draft: the problems that it accepts, and the versions that it expects. */
export interface WantedStart {
  accepted: readonly string[];
  versions: number[] | undefined;
}

/**
 * Throws 409 for a draft with a problem of the grade `stop` that the start does not accept by its
 * code. The problems are computed again, without the network, so they are never stale. The start
 * must use the checked version of the draft, and itself rejects a draft of another version, one
 * that has been started, and one that cannot be sent.
 */
export async function requireAccepted(
  ctx: Ctx,
  project: ProjectRow,
  row: BroadcastRow | undefined,
  { accepted, versions }: WantedStart,
): Promise<void> {
  const { db, now } = ctx.deps;
  if (row && (row.state === "scheduled" || versions?.includes(row.updatedAt) === false)) return;
  const read = await readDraft(ctx, project, row);
  const { contents, narrowing } = read;
  if (contents.length === 0 || !narrowing) return;
  const facts = factsOf(...(await runBatch(db, factStatements(db, read, narrowing, now()))));
  refuseProblems(await judgeDraft(ctx, project, read, facts), accepted);
}

/** Throws 409 if one of these problems is of the grade `stop` and not accepted by its code. */
export function refuseProblems(problems: Problem[], accepted: readonly string[]): void {
  const open = problems.filter(({ grade, code }) => grade === "stop" && !accepted.includes(code));
  if (open.length === 0) return;
  const codes = open.map(({ code }) => code).join(", ");
  const told = open.map(({ code, params, grade, message, fixIn }) => {
    return { code, params, grade, message, fix_in: fixIn };
  });
  throw refusal("broadcast_has_problems", { codes }, { fields: { problems: told } });
}
