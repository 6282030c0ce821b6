// nodemailer on plain Node in its own process: what a service outside the platform would use.
import nodemailer from "nodemailer";
import { answerParent } from "../harness/child.ts";
import { timeEach, type TimedResult } from "../harness/time-each.ts";

/**
 * Ready-made mails to `count` recipients: `{n}` in addresses and texts is replaced by the
 * recipient's number.
 */
export interface PeerLoad {
  port: number;
  connections: number;
  count: number;
  mail: { from: string; to: string; subject: string; html: string; text: string };
}

/** Mails with a fixed number in flight. */
export type TimedLoad = PeerLoad & { atOnce: number };

export interface PeerResult {
  /** Milliseconds since 1970. */
  startedAt: number;
  endedAt: number;
  cpuMs: number;
  /** Mails sent before the clock started. */
  warmUpMails: number;
}

const WARM_UP_MAILS = 20;

function numbered({ from, to, subject, html, text }: PeerLoad["mail"], n: number) {
  const put = (value: string) => value.replaceAll("{n}", String(n));
  return { from, to: put(to), subject: put(subject), html: put(html), text: put(text) };
}

export const nodemailerVerbs = {
  /** Sends all mails through a warm pool: connected, with compiled code. */
  async pool({ port, connections, count, mail }: PeerLoad): Promise<PeerResult> {
    const server = { host: "127.0.0.1", port, ignoreTLS: true };
    const pool = { pool: true as const, maxConnections: connections, maxMessages: Infinity };
    const transport = nodemailer.createTransport({ ...server, ...pool });
    const sendAll = (from: number, to: number) =>
      Promise.all(
        Array.from({ length: to - from }, (_, at) => transport.sendMail(numbered(mail, from + at))),
      );
    await sendAll(count, count + WARM_UP_MAILS);
    const cpuBefore = process.cpuUsage();
    const startedAt = Date.now();
    await sendAll(0, count);
    const endedAt = Date.now();
    const { user, system } = process.cpuUsage(cpuBefore);
    transport.close();
    return { startedAt, endedAt, cpuMs: (user + system) / 1000, warmUpMails: WARM_UP_MAILS };
  },

  /** Sends through a warm pool with a fixed concurrency, and times each mail. */
  async timed({ port, connections, count, mail, atOnce }: TimedLoad): Promise<TimedResult> {
    const server = { host: "127.0.0.1", port, ignoreTLS: true };
    const pool = { pool: true as const, maxConnections: connections, maxMessages: Infinity };
    const transport = nodemailer.createTransport({ ...server, ...pool });
    const warmUp = Array.from({ length: WARM_UP_MAILS }, (_, n) => numbered(mail, count + n));
    await Promise.all(warmUp.map((message) => transport.sendMail(message)));
    const result = await timeEach(count, atOnce, (n) => transport.sendMail(numbered(mail, n)));
    transport.close();
    return result;
  },
};

answerParent(nodemailerVerbs);
