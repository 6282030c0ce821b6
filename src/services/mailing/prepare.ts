import { linkMarks, markLinks, type LinkMarks } from "../../mail/html/mark-links.ts";
import { renderBodies, type RenderSource } from "../templates/index.ts";
import type { Bodies } from "./decorate.ts";

/** A mail to many recipients, with its links found once for all of them. */
export interface PreparedMail {
  /** The bodies with link marks. Its version is the secret of the marks. */
  source: Pick<RenderSource, "version" | "htmlBody" | "textBody">;
  /** The marks of the links. Undefined if links can only be found in each rendered mail. */
  marks: LinkMarks | undefined;
}

/**
 * Marks the links in the bodies of a mail once for all its recipients. `secret` is a word that
 * nobody who supplies data can guess. The same secret must always belong to the same bodies. Throws
 * 400 for HTML that cannot be parsed.
 */
export async function prepareMail(
  { htmlBody, textBody }: Pick<RenderSource, "htmlBody" | "textBody">,
  secret: string,
): Promise<PreparedMail> {
  const marks = linkMarks(secret);
  const marked = await markLinks(htmlBody, marks);
  const version = `prepared:${secret}`;
  return marked.kind === "marked"
    ? { source: { version, htmlBody: marked.html, textBody }, marks }
    : { source: { version, htmlBody, textBody }, marks: undefined };
}

/** Renders the bodies of a prepared mail. Throws 400 as `renderBodies` does. */
export function renderPrepared({ source }: PreparedMail, data: Record<string, unknown>): Bodies {
  return renderBodies(source, data);
}
