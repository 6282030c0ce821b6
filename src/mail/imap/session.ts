/*
 * Reads a mailbox over implicit TLS: SELECT, UID SEARCH, UID FETCH and UID STORE (RFC 3501 sections
 * 6.3.1 and 6.4, unchanged in RFC 9051). Never deletes or expunges a message.
 *
 * A hostile mailbox contains a million unread messages or huge ones; a hostile server lies,
 * responds one byte at a time, or never ends. The session searches in windows of message numbers,
 * fetches bounded parts of messages and drops unsolicited data about others. Every command and the
 * session have deadlines, and dialogue.ts and response.ts bound what they read.
 */
import { connectionMessage, type Attempt } from "../../messages/connections.ts";
import { Connection } from "../net/connection.ts";
import { ConnectionError } from "../net/connection-error.ts";
import { type SocketFactory } from "../net/socket.ts";
import { type Command, plainCommand, quote } from "./command.ts";
import { type Completion, Dialogue, type Expectation } from "./dialogue.ts";
import { parseFetchAnswer } from "./fetch-answer.ts";
import { ImapError, telling } from "./imap-error.ts";
import { type ImapWatch, logIn } from "./login.ts";
import { encodeMailboxName } from "./mailbox-name.ts";
import type { DataParts } from "./response.ts";
import type { ImapSettings, ImapTimeouts } from "./settings.ts";

/** A raw message, or the first `maxBytes` of it. */
export interface FetchedMessage {
  uid: number;
  raw: Uint8Array;
}

