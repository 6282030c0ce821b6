import { sql } from "drizzle-orm";
import { runBatch } from "../../../db/client.ts";
import type { Deps } from "../../../deps.ts";
import { AppError } from "../../../errors.ts";
import type { ProjectRow } from "../../access/index.ts";
import {
  archiveExists,
  selectArchived,
  selectArchivedPage,
  selectProjectBroadcast,
  selectVariant,
  type ArchivedRow,
} from "../../broadcasts/index.ts";
import { selectArchiveForm } from "../../forms/index.ts";
import { selectProject } from "../../projects/index.ts";
import { renderMail, renderOnce, type RenderedMail } from "../../templates/index.ts";
import { decorate } from "../decorate.ts";
import { ownData, sourceOf } from "../sources/broadcast/render-for.ts";

/*
 * The archive renders broadcasts for nobody: with the variables of the broadcast itself, and none of
 * a subscriber. It reads no subscriber, so it cannot show one.
 */

/** A broadcast in a list of the archive. */
export interface ArchivedBroadcast {
  id: string;
  subject: string;
  /** "" without one. */
  previewText: string;
  /** The name of its topic. */
  topic: string;
  sentAt: number;
}

/** A broadcast as the archive shows it. */
export interface ArchivedMail {
  project: ProjectRow;
  mail: RenderedMail;
  sentAt: number;
}

/** A page of the list of an archive. */
export interface ArchivePage {
  project: ProjectRow;
  broadcasts: ArchivedBroadcast[];
  hasMore: boolean;
  /** The form by which a reader can sign up, if any. */
  formId: string | undefined;
}

/**
 * Returns a page of a project's archive, newest first; undefined for a project without one. One D1
 * round trip.
 */
export async function readArchive(
  { db }: Deps,
  projectId: string,
  page: { search: string; limit: number; offset: number },
): Promise<ArchivePage | undefined> {
  const { limit } = page;
  const [[project], [archive], rows, [form]] = await runBatch(db, [
    selectProject(db, projectId),
    archiveExists(db, projectId),
    selectArchivedPage(db, projectId, { ...page, limit: limit + 1 }),
    selectArchiveForm(db, projectId),
  ]);
  if (!project || archive?.exists !== 1) return undefined;
  const broadcasts = rows.slice(0, limit).map(forNobody);
  return { project, broadcasts, hasMore: rows.length > limit, formId: form?.id };
}

/** Renders the texts of a list. Those that do not render without a subscriber stay as they are. */
function forNobody({ name, variables, ...row }: ArchivedRow): ArchivedBroadcast {
  const { subject, previewText, id, topic, sentAt } = row;
  const shown = { id, topic, sentAt };
  const own = variables === null ? null : (JSON.parse(variables) as Record<string, unknown>); // written by the service
  try {
    const texts = { subject, previewText, htmlBody: "", textBody: "" };
    const { previewText: preview = "", ...mail } = renderOnce(
      texts,
      ownData({ name, variables: own }),
    );
    return { ...shown, subject: mail.subject.trim(), previewText: preview.trim() };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { ...shown, subject, previewText };
  }
}

/**
 * Renders a broadcast that the archive shows: of an A/B test, the winner or the first variant.
 * Undefined for any other. One D1 round trip. Throws 400 if it does not render without a subscriber.
 */
export async function readArchivedMail(
  deps: Deps,
  projectId: string,
  id: string,
): Promise<ArchivedMail | undefined> {
  const { db } = deps;
  const winner = sql<number>`coalesce((select winner from broadcasts where id = ${id}), 0)`;
  const [[project], [shown], [broadcast], [variant]] = await runBatch(db, [
    selectProject(db, projectId),
    selectArchived(db, projectId, id),
    selectProjectBroadcast(db, projectId, id),
    selectVariant(db, id, winner),
  ]);
  if (!project || !shown || !broadcast) return undefined;
  const { subject, htmlBody, textBody, preheader } = variant ?? broadcast;
  const content = { ...broadcast, subject, htmlBody, textBody, preheader };
  const source = sourceOf({ broadcast: content, n: variant?.n ?? null });
  const { html, text, ...texts } = renderMail(source, ownData(broadcast));
  const bare = { unsubscribe: undefined, tracking: { opens: false, clicks: false }, utm: {} };
  const whole = await decorate(deps, { html, text }, { projectId, logId: "", ...bare });
  const mail = { ...texts, html: whole.html, text: whole.text };
  return { project, mail, sentAt: broadcast.createdAt };
}
