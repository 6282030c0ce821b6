/** Reads a mailbox over IMAP with TLS. */
export { ImapError } from "./imap-error.ts";
export { ImapSession } from "./session.ts";
export { DEFAULT_IMAP_TIMEOUTS, type ImapSettings, type ImapTimeouts } from "./settings.ts";
