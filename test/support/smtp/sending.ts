/* Helpers for tests of sending: settings, short time limits, messages. */
import { connect } from "cloudflare:sockets";
import { MessageData } from "../../../src/mail/message-data.ts";
import type { SocketFactory } from "../../../src/mail/net/socket.ts";
import {
  type OutgoingMessage,
  sendOne,
  type SendResult,
  type SmtpSettings,
  type SmtpTimeouts,
} from "../../../src/mail/smtp/index.ts";
import type { RawConnectionLog } from "./raw-script.ts";

/** The socket factory of production. */
export const sockets: SocketFactory = connect;

/** Socket factory that counts its simultaneously open sockets. */
export function countSockets() {
  let open = 0;
  let openMax = 0;
  const counting: SocketFactory = (address, options) => {
    const socket = sockets(address, options);
    open += 1;
    openMax = Math.max(openMax, open);
    const gone = () => {
      open -= 1;
    };
    socket.closed.then(gone, gone);
    return socket;
  };
  return { sockets: counting, openMax: () => openMax };
}

/** Socket factory that counts the writes to its sockets. */
export function countWrites() {
  let writes = 0;
  const counting: SocketFactory = (address, options) => {
    const socket = sockets(address, options);
    const { writable } = socket;
    const getWriter = writable.getWriter.bind(writable);
    writable.getWriter = () => {
      const writer = getWriter();
      const write = writer.write.bind(writer);
      writer.write = (bytes) => {
        writes += 1;
        return write(bytes);
      };
      return writer;
    };
    return socket;
  };
  return { sockets: counting, writes: () => writes };
}

export const TEST_TIMEOUTS: SmtpTimeouts = {
  connectMs: 10_000,
  greetingToAuthMs: 10_000,
  messageMs: 5_000,
  afterDataMs: 5_000,
  quitMs: 200,
};

/**
 * For servers that fall silent after the login; long enough for what comes before the silence on a
 * busy machine.
 */
export const SHORT_TIMEOUTS: SmtpTimeouts = {
  ...TEST_TIMEOUTS,
  messageMs: 1_500,
  afterDataMs: 1_500,
  quitMs: 100,
};

/** For servers that do not even greet. */
export const NO_GREETING_TIMEOUTS: SmtpTimeouts = { ...SHORT_TIMEOUTS, greetingToAuthMs: 1_000 };

/** For servers that do not answer the RSET before a reuse, which has the time of a connection. */
export const NO_RSET_TIMEOUTS: SmtpTimeouts = { ...SHORT_TIMEOUTS, connectMs: 1_500 };

/** Settings for a plain server on a loopback port by default. */
export function settingsFor(port: number, changes: Partial<SmtpSettings> = {}): SmtpSettings {
  return {
    host: "localhost",
    port,
    user: undefined,
    password: undefined,
    ehloName: "client.test",
    tls: "loopback",
    ...changes,
  };
}

/** A short message from `sender@any.test`; `body` follows the header. */
export function messageTo(to: string | string[], body = "Hello\r\n"): OutgoingMessage {
  return {
    envelope: { from: "sender@any.test", to: [to].flat(), smtpUtf8: false },
    data: new MessageData([new TextEncoder().encode(`Subject: test\r\n\r\n${body}`)]),
  };
}

/** Sends one message over a session of its own, and waits for its farewell. */
export async function sendAndLeave(
  settings: SmtpSettings,
  message: OutgoingMessage,
  timeouts: SmtpTimeouts,
): Promise<SendResult> {
  const farewells: Promise<void>[] = [];
  const result = await sendOne(settings, sockets, message, timeouts, (farewell) =>
    farewells.push(farewell),
  );
  await Promise.all(farewells);
  return result;
}

/** Outcomes of a result in the order of the recipients, with the deciding step. */
export function outcomesOf(result: SendResult): string[] {
  return result.recipients.map(({ outcome, phase }) => `${outcome} at ${phase}`);
}

/** Number of turns from the client's commands to the server's replies on a connection. */
export function roundTrips({ traffic }: RawConnectionLog): number {
  return traffic.filter(
    ({ from }, index) => from === "server" && traffic[index - 1]?.from === "client",
  ).length;
}
