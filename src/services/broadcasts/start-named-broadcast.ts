import type { Ctx } from "../../context.ts";
import { refusal } from "../../errors.ts";
import type { TrackingSwitches } from "../../lib/tracking-switches.ts";
import type { ProjectRow } from "../access/index.ts";
import type { StorageRow } from "../storage/index.ts";
import {
  checkInline,
  showsUnsubscribe,
  templateNamed,
  type MailTemplate,
} from "../templates/index.ts";
import { startBroadcast } from "./control-broadcast.ts";
import type { BroadcastRow } from "./queries.ts";

/** A broadcast of the key-based API: its content and its audience. */
export interface NamedBroadcast {
  subject: string;
  content: { template: string } | { html: string };
  /** What replaces the switches of the template. */
  tracking: TrackingSwitches | undefined;
  status: BroadcastRow["status"];
  /** The `metadata.source` of the audience; null for every source. */
  source: string | null;
}

/**
 * Starts a broadcast of a named template or of the given HTML. `own` is the project's template of
 * that name, if any. Authorized by a secret key. Source: API reference §17.
 * Throws not_found (template). Throws 400 when the HTML does not parse or does not contain
 * the unsubscribe link, and whenever `startBroadcast` does.
 */
export async function startNamedBroadcast(
  ctx: Ctx,
  project: ProjectRow,
  { subject, content, tracking, status, source }: NamedBroadcast,
  { own, storage }: { own: MailTemplate | undefined; storage: StorageRow | undefined },
): Promise<BroadcastRow> {
  const template = bodiesOf(project, content, own);
  const { id, htmlBody, textBody, previewText: preheader = "" } = template;
  if (!showsUnsubscribe({ html: htmlBody, text: textBody }))
    throw refusal("no_unsubscribe_link", { variable: "{{unsubscribe_link}}" });
  const switches = { ...template.tracking, ...tracking };
  const bodies = { subject, htmlBody, textBody, preheader, tracking: switches };
  const input = { templateId: id, ...bodies, status, source };
  return startBroadcast(ctx, project, input, storage);
}

function bodiesOf(
  project: ProjectRow,
  content: NamedBroadcast["content"],
  own: MailTemplate | undefined,
): Omit<MailTemplate, "version" | "subject"> {
  if ("template" in content) return templateNamed(own, content.template, project);
  const { html } = content;
  checkInline({ html });
  return { id: null, htmlBody: html, textBody: "" };
}
