/**
 * Parts of a message: text, attachments and multiparts (RFC 2045, RFC 2046; file names by RFC 2231
 * section 4, Content-Disposition by RFC 2183).
 *
 * Every body is quoted-printable or base64, and every boundary contains `=_`, which neither
 * encoding produces. Hostile content therefore cannot end its own part.
 */
import { faultOf } from "../messages/faults.ts";
import { refusal } from "../errors.ts";
import { encodeText } from "./encode.ts";
import { encodedWords } from "./encoded-word.ts";
import { quotedString, structuredHeader } from "./header.ts";
import { Base64File } from "./message-data.ts";

/** Bytes, a file, or text to encode together with adjacent text. */
type Chunk = string | Uint8Array | Base64File;

/** A part ready to write: header lines that each end in CRLF, and a body without a final CRLF. */
export interface MimePart {
  headers: string;
  body: readonly Chunk[];
}

/** An attached file; with a `contentId`, the HTML can reference it by a `cid:` URL. */
export interface Attachment {
  filename: string;
  /** Media type with optional parameters, such as `text/csv; charset=utf-8`. */
  contentType: string;
  content: Uint8Array;
  /** Without angle brackets. */
  contentId?: string;
}

/** Maximum size of the attachments of one message together, in bytes; our own choice. */
export const MAX_ATTACHMENT_BYTES = 10 * 1_048_576;

/** Returns the fault of attachments that are too large together. */
export const tooLarge = () =>
  faultOf("attachments_too_large", { max: MAX_ATTACHMENT_BYTES / 1_048_576 });

