import type { Ctx } from "../../context.ts";
import type { ProjectRow } from "../access/index.ts";
import { previewTemplate, type Preview } from "../mailing/index.ts";
import type { MailedSubscriber } from "../../db/subscriber-columns.ts";
import { problem, type PreflightCode, type Problem } from "./problems.ts";

/** The content of a broadcast. */
export interface Content {
  subject: string;
  htmlBody: string;
  textBody: string;
  /** The name of the sender in an A/B test; null for that of the project. */
  fromName?: string | null;
}

/** The size above which HTML is too large for mail servers and readers. */
const HTML_BYTES_MAX = 1_048_576;

type PreviewCode = Preview["problems"][number]["code"];

/** The codes of a preview. Those that are left out have a check of their own here. */
const CODES: Partial<Record<PreviewCode, PreflightCode>> = {
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
 * Renders the content as the newest recipient gets it, or, without one, as nobody in particular,
 * and returns its problems, one of each kind.
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
  const found = new Map<PreflightCode, string[]>();
  for (const { code: previewCode, message } of problems) {
    const code = CODES[previewCode];
    if (code !== undefined) found.set(code, [...(found.get(code) ?? []), message]);
  }
  const judged = [...found].map(([code, [first = "", ...more]]) =>
    problem(code, more.length === 0 ? first : firstOf(first, more.length)),
  );
  if ((bytes ?? 0) <= HTML_BYTES_MAX) return judged;
  const tooLarge = problem("too_large", largeWords(bytes ?? 0));
  return [...judged.filter(({ code }) => code !== "clipped"), tooLarge];
}

/** Names the first of several problems of one kind. */
export const firstOf = (first: string, more: number) => `${first}, and ${more} more like it`;

/** Returns the words about a mail that is too large to arrive. */
export const largeWords = (bytes: number) =>
  `the HTML has ${bytes} bytes as it is sent, and more than ${HTML_BYTES_MAX} do not arrive`;
