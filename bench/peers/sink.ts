// An SMTP server in its own process that accepts everything and counts it.
import { createServer, type AddressInfo, type Socket } from "node:net";
import { performance } from "node:perf_hooks";
import { answerParent } from "../harness/child.ts";
import { SinkSession, type SinkSettings, type TakenMessage } from "./sink-session.ts";

/** Mail received since `begin`. */
export interface SinkReport {
  messages: number;
  distinctRecipients: number;
  /** Arrival of the first and the last message, in milliseconds since 1970. */
  firstAt: number;
  lastAt: number;
  /**
   * Milliseconds from accepting the connection to the reply to its last message, per session, in
   * order.
   */
  sessionsMs: number[];
  /** Maximum number of simultaneous connections. */
  openMax: number;
  /** The first messages, up to the number in `keep`. */
  kept: string[];
}

/** How much a timer may fire early. */
const TIMER_SLACK_MS = 0.3;

let settings: SinkSettings = { roundTripMs: 0, chunking: false };
let keep = 0;
let messages = 0;
let firstAt = 0;
let lastAt = 0;
let recipients = new Set<string>();
let sessionsMs: number[] = [];
let open = 0;
let openMax = 0;
let kept: string[] = [];

function count({ recipients: given, body }: TakenMessage): void {
  lastAt = performance.timeOrigin + performance.now();
  if (messages === 0) firstAt = lastAt;
  messages += 1;
  for (const recipient of given) recipients.add(recipient);
  if (kept.length < keep) kept.push(body.toString("latin1"));
}

/** Writes replies in order, each one round trip after it was due, or at once without latency. */
function replyLine(socket: Socket, roundTripMs: number) {
  const waiting: { at: number; text: string }[] = [];
  let joined = "";
  const flush = () => {
    const now = performance.now() + TIMER_SLACK_MS;
    let due = waiting.findIndex(({ at }) => at > now);
    if (due < 0) due = waiting.length;
    const text = waiting
      .splice(0, due)
      .map((reply) => reply.text)
      .join("");
    if (text !== "" && !socket.destroyed) socket.write(text);
    const [next] = waiting;
    if (next) setTimeout(flush, Math.max(0, next.at - performance.now()));
  };
  return {
    say(reply: string) {
      if (roundTripMs === 0) joined += `${reply}\r\n`;
      else {
        waiting.push({ at: performance.now() + roundTripMs, text: `${reply}\r\n` });
        if (waiting.length === 1) setTimeout(flush, roundTripMs);
      }
    },
    /** Ends the replies to one chunk. */
    send() {
      if (joined !== "") socket.write(joined);
      joined = "";
    },
  };
}

const server = createServer({ noDelay: true }, (socket) => {
  const openedAt = performance.now();
  open += 1;
  openMax = Math.max(openMax, open);
  socket.on("close", () => void (open -= 1));
  let repliedMs = 0;
  const { roundTripMs } = settings;
  const line = replyLine(socket, roundTripMs);
  const say = (reply: string) => line.say(reply);
  const session = new SinkSession(settings, say, (message) => {
    count(message);
    repliedMs = performance.now() + roundTripMs - openedAt;
  });
  line.send();
  const report = sessionsMs;
  socket.on("data", (bytes) => {
    session.feed(bytes);
    line.send();
  });
  socket.on("close", () => void (repliedMs > 0 && report.push(repliedMs)));
  socket.on("error", () => socket.destroy());
});
const listening = new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

export const sinkVerbs = {
  async port(): Promise<number> {
    await listening;
    return (server.address() as AddressInfo).port;
  },
  /** Resets the counts; new sessions follow `next`. */
  async begin(next: SinkSettings & { keep?: number }): Promise<void> {
    settings = { roundTripMs: next.roundTripMs, chunking: next.chunking };
    keep = next.keep ?? 0;
    messages = 0;
    recipients = new Set();
    sessionsMs = [];
    openMax = open;
    kept = [];
  },
  async report(): Promise<SinkReport> {
    const distinctRecipients = recipients.size;
    return { messages, distinctRecipients, firstAt, lastAt, sessionsMs, openMax, kept };
  },
};

answerParent(sinkVerbs);
