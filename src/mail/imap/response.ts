import { connectionMessage } from "../../messages/connections.ts";
import { type Connection } from "../net/connection.ts";
import { ConnectionError } from "../net/connection-error.ts";
import { cutText } from "../../lib/cut-text.ts";

/** An untagged data response without its "* ": text and literals in order. */
export type DataParts = (string | Uint8Array)[];

/** OK, NO, BAD, BYE or PREAUTH, with the response code in uppercase, such as "READ-ONLY". */
export interface StatusText {
  status: string;
  code: string | undefined;
  /** The text after the name inside the code's brackets. */
  codeValue: string;
  /** One line of at most 200 characters. */
  text: string;
}

/** One response of a server (RFC 3501 section 7). */
export type ImapResponse =
  | { kind: "continue" }
  | ({ kind: "tagged"; tag: string } & StatusText)
  | ({ kind: "status" } & StatusText)
  | { kind: "data"; parts: DataParts };

/** Read budget; reading reduces `bytesLeft`. */
export interface ReadingBounds {
  bytesLeft: number;
  literalBytesMax: number;
}

/** Maximum line: one search window of session.ts at ten digits per UID, with some headroom. */
const LINE_BYTES_MAX = 262_144;
const TEXT_CHARACTERS_MAX = 200;
/** Extra bytes charged per line, which limits a flood of short lines. */
const LINE_OVERHEAD_BYTES = 64;

const STATUS_LINE = /^(\S{1,64}) (OK|NO|BAD|BYE|PREAUTH)(?: (.*))?$/is;
const STATUS_CODE = /^\[([^\]\s]+)(?: ([^\]]*))?\](.*)$/s;
const LITERAL_AT_END = /\{(\d+)\}$/;
const UNPRINTABLE = /[\p{Cc}\p{Z}]+/gu;

/**
 * Reads one response with all its literals.
 * @throws ConnectionError also `protocol`: not IMAP, or over the read budget
 */
export async function readResponse(
  connection: Connection,
  bounds: ReadingBounds,
): Promise<ImapResponse> {
  const line = await readLine(connection, bounds);
  if (line.startsWith("+")) return { kind: "continue" };
  const [, tag, status = "", rest = ""] = STATUS_LINE.exec(line) ?? [];
  if (tag === "*") return { kind: "status", ...parseStatus(status, rest) };
  if (tag !== undefined) return { kind: "tagged", tag, ...parseStatus(status, rest) };
  if (!line.startsWith("* ")) {
    throw new ConnectionError("protocol", connectionMessage("not_imap"));
  }
  return { kind: "data", parts: await readParts(connection, line.slice(2), bounds) };
}

/** Reads text and literals. Only data has literals: a status may end in braces as plain text. */
async function readParts(
  connection: Connection,
  firstLine: string,
  bounds: ReadingBounds,
): Promise<DataParts> {
  const parts: DataParts = [];
  let line = firstLine;
  for (;;) {
    const announced = LITERAL_AT_END.exec(line);
    if (!announced) return [...parts, line];
    parts.push(line.slice(0, announced.index));
    parts.push(await readLiteral(connection, Number(announced[1]), bounds));
    line = await readLine(connection, bounds);
  }
}

async function readLine(connection: Connection, bounds: ReadingBounds): Promise<string> {
  const line = await connection.readLine(Math.min(bounds.bytesLeft, LINE_BYTES_MAX));
  spend(bounds, line.length + LINE_OVERHEAD_BYTES);
  return line;
}

async function readLiteral(
  connection: Connection,
  byteCount: number,
  bounds: ReadingBounds,
): Promise<Uint8Array> {
  if (byteCount > bounds.literalBytesMax) {
    throw new ConnectionError("protocol", connectionMessage("text_too_long"));
  }
  spend(bounds, byteCount);
  return connection.readBytes(byteCount);
}

function spend(bounds: ReadingBounds, byteCount: number): void {
  bounds.bytesLeft -= byteCount;
  if (bounds.bytesLeft < 0) {
    throw new ConnectionError("protocol", connectionMessage("response_too_long"));
  }
}

function parseStatus(status: string, rest: string): StatusText {
  const [, code, codeValue = "", text = rest] = STATUS_CODE.exec(rest) ?? [];
  const words = cutText(text.replaceAll(UNPRINTABLE, " ").trim(), TEXT_CHARACTERS_MAX);
  return {
    status: status.toUpperCase(),
    code: code?.toUpperCase(),
    codeValue,
    text: words || cutText(code ?? "no reason given", TEXT_CHARACTERS_MAX),
  };
}
