/** Domains of Google, whose mailboxes ignore dots. */
const GOOGLE = /\.(?=[^@]*@(?:gmail|googlemail)\.com$)|(?<=@)googlemail(?=\.com$)/g;

/**
 * Returns a canonical name for the spellings of an address that certainly share one mailbox, so
 * that a mail limit covers all of them. A tag after a + does not make another mailbox, nor do dots
 * at Gmail.
 */
export const mailboxName = (email: string): string =>
  email
    .replace(/\+[^@]*(?=@[^@]*$)/, "")
    .replaceAll(GOOGLE, (part) => (part === "." ? "" : "gmail"));
