import type { Ctx } from "../../../context.ts";
import { runBatch } from "../../../db/client.ts";
import type { EarlierAttempt } from "../../../db/schema/index.ts";
import { AppError } from "../../../errors.ts";
import { tlsModeFor } from "../../../mail/smtp/index.ts";
import { changedSince } from "../../audit/index.ts";
import type { ProjectRow } from "../../access/index.ts";
import { requireLicense } from "../../licensing/index.ts";
import { selectSuppression, type SuppressionRow } from "../../suppressions/index.ts";
import { selectDeliveriesAbout, type DeliveryRow } from "../../webhooks/index.ts";
import { spansOf } from "./event-spans.ts";
import type { EntryRow } from "../log-rows.ts";
import { explain, type Explanation } from "./explain.ts";
import { findRun, selectCandidates, type AutomationOfMail } from "./find-run.ts";
import { findOrigin, type Origin } from "./find-origin.ts";
import { selectFirstClicks, type KeptClick } from "../export-mails.ts";
import { requireEntry } from "./require-entry.ts";

/** The number of clicks that a timeline shows: the first ones. */
const CLICKS_MAX = 100;

/** The license required for webhook deliveries. */
const WEBHOOKS = "webhooks";

/** All stored data about one mail. */
export interface Timeline {
  entry: EntryRow;
  clicks: KeptClick[];
  automation: AutomationOfMail | null;
  suppression: SuppressionRow | undefined;
  /** The reporter of a bounce or complaint, and the time. */
  origin: Origin;
  /** Undefined without a license for webhooks. */
  deliveries: (DeliveryRow & { webhookId: string })[] | undefined;
  /**
   * The mail server and the encryption of its sessions. Null if its settings have changed since, and
   * for a test mail.
   */
  server: string | null;
  tls: "implicit" | "starttls" | null;
  /** The attempts before the last one, oldest first. */
  earlier: EarlierAttempt[];
  explanation: Explanation;
}

/**
 * Reads the timeline of a mail from its entry. Takes one round trip that reads a limited number of
 * rows. Throws not_found if there is no entry, or if it is older than the retention.
 */
export async function readTimeline(
  ctx: Ctx,
  project: ProjectRow,
  entries: EntryRow[],
): Promise<Timeline> {
  const { deps } = ctx;
  const { db } = deps;
  const entry = requireEntry(deps, entries);
  const [clicks, [suppression], changes, deliveries, candidates] = await runBatch(db, [
    selectFirstClicks(db, [entry.id], CLICKS_MAX),
    selectSuppression(db, project.id, entry.toEmail),
    changedSince(db, project.id, "smtp.update", entry.sentAt),
    selectDeliveriesAbout(db, project.id, entry.id, spansOf(entry)),
    selectCandidates(db, entry),
  ]);
  const origin = findOrigin(entry, suppression);
  const facts = { entry, clicks, suppression, origin };
  return {
    ...facts,
    automation: findRun(entry, candidates),
    deliveries: (await isLicensed(ctx)) ? deliveries : undefined,
    ...(changes.length === 0 && entry.test !== 1 ? serverOf(deps, project, entry) : UNKNOWN_SERVER),
    // `appendLog` wrote this JSON.
    earlier: entry.earlier === null ? [] : (JSON.parse(entry.earlier) as EarlierAttempt[]),
    explanation: explain(facts),
  };
}

async function isLicensed({ deps }: Ctx): Promise<boolean> {
  try {
    await requireLicense(deps, WEBHOOKS);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.status === 402) return false;
    throw error;
  }
}

const UNKNOWN_SERVER = { server: null, tls: null };

/** Returns the server of a mail. A loopback host may work without TLS. */
function serverOf(
  { config }: Ctx["deps"],
  { smtpHost, smtpPort, fallbackHost, fallbackPort }: ProjectRow,
  { viaFallback }: EntryRow,
): Pick<Timeline, "server" | "tls"> {
  const [server, port] = viaFallback ? [fallbackHost, fallbackPort] : [smtpHost, smtpPort];
  if (server === null || port === null) return UNKNOWN_SERVER;
  const mode = tlsModeFor(port, server, config.allowPrivateTargets);
  return { server, tls: mode === "loopback" ? null : mode };
}
