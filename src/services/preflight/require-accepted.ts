import type { Ctx } from "../../context.ts";
import { refusal } from "../../errors.ts";
import type { ProjectRow } from "../access/index.ts";
import type { BroadcastRow, FixedDraft } from "../broadcasts/index.ts";
import { checkDraft } from "./checks.ts";
import { readDraft, readFacts } from "./facts.ts";
import { narrowAudience } from "./narrow-audience.ts";
import type { Problem } from "./problems.ts";

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
  if (row && (row.state === "scheduled" || versions?.includes(row.updatedAt) === false)) return;
  const read = await readDraft(ctx, project, row);
  if (read.faults.length > 0) return;
  refuseProblems(checkDraft(await readFacts(ctx, project, read)), accepted);
}

/**
 * Throws 409 for a change of a scheduled broadcast that introduces a problem of the grade `stop`
 * without accepting it by its code. The problems before and after the change are computed for the
 * same point in time. Earlier problems are ignored: the start accepted them, or rejecting the
 * change would not remove them.
 */
export async function requireAcceptedChange(
  ctx: Ctx,
  project: ProjectRow,
  { before, after }: { before: FixedDraft; after: FixedDraft },
  accepted: readonly string[],
): Promise<void> {
  const now = ctx.deps.now();
  const then = { ...ctx, deps: { ...ctx.deps, now: () => now } };
  const problemsOf = async ({ row, contents }: FixedDraft) => {
    const narrowing = narrowAudience(then.deps, row); // its condition includes the frequency cap
    return checkDraft(await readFacts(then, project, { row, contents, narrowing, faults: [] }));
  };
  const nameOf = ({ code, message }: Problem) => `${code} ${message}`;
  const known = new Set((await problemsOf(before)).map(nameOf));
  const found = await problemsOf(after);
  refuseProblems(
    found.filter((one) => !known.has(nameOf(one))),
    accepted,
  );
}

/** Throws 409 if one of these problems is of the grade `stop` and not accepted by its code. */
function refuseProblems(problems: Problem[], accepted: readonly string[]): void {
  const open = problems.filter(({ grade, code }) => grade === "stop" && !accepted.includes(code));
  if (open.length === 0) return;
  const codes = open.map(({ code }) => code).join(", ");
  const told = open.map(({ code, params, grade, message, fixIn }) => {
    return { code, params, grade, message, fix_in: fixIn };
  });
  throw refusal("broadcast_has_problems", { codes }, { fields: { problems: told } });
}
