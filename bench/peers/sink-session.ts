/** A sink's extensions and its simulated latency. */
export interface SinkSettings {
  /** Round-trip time: each reply is sent this long after its command arrived, in order. */
  roundTripMs: number;
  chunking: boolean;
}

/** Facts about each accepted message. */
export interface TakenMessage {
  recipients: string[];
  body: Buffer;
}

const END_OF_DATA = "\r\n.\r\n";

/**
 * An SMTP session that accepts everything (RFC 5321, 2920, 3030). Consumes received bytes and
 * replies through `say`. The writer joins the replies to one chunk, as a real server does. Serves
 * only the benchmark's own clients, and has no limits.
 */
export class SinkSession {
  readonly #settings: SinkSettings;
  readonly #say: (reply: string) => void;
  readonly #take: (message: TakenMessage) => void;
  #buffer: Buffer = Buffer.alloc(0);
  #mode: "commands" | "data" | "chunk" = "commands";
  #chunk = { bytes: 0, isLast: false };
  #recipients: string[] = [];
  #parts: Buffer[] = [];

  constructor(
    settings: SinkSettings,
    say: (reply: string) => void,
    take: (message: TakenMessage) => void,
  ) {
    this.#settings = settings;
    this.#say = say;
    this.#take = take;
    say("220 sink.test ESMTP");
  }

  feed(bytes: Buffer): void {
    this.#buffer = this.#buffer.length === 0 ? bytes : Buffer.concat([this.#buffer, bytes]);
    while (this.#step());
  }

  /** Consumes one command, body or chunk; false if it is incomplete. */
  #step(): boolean {
    if (this.#mode === "chunk") return this.#readChunk();
    const mark = this.#mode === "data" ? END_OF_DATA : "\r\n";
    const end = this.#buffer.indexOf(mark);
    if (end < 0) return false;
    const found = this.#cut(end + mark.length).subarray(0, end);
    if (this.#mode === "data") this.#endMessage(found);
    else this.#obey(found.toString("latin1"));
    return true;
  }

  #readChunk(): boolean {
    const { bytes, isLast } = this.#chunk;
    if (this.#buffer.length < bytes) return false;
    this.#mode = "commands";
    const found = this.#cut(bytes);
    if (isLast) this.#endMessage(found);
    else {
      this.#parts.push(found);
      this.#say("250 2.0.0 OK");
    }
    return true;
  }

  #cut(length: number): Buffer {
    const head = this.#buffer.subarray(0, length);
    this.#buffer = this.#buffer.subarray(length);
    return head;
  }

  #endMessage(last: Buffer): void {
    const body = this.#parts.length === 0 ? last : Buffer.concat([...this.#parts, last]);
    this.#take({ recipients: this.#recipients, body });
    this.#mode = "commands";
    this.#recipients = [];
    this.#parts = [];
    this.#say("250 2.0.0 queued");
  }

  #obey(command: string): void {
    const [verb = "", first = "", second = ""] = command.split(" ");
    switch (verb.toUpperCase()) {
      case "EHLO": {
        const chunking = this.#settings.chunking ? "250-CHUNKING\r\n" : "";
        return this.#say(`250-sink.test\r\n250-PIPELINING\r\n${chunking}250 8BITMIME`);
      }
      case "RCPT":
        this.#recipients.push(/<(.*)>/.exec(command)?.[1] ?? "");
        return this.#say("250 2.1.5 OK");
      case "DATA":
        this.#mode = "data";
        return this.#say("354 go ahead");
      case "BDAT":
        this.#mode = "chunk";
        this.#chunk = { bytes: Number(first), isLast: second.toUpperCase() === "LAST" };
        return;
      case "RSET":
        this.#recipients = [];
        return this.#say("250 2.0.0 OK");
      case "QUIT":
        return this.#say("221 2.0.0 bye"); // the client closes first: one peer needs that
      default:
        return this.#say("250 2.1.0 OK");
    }
  }
}