/** Messages covered by one search, so that its response stays below a line of 256 KiB. */
const SEARCH_WINDOW_MESSAGES = 20_000;
/** Newest messages of a folder that a search covers; a server may report any number of messages. */
const SEARCHED_MESSAGES_MAX = 1_000_000;
/** Message bytes requested per command, so that its deadline suits a slow connection. */
const FETCH_BYTES_MAX = 4_194_304;
/** Maximum UIDs per command, which keeps its line below the 8,192 octets of RFC 7162 section 4. */
const UIDS_PER_COMMAND_MAX = 100;
/** Allowance in a response beyond the requested text: flags, and updates about other messages. */
const ANSWER_OVERHEAD_BYTES = 1_048_576;
const UID_MAX = 0xffff_ffff; // 32 bits (RFC 3501 section 2.3.1.1)
const MESSAGES_MAX = UID_MAX; // numbers have 32 bits, too (RFC 3501 section 9, "number")
const SEARCH_DATA = /^SEARCH(?: |$)/i;
const FOLDER_MISSING = /\b(?:doesn't|does not|non-?)\s?exist|unknown (?:mailbox|folder)|not found/i;

/** An authenticated session; allows one call at a time. */
export class ImapSession {
  readonly #dialogue: Dialogue;
  readonly #timeouts: ImapTimeouts;
  #usable = true;

  /**
   * Connects with TLS and logs in.
   * @throws ImapError `refused` (also a wrong certificate), `login`, `timeout`, `closed`, `protocol`
   */
  static async open(
    settings: ImapSettings,
    sockets: SocketFactory,
    timeouts: ImapTimeouts,
    watch?: ImapWatch,
  ): Promise<ImapSession> {
    const address = { hostname: settings.host, port: settings.port };
    const server = `${settings.host}:${settings.port}`;
    const notConnected: Attempt = (reason) =>
      connectionMessage("not_connected", { server, reason });
    const connection = await telling(notConnected, () =>
      Connection.open(address, "on", sockets, timeouts.connectMs),
    );
    watch?.("connect", connectionMessage("connected_with_tls"));
    connection.endAfter(timeouts.sessionMs);
    connection.renew(timeouts.loginMs);
    const dialogue = new Dialogue(connection);
    try {
      const notLoggedIn: Attempt = (reason) => connectionMessage("imap_not_logged_in", { reason });
      await telling(notLoggedIn, () => logIn(dialogue, settings, watch));
    } catch (error) {
      connection.close();
      throw error;
    }
    connection.pause();
    return new ImapSession(dialogue, timeouts);
  }

  private constructor(dialogue: Dialogue, timeouts: ImapTimeouts) {
    this.#dialogue = dialogue;
    this.#timeouts = timeouts;
  }

  /**
   * Opens a folder by its human-readable name, to read messages and mark them as seen.
   * @throws ImapError `folder` if it does not exist or does not keep the flag \Seen
   */
  async select(folder: string): Promise<void> {
    const failed: Attempt = (reason) => connectionMessage("folder_not_opened", { folder, reason });
    const command = plainCommand(`SELECT ${quote(encodeMailboxName(folder))}`);
    const { isOk, code, text } = await this.#run(failed, command);
    if (isOk && code !== "READ-ONLY" && this.#dialogue.keepsSeen) return;
    if (isOk) throw new ImapError("folder", failed(connectionMessage("seen_not_kept")));
    const isMissing = code === "NONEXISTENT" || FOLDER_MISSING.test(text);
    throw new ImapError(
      "folder",
      isMissing
        ? connectionMessage("folder_missing", { folder })
        : failed(connectionMessage("server_said", { words: text })),
    );
  }

  /**
   * Returns up to `limit` UIDs of unread messages, oldest first, from the newest million of the
   * selected folder. Sends at most 50 searches, whatever message count the server reports
   * meanwhile.
   * @throws ImapError
   */
  async searchUnseen(limit: number): Promise<number[]> {
    const failed: Attempt = (reason) => connectionMessage("unread_not_searched", { reason });
    const found = new Set<number>();
    const onData = (parts: DataParts) => {
      for (const uid of parseSearchAnswer(parts)) found.add(uid);
    };
    const last = Math.min(this.#dialogue.existing, MESSAGES_MAX);
    let from = Math.max(1, last - SEARCHED_MESSAGES_MAX + 1);
    while (found.size < limit && from <= last) {
      const to = Math.min(from + SEARCH_WINDOW_MESSAGES - 1, last);
      const command = plainCommand(`UID SEARCH ${from}:${to} UNSEEN`);
      expectOk(failed, await this.#run(failed, command, { onData }));
      from = to + 1;
    }
    return [...found].sort((a, b) => a - b).slice(0, limit);
  }

  /**
   * Reads up to `maxBytes` of each message without marking it as seen. Deleted messages are
   * omitted; an empty one has empty bytes.
   * @throws ImapError
   */
  async fetch(uids: number[], maxBytes: number): Promise<FetchedMessage[]> {
    const messages: FetchedMessage[] = [];
    const perCommand = Math.floor(FETCH_BYTES_MAX / maxBytes);
    for (const chunk of chunks(uids, Math.min(Math.max(1, perCommand), UIDS_PER_COMMAND_MAX))) {
      messages.push(...(await this.#fetchChunk(chunk, maxBytes)));
    }
    return messages;
  }

  /**
   * Sets the flag \Seen (RFC 3501 section 2.3.2) and skips deleted messages.
   * @throws ImapError
   */
  async markSeen(uids: number[]): Promise<void> {
    const failed: Attempt = (reason) => connectionMessage("messages_not_marked", { reason });
    for (const chunk of chunks(uids, UIDS_PER_COMMAND_MAX)) {
      const command = plainCommand(`UID STORE ${chunk.join(",")} +FLAGS.SILENT (\\Seen)`);
      expectOk(failed, await this.#run(failed, command));
    }
  }

  /** Sends LOGOUT, waits briefly for the response, and closes the connection in any case. */
  async logout(): Promise<void> {
    const { connection } = this.#dialogue;
    const { logoutMs } = this.#timeouts;
    if (this.#usable) {
      connection.renew(logoutMs);
      await this.#dialogue.run(plainCommand("LOGOUT")).catch(expectConnectionError);
    }
    this.#end();
    await connection.released(logoutMs);
  }

  async #fetchChunk(uids: number[], maxBytes: number): Promise<FetchedMessage[]> {
    const failed: Attempt = (reason) => connectionMessage("messages_not_fetched", { reason });
    const asked = new Set(uids);
    const bodies = new Map<number, Uint8Array>();
    const onData = (parts: DataParts) => {
      const { uid, body } = parseFetchAnswer(parts) ?? {};
      if (uid !== undefined && body && asked.has(uid)) bodies.set(uid, body.subarray(0, maxBytes));
    };
    const command = plainCommand(`UID FETCH ${uids.join(",")} (UID BODY.PEEK[]<0.${maxBytes}>)`);
    const bytesMax = uids.length * maxBytes + ANSWER_OVERHEAD_BYTES;
    const expectation = { bytesMax, literalBytesMax: maxBytes, onData };
    expectOk(failed, await this.#run(failed, command, expectation));
    return Array.from(bodies, ([uid, raw]) => ({ uid, raw }));
  }

  async #run(failed: Attempt, command: Command, expectation?: Expectation): Promise<Completion> {
    if (!this.#usable) throw new ImapError("closed", failed(connectionMessage("session_ended")));
    const { connection } = this.#dialogue;
    connection.renew(this.#timeouts.commandMs);
    try {
      return await telling(failed, () => this.#dialogue.run(command, expectation));
    } catch (error) {
      this.#end();
      throw error;
    } finally {
      connection.pause();
    }
  }

  #end(): void {
    this.#usable = false;
    this.#dialogue.connection.close();
  }
}

/** Parses the UIDs of `SEARCH 2 84 882` (RFC 3501 section 7.2.5); none for other data. */
function parseSearchAnswer([first]: DataParts): number[] {
  if (typeof first !== "string" || !SEARCH_DATA.test(first)) return [];
  const numbers = first.split(" ").slice(1).map(Number);
  return numbers.filter((uid) => Number.isInteger(uid) && uid > 0 && uid <= UID_MAX);
}

function expectOk(failed: Attempt, { isOk, text }: Completion): void {
  if (!isOk) {
    const reason = connectionMessage("command_refused", { reply: text });
    throw new ImapError("command", failed(reason));
  }
}

function* chunks(uids: number[], size: number): Generator<number[]> {
  for (let at = 0; at < uids.length; at += size) yield uids.slice(at, at + size);
}

/** Treats a LOGOUT that gets no response, or only BYE, as a normal end. */
function expectConnectionError(error: unknown): void {
  if (!(error instanceof ConnectionError)) throw error;
}