/** Media types (RFC 2045 section 5.1) of at most 127 + 127 characters (RFC 6838 section 4.2). */
const MEDIA_TYPE =
  /^[a-z0-9!#$&^_.+-]{1,127}\/[a-z0-9!#$&^_.+-]{1,127}(?: *; *[a-z0-9!#$&^_.+-]{1,40}=(?:[a-z0-9!#$&^_.+-]{1,127}|"[ !#-:<-[\]-~]{0,127}"))*$/i;
/** Media types that RFC 2045 section 6.4 bars from base64, or that contain other messages. */
const COMPOSITE_TYPE = /^(?:multipart|message)\//i;
/** One or two runs of printable ASCII (RFC 2392 section 2, narrower) without brackets. */
const CONTENT_ID = /^[!-;=?A-~]{1,120}(?:@[!-;=?A-~]{1,120})?$/;
/** Characters of a boundary after its `=_` (RFC 2046 section 5.1.1 allows more, 70 in all). */
const BOUNDARY_SEED = /^[A-Za-z0-9._-]{1,48}$/;
/** Maximum attachment name in UTF-16 units, the limit of file systems. */
const MAX_FILENAME_LENGTH = 255;
/** Percent-encoded characters per piece of a file name, so that each piece fits on a line. */
const FILENAME_PIECE_LENGTH = 54;

const CRLF = "\r\n";
const encoder = new TextEncoder();

/** Returns a text/plain or text/html part in UTF-8, with line breaks as in `encodeText`. */
export function textPart(subtype: "plain" | "html", text: string): MimePart {
  const { transferEncoding, bytes } = encodeText(text);
  const headers =
    `Content-Type: text/${subtype}; charset=utf-8${CRLF}` +
    `Content-Transfer-Encoding: ${transferEncoding}${CRLF}`;
  return { headers, body: [bytes] };
}

/** Metadata of an attachment. */
type AttachmentWords = Omit<Attachment, "content">;

/** An attachment property that no message can carry, and the rule that it violates. */
interface AttachmentFault {
  word: keyof AttachmentWords;
  rule: "invalid_filename" | "invalid_media_type" | "invalid_content_id";
}

/** Returns the attachment properties that no message can carry. */
export function attachmentFaults(words: AttachmentWords): AttachmentFault[] {
  const { filename, contentType, contentId } = words;
  const faults: AttachmentFault[] = [];
  if (!isFilename(filename.toWellFormed()))
    faults.push({ word: "filename", rule: "invalid_filename" });
  if (!MEDIA_TYPE.test(contentType) || COMPOSITE_TYPE.test(contentType))
    faults.push({ word: "contentType", rule: "invalid_media_type" });
  if (contentId !== undefined && !CONTENT_ID.test(contentId))
    faults.push({ word: "contentId", rule: "invalid_content_id" });
  return faults;
}

const isFilename = (name: string) =>
  name !== "" && name.length <= MAX_FILENAME_LENGTH && !/[\p{Cc}\u2028\u2029]/u.test(name);

/** Returns an attachment in base64. Throws invalid_attachment if it has faults. */
export function attachmentPart(attachment: Attachment): MimePart {
  const { contentType, contentId, filename } = attachment;
  const [fault] = attachmentFaults(attachment);
  if (fault)
    throw refusal("invalid_attachment", { field: fault.word, reason: faultOf(fault.rule) });
  const disposition = contentId === undefined ? "attachment" : "inline";
  const name = filename.toWellFormed();
  const [type = "", ...parameters] = contentType.split(/ *; */);
  const others = parameters.filter((parameter) => !/^name=/i.test(parameter));
  const words = [type, ...others].map((word) => `${word};`);
  const headers = [
    structuredHeader("Content-Type", ...words, ...nameParameter(name)),
    structuredHeader("Content-Transfer-Encoding", "base64"),
    structuredHeader(
      "Content-Disposition",
      ...withParameters(disposition, ...filenameParameters(name)),
    ),
    contentId === undefined ? "" : structuredHeader("Content-ID", `<${contentId}>`),
  ];
  return { headers: headers.join(""), body: [new Base64File(attachment.content)] };
}

/**
 * Returns a multipart of `parts`. `boundarySeed` is 1 to 48 letters, digits, dots, hyphens or
 * underscores; nested multiparts need different seeds. `parameters` follow the boundary in
 * Content-Type. Throws malformed_header for any other seed. Source: RFC 2046 section 5.1.
 */
export function multipart(
  subtype: "alternative" | "mixed" | "related",
  boundarySeed: string,
  parts: readonly MimePart[],
  parameters: readonly string[] = [],
): MimePart {
  if (!BOUNDARY_SEED.test(boundarySeed))
    throw refusal("malformed_header", { name: "Content-Type" });
  const boundary = `=_${boundarySeed}_${subtype}`;
  const words = withParameters(`multipart/${subtype}`, `boundary="${boundary}"`, ...parameters);
  const headers = structuredHeader("Content-Type", ...words);
  const body: Chunk[] = [];
  for (const [index, part] of parts.entries()) {
    const lineEnd = index === 0 ? "" : CRLF;
    body.push(`${lineEnd}--${boundary}${CRLF}${part.headers}${CRLF}`, ...part.body);
  }
  body.push(`${CRLF}--${boundary}--`);
  return { headers, body };
}

/** Appends a semicolon to each word except the last: a header value and its parameters. */
const withParameters = (...words: readonly string[]) =>
  words.map((word, index) => (index === words.length - 1 ? word : `${word};`));

/**
 * Returns a file name as RFC 2231 pieces, or unencoded if it is ASCII. No ASCII fallback is added,
 * because some clients would prefer it.
 */
function filenameParameters(filename: string): string[] {
  if (isAscii(filename)) return [`filename=${quotedString(filename)}`];
  return percentEncodedPieces(filename).map((piece, index) =>
    index === 0 ? `filename*0*=UTF-8''${piece}` : `filename*${index}*=${piece}`,
  );
}

/**
 * Returns a file name for Content-Type. Old clients decode encoded words there, contrary to RFC
 * 2047 section 5, and do not support RFC 2231.
 */
function nameParameter(filename: string): string[] {
  if (isAscii(filename)) return [`name=${quotedString(filename)}`];
  const words = encodedWords(filename);
  return `name="${words.join(" ")}"`.split(" ");
}

const isAscii = (name: string) => /^[ -~]*$/.test(name);

/**
 * Percent-encodes everything except letters, digits and `._-` (narrower than RFC 5987 attr-char).
 */
function percentEncodedPieces(text: string): string[] {
  const pieces = [""];
  for (const byte of encoder.encode(text)) {
    const character = String.fromCharCode(byte);
    const encoded = /[A-Za-z0-9._-]/.test(character)
      ? character
      : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
    const piece = pieces.at(-1) ?? "";
    if (piece.length + encoded.length > FILENAME_PIECE_LENGTH) pieces.push(encoded);
    else pieces[pieces.length - 1] = piece + encoded;
  }
  return pieces;
}
