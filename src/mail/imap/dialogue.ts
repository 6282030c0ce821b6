/*
 * IMAP commands and their responses over one connection (RFC 3501 sections 2.2 and 7).
 *
 * A hostile server may send endless or unsolicited data, announce literals that it never sends, use
 * unknown tags, or disconnect midway. Each command limits the size of its response, the session
 * limits all responses together, and any protocol violation ends the session. Callers set the
 * deadlines (net/connection.ts).
 */
import { connectionMessage } from "../../messages/connections.ts";
import { type Connection } from "../net/connection.ts";
import { ConnectionError } from "../net/connection-error.ts";
import { type Command, plainCommand } from "./command.ts";
import { type DataParts, type ReadingBounds, readResponse, type StatusText } from "./response.ts";

/** The completion of a command: OK, NO or BAD. */
export interface Completion extends StatusText {
  isOk: boolean;
}

/** Limits and handlers of a response; data without a handler is dropped. */
export interface Expectation {
  /** Maximum size of the whole response in bytes, 1 MiB by default; every line counts 64 extra. */
  bytesMax?: number;
  /** Maximum size of one literal in the response in bytes, 8 KiB by default. */
  literalBytesMax?: number;
  onData?: (parts: DataParts) => void;
}

const ANSWER_BYTES_MAX = 1_048_576;
const LITERAL_BYTES_MAX = 8_192;
/** 500 messages of 256 KiB, plus half as much for the surrounding data. */
const SESSION_BYTES_MAX = 201_326_592;
const SEEN_FLAG = /\\Seen(?![\w-])/i;
const CAPABILITY_DATA = /^CAPABILITY /i;
const COUNT_CHANGE = /^(\d{1,10}) (EXISTS|EXPUNGE)$/i;

const encoder = new TextEncoder();

/** The dialogue of one session; runs one command at a time. */
export class Dialogue {
  readonly connection: Connection;
  #capabilities: ReadonlySet<string> | undefined;
  #existing = 0;
  #keepsSeen = true;
  #commandCount = 0;
  #bytesLeft: number;

  constructor(connection: Connection, sessionBytesMax = SESSION_BYTES_MAX) {
    this.connection = connection;
    this.#bytesLeft = sessionBytesMax;
  }

  /**
   * Number of messages in the folder, as last reported by the server (RFC 3501 sections 7.3.1 and
   * 7.4.1).
   */
  get existing(): number {
    return this.#existing;
  }

  /**
   * False if the selected folder discards the flag \Seen at the end of the session. A server that
   * does not announce permanent flags keeps all (RFC 3501 section 7.1, PERMANENTFLAGS).
   */
  get keepsSeen(): boolean {
    return this.#keepsSeen;
  }

  /** Reads the server's greeting: OK, PREAUTH or BYE (RFC 3501 section 7.1). */
  async readGreeting(): Promise<StatusText> {
    const bounds = { bytesLeft: ANSWER_BYTES_MAX, literalBytesMax: LITERAL_BYTES_MAX };
    const response = await readResponse(this.connection, bounds);
    if (response.kind !== "status") throw outOfPlace();
    this.#learn(response);
    return response;
  }

  /**
   * Returns the server's capabilities before login, in uppercase; requests them unless already
   * announced.
   */
  async capabilities(): Promise<ReadonlySet<string>> {
    if (!this.#capabilities) await this.run(plainCommand("CAPABILITY"));
    return this.#capabilities ?? new Set();
  }

  /**
   * Sends a command and reads its whole response.
   * @throws ConnectionError also `closed` if the server says BYE, `protocol` for a malformed
   * response
   */
  async run(command: Command, expectation: Expectation = {}): Promise<Completion> {
    if (this.#bytesLeft <= 0) {
      throw new ConnectionError("protocol", connectionMessage("session_too_large"));
    }
    const bytesMax = Math.min(expectation.bytesMax ?? ANSWER_BYTES_MAX, this.#bytesLeft);
    const literalBytesMax = expectation.literalBytesMax ?? LITERAL_BYTES_MAX;
    const bounds = { bytesLeft: bytesMax, literalBytesMax };
    try {
      return await this.#converse(command, bounds, expectation.onData);
    } finally {
      this.#bytesLeft -= bytesMax - bounds.bytesLeft;
    }
  }

  async #converse(
    [first, ...pieces]: Command,
    bounds: ReadingBounds,
    onData: Expectation["onData"],
  ): Promise<Completion> {
    this.#commandCount += 1;
    const tag = `P${this.#commandCount}`;
    await this.#write(`${tag} ${first}`);
    for (;;) {
      const response = await readResponse(this.connection, bounds);
      if (response.kind === "data") {
        this.#note(response.parts);
        onData?.(response.parts);
      } else if (response.kind === "continue") {
        const piece = pieces.shift();
        if (piece === undefined) throw outOfPlace();
        await this.#write(piece);
      } else {
        this.#learn(response);
        if (response.kind === "tagged") return complete(response, tag);
      }
    }
  }

  async #write(text: string): Promise<void> {
    await this.connection.write(encoder.encode(text));
  }

  /** Records side effects of a status: the end of the session, or capabilities in its code. */
  #learn({ status, code, codeValue, text }: StatusText): void {
    if (status === "BYE") {
      throw new ConnectionError("closed", connectionMessage("server_left", { reply: text }));
    }
    if (code === "CAPABILITY") this.#setCapabilities(codeValue);
    if (code === "PERMANENTFLAGS") this.#keepsSeen = SEEN_FLAG.test(codeValue);
  }

  #note([first = ""]: DataParts): void {
    if (typeof first !== "string") return;
    if (CAPABILITY_DATA.test(first)) this.#setCapabilities(first.slice(11));
    const [, count, change = ""] = COUNT_CHANGE.exec(first) ?? [];
    if (change.toUpperCase() === "EXISTS") this.#existing = Number(count);
    if (change.toUpperCase() === "EXPUNGE") this.#existing = Math.max(0, this.#existing - 1);
  }

  #setCapabilities(words: string): void {
    this.#capabilities = new Set(words.trim().toUpperCase().split(/\s+/));
  }
}

function complete(response: StatusText & { tag: string }, tag: string): Completion {
  if (response.tag !== tag) throw outOfPlace();
  return { ...response, isOk: response.status === "OK" };
}

function outOfPlace(): ConnectionError {
  return new ConnectionError("protocol", connectionMessage("response_out_of_place"));
}
