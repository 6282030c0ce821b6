import { connectionMessage } from "../../messages/connections.ts";
import { ImapError } from "./imap-error.ts";

/** Maximum length of an encoded name; file systems and servers allow far less. */
const NAME_BYTES_MAX = 1_000;
const OUTSIDE_PRINTABLE_ASCII = /&|[^\x20-\x7e]+/g;

/**
 * Encodes a folder's name as modified UTF-7 (RFC 3501 section 5.1.3): `Rückläufer & Co` becomes
 * `R&APw-ckl&AOQ-ufer &- Co`. The result is printable ASCII.
 * @throws ImapError `folder` for an empty name or one over 1,000 bytes
 */
export function encodeMailboxName(name: string): string {
  const encoded = name.replaceAll(OUTSIDE_PRINTABLE_ASCII, (run) =>
    run === "&" ? "&-" : `&${toModifiedBase64(run)}-`,
  );
  if (encoded === "" || encoded.length > NAME_BYTES_MAX) {
    throw new ImapError("folder", connectionMessage("folder_name_invalid"));
  }
  return encoded;
}

/**
 * Encodes UTF-16 in network byte order as base64, without padding and with a comma for the slash.
 */
function toModifiedBase64(text: string): string {
  let bytes = "";
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    bytes += String.fromCharCode(unit >> 8, unit & 0xff);
  }
  return btoa(bytes).replaceAll("=", "").replaceAll("/", ",");
}
