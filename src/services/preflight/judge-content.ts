import type { Ctx } from "../../context.ts";
import type { ProjectRow } from "../access/index.ts";
import { previewTemplate, type Preview } from "../mailing/index.ts";
import type { MailedSubscriber } from "../../db/subscriber-columns.ts";
import { messageOf, type Message, type Param } from "../../messages/message.ts";
import { preflightReason } from "../../messages/preflight.ts";
import { problem, type Problem, type ReasonedCode } from "./problems.ts";

export interface Content {
  subject: string;
  htmlBody: string;
  textBody: string;
  /** The sender name in an A/B test; null for the project's name. */
  fromName?: string | null;
}

/** The size above which HTML is too large for mail servers and clients. */
const HTML_BYTES_MAX = 1_048_576;

type PreviewCode = Preview["problems"][number]["code"];

/** The codes of a preview. The missing ones have their own checks here. */
const CODES: Partial<Record<PreviewCode, ReasonedCode>> = {
  syntax: "broken_content",
  render: "broken_content",
  html: "broken_content",
  empty: "no_content",
  no_subject: "no_content",
  no_unsubscribe_link: "no_unsubscribe_link",
  too_large: "clipped",
  no_text_part: "no_text_part",
  image_without_alt: "image_without_alt",
};

/**
 * Renders the content for the newest recipient, or without a recipient's data if there is none, and
 * returns its problems, one of each kind.
 */
export async function judgeContent(
  ctx: Ctx,
  project: ProjectRow,
  content: Content,
  variables: Record<string, unknown>,
  newest: MailedSubscriber | undefined,
): Promise<Problem[]> {
  const audience = newest
    ? ({ kind: "subscriber", subscriber: newest, data: { broadcast: variables } } as const)
    : { kind: "list" as const, metadataKeys: [] };
  const { problems, bytes } = await previewTemplate(ctx, project, { ...content, audience });
  const found = new Map<ReasonedCode, Message[]>();
  for (const { code: previewCode, params = {}, message } of problems) {
    const code = CODES[previewCode];
    const said = messageOf(previewCode, params, message);
    if (code !== undefined) found.set(code, [...(found.get(code) ?? []), said]);
  }
  const judged = [...found].map(([code, said]) => problem(code, { reason: firstOf(said) }));
  if (bytes === null || bytes <= HTML_BYTES_MAX) return judged;
  const tooLarge = problem("too_large", { bytes, max: HTML_BYTES_MAX });
  return [...judged.filter(({ code }) => code !== "clipped"), tooLarge];
}

/** Returns the first of several problems of one kind, with the number of the others. */
function firstOf([first, ...more]: Message[]): Param {
  const reason = first ?? "";
  if (more.length === 0) return reason;
  return preflightReason("more_like_it", { reason, count: more.length });
}
