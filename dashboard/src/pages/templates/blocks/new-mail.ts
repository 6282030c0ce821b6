import { copyOf } from "./operations.ts";
import type { Block, Look, Mail } from "./model.ts";
import { renderMail } from "./render-mail.ts";
import { storeBlocks } from "./stored-blocks.ts";

/** A mail that somebody begins with. */
export interface Draft {
  look: Look;
  /** Who the mail is from, above the content; empty for nothing. */
  header: Block[];
  blocks: Block[];
  /** Address and unsubscribe link, below the content. */
  footer: Block[];
}

/** Makes a new mail; every one gets its look, header and footer here. */
export const newMail = ({ look, header, blocks, footer }: Draft): Mail => ({
  look,
  blocks: [...header, ...blocks, ...footer].map(copyOf),
});

/** Returns the HTML of a new mail, with its blocks. */
export function newMailHtml(draft: Draft): string {
  const mail = newMail(draft);
  return storeBlocks(renderMail(mail), mail);
}
