import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { setTimeout as sleep } from "node:timers/promises";
import { certificateOf, type Certificates } from "../certificates.ts";
import type {
  RawConnectionLog,
  RawRule,
  RawScript,
  RawStep,
  RawTransaction,
} from "./raw-script.ts";

const FULL = "452 4.5.3 too many recipients\r\n";
const OUT_OF_SEQUENCE = "503 5.5.1 out of sequence\r\n";
const TOO_MANY_RESETS: RawStep[] = [{ send: "554 Too many nonmail commands\r\n" }, { close: true }];

function noTransaction(mail = ""): RawTransaction {
  return { mail, rcpt: [], body: "", accepted: false };
}

/** One connection of a scripted server: splits input into events and plays their steps. */
export class RawConnection {
  readonly log: RawConnectionLog = { traffic: [], transactions: [] };
  readonly #script: RawScript;
  readonly #certificates: Certificates;
  readonly #number: number;
  readonly #skipped = new Map<RawRule, number>();
  #socket: Socket;
  #received = "";
  #playing = Promise.resolve();
  #inBody = false;
  /** Remaining bytes of a BDAT. */
  #chunkBytes: number | undefined;
  #isSilent = false;
  #heard = "";
  readonly #listeners = new Set<() => void>();
  #bytesLeft = Number.POSITIVE_INFINITY;
  #repliesLeft = Number.POSITIVE_INFINITY;
  #transaction = noTransaction();
  /** True between a refused BDAT and RSET. */
  #isStuck = false;
  /** Remaining bytes of the commands that arrived with a final dot. */
  #bytesBehindDot = 0;
  /** True until a mail is accepted or reset. */
  #isUnfinished = false;
  #resets = 0;

