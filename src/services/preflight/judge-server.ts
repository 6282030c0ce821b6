import type { Ctx } from "../../context.ts";
import { AppError, reasonOf } from "../../errors.ts";
import { messageOf, type Param } from "../../messages/message.ts";
import { preflightReason } from "../../messages/preflight.ts";
import type { SendingLimits } from "../../lib/rates/sending-limits.ts";
import type { CheckItem, SeenMail } from "../../mail/sender-check/index.ts";
import type { ProjectRow } from "../access/index.ts";
import { openSender } from "../projects/index.ts";
import { checkProjectSender } from "../sending/index.ts";
import { knownFill, type StorageRow } from "../storage/index.ts";
import { freeInWindow, type Estimate, type RecentUse } from "./estimate.ts";
import { problem, type Problem } from "./problems.ts";

/** The storage level, in percent, above which the service stops sending. */
const FULL_PERCENT = 95;

/** Returns the problem of a project that cannot send. Makes no network request. */
export async function judgeSettings({ deps }: Ctx, project: ProjectRow): Promise<Problem[]> {
  try {
    await openSender(deps, project);
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [problem("no_sender", { reason: reasonOf(error) })];
  }
}

/** Returns the problem of full storage; `estimate` adds the broadcast's log entries. */
export function judgeStorage(
  { deps }: Ctx,
  storage: StorageRow | undefined,
  expected?: Pick<Estimate, "bytes">,
): Problem[] {
  const { percent, level } = knownFill(deps, storage);
  if (level === "full") return [problem("storage_full", { percent: percent ?? 100 })];
  const added = ((expected?.bytes ?? 0) / deps.config.storageLimitBytes) * 100;
  if (percent === undefined || percent + added < FULL_PERCENT) return [];
  const after = Math.round(percent + added);
  return [problem("storage_short", { after, full: FULL_PERCENT })];
}

/** Returns the problem of a broadcast that exceeds what the server accepts today. */
export function judgeDailyLimit(limits: SendingLimits, use: RecentUse, mails: number): Problem[] {
  const free = freeInWindow(limits.maxPerDay, use.lastDay);
  if (free === null || mails <= free) return [];
  return [problem("daily_limit", { limit: limits.maxPerDay ?? 0, free, mails })];
}

const OF_VERDICT = { problem: "sender_problem", warning: "sender_warning" } as const;

/** Combines findings about a sender in one message. */
const findingsIn = (found: CheckItem[]): Param =>
  found
    .map(({ check, domain, explanation, code, params = {} }): Param => {
      const finding = messageOf(code, params, explanation);
      return preflightReason("finding_about", { check, domain, finding });
    })
    .reduce((one, next) => preflightReason("finding_next", { one, next }));

/** Checks the sender's DNS records and returns its problems: at most one of each grade. */
export async function judgeSender(
  ctx: Ctx,
  project: ProjectRow,
  seenMail: SeenMail | undefined,
): Promise<Problem[]> {
  const { items } = await checkProjectSender(ctx, project, undefined, seenMail);
  return (["problem", "warning"] as const).flatMap((verdict) => {
    const found = items.filter((item) => item.verdict === verdict);
    if (found.length === 0) return [];
    return [problem(OF_VERDICT[verdict], { findings: findingsIn(found) })];
  });
}
