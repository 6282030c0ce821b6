import type { Ctx } from "../../../context.ts";
import { runBatch } from "../../../db/client.ts";
import { AppError } from "../../../errors.ts";
import { changedSince } from "../../audit/index.ts";
import type { ProjectRow } from "../../access/index.ts";
import { requireLicense } from "../../licensing/index.ts";
import { selectSuppression, type SuppressionRow } from "../../suppressions/index.ts";
import { selectDeliveriesAbout, type DeliveryRow } from "../../webhooks/index.ts";
import { spansOf } from "./event-spans.ts";
import type { ShortenedLog } from "../retention.ts";
import { explain, type Explanation } from "./explain.ts";
import { findOrigin, type Origin } from "./find-origin.ts";
import { requireEntry } from "./require-entry.ts";
import { selectClicks, type ClickRow, type EntryRow } from "./story-queries.ts";

/** The licence that the deliveries of webhooks need. */
const WEBHOOKS = "webhooks";

/** Everything that is known of one mail. */
export interface Story {
  entry: EntryRow;
  clicks: ClickRow[];
  suppression: SuppressionRow | undefined;
  /** Who reported a bounce or complaint, and when. */
  origin: Origin;
  /** Undefined without a licence for webhooks. */
  deliveries: (DeliveryRow & { webhookId: string })[] | undefined;
  /** The mail server; null if its settings have changed since. */
  server: string | null;
  explanation: Explanation;
}

/**
 * Tells the story of a mail from its entry. One round trip, whose rows are bounded. Throws not_found
 * without the entry, and for one that is older than the retention.
 */
export async function readStory(
  ctx: Ctx,
  project: ProjectRow,
  entries: EntryRow[],
  shortened: ShortenedLog | undefined,
): Promise<Story> {
  const { deps } = ctx;
  const { db } = deps;
  const entry = requireEntry(deps, entries, shortened);
  const [clicks, [suppression], changes, deliveries] = await runBatch(db, [
    selectClicks(db, entry.id),
    selectSuppression(db, project.id, entry.toEmail),
    changedSince(db, project.id, "smtp.update", entry.sentAt),
    selectDeliveriesAbout(db, project.id, entry.id, spansOf(entry)),
  ]);
  const origin = findOrigin(entry, suppression);
  const facts = { entry, clicks, suppression, origin };
  return {
    ...facts,
    deliveries: (await isLicensed(ctx)) ? deliveries : undefined,
    server: changes.length === 0 ? serverOf(project, entry) : null,
    explanation: explain(facts),
  };
}

async function isLicensed({ deps }: Ctx): Promise<boolean> {
  try {
    await requireLicense(deps, WEBHOOKS);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === "license_required") return false;
    throw error;
  }
}

const serverOf = ({ smtpHost, fallbackHost }: ProjectRow, { viaFallback }: EntryRow) =>
  viaFallback ? fallbackHost : smtpHost;
