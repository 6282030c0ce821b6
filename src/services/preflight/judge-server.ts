import type { Ctx } from "../../context.ts";
import { AppError } from "../../errors.ts";
import type { SendingLimits } from "../../lib/permits/sending-limits.ts";
import type { CheckItem, SeenMail } from "../../mail/sender-check/index.ts";
import type { ProjectRow } from "../access/index.ts";
import { openSender } from "../projects/index.ts";
import { checkProjectSender } from "../sending/index.ts";
import { knownFill, type StorageRow } from "../storage/index.ts";
import { freeInWindow, type Estimate, type RecentUse } from "./estimate.ts";
import { problem, type PreflightCode, type Problem } from "./problems.ts";

/** The fill of the storage, in percent, from which on the service sends nothing. */
const FULL_PERCENT = 95;

/** Returns the problem of a project that cannot send; asks nobody. */
export async function judgeSettings({ deps }: Ctx, project: ProjectRow): Promise<Problem[]> {
  try {
    await openSender(deps, project);
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [problem("no_sender", error.message)];
  }
}

/** Returns the problem of full storage; `estimate` adds the log of the broadcast. */
export function judgeStorage(
  { deps }: Ctx,
  storage: StorageRow | undefined,
  expected?: Pick<Estimate, "bytes">,
): Problem[] {
  const { percent, level } = knownFill(deps, storage);
  if (level === "full")
    return [problem("storage_full", `the storage is ${percent} % full, so no mail is sent`)];
  const added = ((expected?.bytes ?? 0) / deps.config.storageLimitBytes) * 100;
  if (percent === undefined || percent + added < FULL_PERCENT) return [];
  const after = Math.round(percent + added);
  const message = `the log of this broadcast fills the storage to ${after} %: at ${FULL_PERCENT} % the broadcast pauses`;
  return [problem("storage_short", message)];
}

/** Returns the problem of a broadcast that is larger than what the server may take today. */
export function judgeDailyLimit(limits: SendingLimits, use: RecentUse, mails: number): Problem[] {
  const free = freeInWindow(limits.maxPerDay, use.lastDay);
  if (free === null || mails <= free) return [];
  const message =
    `the limit of ${limits.maxPerDay} mails a day leaves room for ${free} of ${mails} mails today: ` +
    "the others go out on the following days";
  return [problem("daily_limit", message)];
}

const OF_VERDICT: Partial<Record<string, PreflightCode>> = {
  problem: "sender_problem",
  warning: "sender_warning",
};

/** Names findings about a sender in one message. */
export const findingWords = (found: Pick<CheckItem, "check" | "domain" | "explanation">[]) =>
  found.map(({ check, domain, explanation }) => `${check} of ${domain}: ${explanation}`).join(" ");

/** Asks the DNS about the sender and returns its problems: at most one of each grade. */
export async function judgeSender(
  ctx: Ctx,
  project: ProjectRow,
  seenMail: SeenMail | undefined,
): Promise<Problem[]> {
  const { items } = await checkProjectSender(ctx, project, undefined, seenMail);
  return ["problem", "warning"].flatMap((verdict) => {
    const found = items.filter((item) => item.verdict === verdict);
    const code = OF_VERDICT[verdict];
    if (code === undefined || found.length === 0) return [];
    return [problem(code, findingWords(found))];
  });
}
