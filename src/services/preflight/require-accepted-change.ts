import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import type { ProjectRow } from "../access/index.ts";
import { audienceFault, type FixedDraft } from "../broadcasts/index.ts";
import { judgeDraft } from "./judge-draft.ts";
import { narrowFixed } from "./narrow-audience.ts";
import type { Problem } from "./problems.ts";
import { factsOf, factStatements, NO_FACTS, type ReadDraft } from "./read-draft.ts";
import { refuseProblems } from "./require-accepted.ts";

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
  const known = new Set((await problemsOf(then, project, before)).map(nameOf));
  const found = await problemsOf(then, project, after);
  refuseProblems(
    found.filter((one) => !known.has(nameOf(one))),
    accepted,
  );
}

const nameOf = ({ code, message }: Problem) => `${code} ${message}`;

async function problemsOf(
  ctx: Ctx,
  project: ProjectRow,
  { row, contents }: FixedDraft,
): Promise<Problem[]> {
  const { db, now } = ctx.deps;
  const narrowing = audienceFault(row) === undefined ? narrowFixed(ctx.deps, row) : undefined;
  const ofBroadcast = { name: row.name, ...row.variables };
  const read: ReadDraft = { draft: row, contents, ofBroadcast, narrowing, faults: [] };
  const facts = narrowing
    ? factsOf(...(await runBatch(db, factStatements(db, read, narrowing, now()))))
    : NO_FACTS;
  return judgeDraft(ctx, project, read, facts);
}
