/** Reading a mailbox by IMAP over TLS. */
export { ImapError, type ImapFault } from "./imap-error.ts";
export { type FetchedMessage, ImapSession } from "./session.ts";
export {
  DEFAULT_IMAP_TIMEOUTS,
  TEST_IMAP_TIMEOUTS,
  type ImapSettings,
  type ImapTimeouts,
} from "./settings.ts";