  constructor(socket: Socket, number: number, script: RawScript, certificates: Certificates) {
    this.#socket = socket;
    this.#number = number;
    this.#script = script;
    this.#certificates = certificates;
    const cut = number === 1 ? script.cut : undefined;
    if (cut && "afterBytes" in cut) this.#bytesLeft = cut.afterBytes;
    if (cut && "afterReplies" in cut) this.#repliesLeft = cut.afterReplies;
    this.#listen(socket);
    this.#play(async () => {
      await this.#answer("connect", [{ send: "220 raw.test ESMTP\r\n" }]);
    });
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #listen(socket: Socket): void {
    socket.setNoDelay(true);
    socket.on("error", () => socket.destroy()); // tests include vanishing clients
    socket.on("data", (chunk: Buffer) => {
      const text = chunk.toString("latin1").slice(0, this.#bytesLeft);
      this.#bytesLeft -= text.length;
      this.log.traffic.push({ from: "client", text });
      this.#received += text;
      this.#heard += text;
      for (const check of this.#listeners) check();
      this.#play(async () => {
        await this.#handleReceived();
        if (this.#bytesLeft === 0 || this.#repliesLeft <= 0) await this.#do({ close: true });
      });
    });
  }

  /** Plays events one after another, however long their steps take. */
  #play(scene: () => Promise<void>): void {
    this.#playing = this.#playing.then(scene).catch(() => {
      this.#socket.destroy();
    });
  }

  async #handleReceived(): Promise<void> {
    while (!this.#isSilent) {
      const event = this.#takeEvent();
      if (event === undefined) return;
      if (this.#chunkBytes !== undefined) await this.#handleChunk(event);
      else if (this.#inBody) await this.#handleBody(event);
      else await this.#handleCommand(event);
    }
  }

  #takeEvent(): string | undefined {
    if (this.#chunkBytes !== undefined) return this.#take(this.#chunkBytes);
    if (!this.#inBody) return this.#takeUpTo("\r\n");
    if (this.#received.startsWith(".\r\n")) return this.#takeUpTo(".\r\n");
    const body = this.#takeUpTo("\r\n.\r\n");
    return body === undefined ? undefined : `${body}\r\n`;
  }

  #take(length: number): string | undefined {
    if (this.#received.length < length) return undefined;
    const taken = this.#received.slice(0, length);
    this.#received = this.#received.slice(length);
    return taken;
  }

  #takeUpTo(end: string): string | undefined {
    const at = this.#received.indexOf(end);
    if (at < 0) return undefined;
    const taken = this.#received.slice(0, at);
    this.#received = this.#received.slice(at + end.length);
    return taken;
  }

  async #handleBody(body: string): Promise<void> {
    const transaction = { ...this.#transaction, body };
    this.log.transactions.push(transaction);
    this.#transaction = noTransaction();
    this.#inBody = false;
    if (this.#script.behindDot === "dropped") this.#received = "";
    if (this.#script.behindDot === "refused") this.#bytesBehindDot = this.#received.length;
    const answer = await this.#answer("body", [{ send: "250 2.0.0 queued\r\n" }]);
    transaction.accepted = answer.startsWith("2");
    this.#isUnfinished = !transaction.accepted;
  }

  async #handleChunk(body: string): Promise<void> {
    const transaction = { ...this.#transaction, body };
    this.log.transactions.push(transaction);
    this.#chunkBytes = undefined;
    const hasRecipient = transaction.rcpt.length > 0 && !this.#isStuck;
    const ordinary = hasRecipient ? "250 2.0.0 queued\r\n" : OUT_OF_SEQUENCE;
    const answer = await this.#answer("body", [{ send: ordinary }]);
    transaction.accepted = answer.startsWith("2");
    this.#isStuck = !transaction.accepted;
    this.#isUnfinished = !transaction.accepted;
    if (transaction.accepted) this.#transaction = noTransaction();
  }

  async #handleCommand(line: string): Promise<void> {
    const verb = line.slice(0, 4).toUpperCase();
    if (verb === "BDAT") {
      this.#chunkBytes = Number(line.split(" ")[1]);
      await this.#answer(line, []);
      return;
    }
    const isBehindDot = this.#bytesBehindDot > 0;
    this.#bytesBehindDot = Math.max(0, this.#bytesBehindDot - line.length - 2);
    if (verb === "MAIL") this.#isUnfinished = true;
    if (verb === "RSET" && this.#isUnfinished) this.#resets += 1;
    if (this.#resets > (this.#script.resetsMax ?? Infinity)) {
      for (const step of TOO_MANY_RESETS) await this.#do(step);
      return;
    }
    const isInSequence = !isBehindDot && (!this.#script.strict || this.#fitsState(verb));
    const isFull = this.#transaction.rcpt.length >= (this.#script.recipientsMax ?? Infinity);
    const usual = verb === "RCPT" && isFull ? [{ send: FULL }] : this.#ordinaryAnswer(verb);
    const ordinary = isInSequence ? usual : [{ send: OUT_OF_SEQUENCE }];
    const answer = await this.#answer(line, ordinary);
    if (verb === "RSET") {
      this.#transaction = noTransaction();
      this.#isStuck = false;
    }
    if (verb === "MAIL" && answer.startsWith("2")) this.#transaction = noTransaction(line);
    if (verb === "RCPT" && answer.startsWith("2")) this.#transaction.rcpt.push(line);
    if (verb === "DATA" && answer.startsWith("354")) this.#inBody = true;
  }

  #fitsState(verb: string): boolean {
    if (["RSET", "QUIT"].includes(verb)) return true;
    if (this.#isStuck) return false;
    if (verb === "MAIL") return this.#transaction.mail === "";
    return verb !== "RCPT" || this.#transaction.mail !== "";
  }

  #ordinaryAnswer(verb: string): RawStep[] {
    const features = ["raw.test", ...(this.#script.offers ?? [])];
    const answers: Record<string, RawStep[]> = {
      EHLO: [
        {
          send: features
            .map((feature, index) => `250${index < features.length - 1 ? "-" : " "}${feature}\r\n`)
            .join(""),
        },
      ],
      STAR: [{ send: "220 2.0.0 go ahead\r\n" }, { startTls: "trusted" }],
      AUTH: [{ send: "235 2.7.0 welcome\r\n" }],
      DATA: [{ send: "354 go ahead\r\n" }],
      QUIT: [{ send: "221 2.0.0 bye\r\n" }, { close: true }],
    };
    return answers[verb] ?? [{ send: "250 2.1.0 ok\r\n" }];
  }

  /** Plays the rule for an event, or the ordinary answer; returns the text sent. */
  async #answer(event: string, ordinary: RawStep[]): Promise<string> {
    const rule = this.#script.rules?.find((candidate) => this.#fits(candidate, event));
    this.#isSilent = rule?.steps.length === 0;
    const steps = rule?.steps ?? ordinary;
    if (steps.length > 0) this.#repliesLeft -= 1;
    if (this.#repliesLeft < 0)
      return steps.map((step) => ("send" in step ? step.send : "")).join("");
    let sent = "";
    for (const step of steps) sent += await this.#do(step);
    return sent;
  }

  #fits(rule: RawRule, event: string): boolean {
    if (!event.startsWith(rule.on)) return false;
    if (rule.connection !== undefined && rule.connection !== this.#number) return false;
    const skipped = this.#skipped.get(rule) ?? 0;
    this.#skipped.set(rule, skipped + 1);
    return skipped >= (rule.skip ?? 0);
  }

  async #do(step: RawStep): Promise<string> {
    if ("close" in step) {
      this.#socket.end();
      this.#isSilent = true;
      return "";
    }
    if ("awaitText" in step) {
      await this.#hear(step.awaitText);
      return "";
    }
    if ("stopReading" in step) {
      this.#socket.pause();
      return "";
    }
    if ("startTls" in step) {
      this.#socket.removeAllListeners("data");
      this.#socket = new TLSSocket(this.#socket, {
        isServer: true,
        ...certificateOf(this.#certificates, step.startTls),
      });
      this.#listen(this.#socket);
      return "";
    }
    return this.#send(step.send, step.chunkBytes ?? step.send.length, step.everyMs ?? 0);
  }

  async #hear(text: string): Promise<void> {
    await new Promise<void>((resolve) => {
      const check = () => {
        if (!this.#heard.includes(text)) return;
        this.#listeners.delete(check);
        resolve();
      };
      this.#listeners.add(check);
      check();
    });
  }

  async #send(text: string, chunkBytes: number, everyMs: number): Promise<string> {
    for (let at = 0; at < text.length && this.#socket.writable; at += chunkBytes) {
      if (at > 0) await sleep(everyMs);
      const chunk = text.slice(at, at + chunkBytes);
      this.log.traffic.push({ from: "server", text: chunk });
      this.#socket.write(chunk, "latin1");
    }
    return text;
  }
}
