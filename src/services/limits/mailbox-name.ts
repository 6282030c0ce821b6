/** Domains of Google, whose mailboxes ignore dots. */
const GOOGLE = /\.(?=[^@]*@(?:gmail|googlemail)\.com$)|(?<=@)googlemail(?=\.com$)/g;

/**
 * Returns one name for the spellings of an address that are one mailbox for sure, so that a limit
 * of mail holds for all of them: a tag after a + does not make it another one, nor do dots at
 * Gmail.
 */
export const mailboxName = (email: string): string =>
  email
    .replace(/\+[^@]*(?=@[^@]*$)/, "")
    .replaceAll(GOOGLE, (part) => (part === "." ? "" : "gmail"));
