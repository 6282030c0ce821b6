/*
 * The capturing server: accepts mail into an Inbox and offers SIZE, 8BITMIME, SMTPUTF8 and
 * PIPELINING. It needs no set-up, since a recipient's address chooses the outcome:
 *
 *   anything@any.test                     accepted
 *   rcpt.550.5.1.1.anything@any.test      "550 5.1.1 …" to RCPT
 *   rcpt-once.451.4.7.1.anything@any.test the same, the first time this address is seen; then accepted
 *   data.554.5.6.0.anything@any.test      "554 5.6.0 …" after the final dot
 *   data-once.452.4.3.1.anything@any.test the same, the first time
 *   close.rcpt.anything@any.test          the connection is closed instead of an answer to RCPT
 *   close.data.anything@any.test          … instead of an answer to the final dot (nothing is kept)
 *   slow.250.anything@any.test            the answer to the final dot comes 250 ms late
 *
 * A sender mail.553.5.1.8.anything@any.test is refused the same way at MAIL.
 * Where a message has several recipients, the first one with something to say about its data does.
 */
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from "smtp-server";
import type { Certificates } from "../certificates.ts";
import type { Inbox } from "./inbox.ts";

const MESSAGE_BYTES_MAX = 25_000_000;
const SCRIPTED = /^(mail|rcpt|data)(-once)?\.(\d{3})\.(\d\.\d{1,3}\.\d{1,3})\./;

export interface CaptureServers {
  smtp: number;
  smtps: number;
  smtpPlain: number;
  close: () => Promise<void>;
}

/** Starts the three capturing servers on free loopback ports. */
export async function startCaptureServers(
  inbox: Inbox,
  certificate: Certificates["server"],
): Promise<CaptureServers> {
  const seen = new Set<string>();
  const starttls = captureServer(inbox, seen, certificate);
  const implicit = captureServer(inbox, seen, { ...certificate, secure: true });
  const plain = captureServer(inbox, seen, {
    disabledCommands: ["STARTTLS", "AUTH"],
    authOptional: true,
  });
  const servers = [starttls, implicit, plain];
  const [smtp = 0, smtps = 0, smtpPlain = 0] = await Promise.all(servers.map(listen));
  const close = async () => {
    await Promise.all(servers.map((s) => new Promise<void>((resolve) => s.close(() => resolve()))));
  };
  return { smtp, smtps, smtpPlain, close };
}

function captureServer(inbox: Inbox, seen: Set<string>, options: SMTPServerOptions): SMTPServer {
  const server: SMTPServer = new SMTPServer({
    name: "capture.test",
    size: MESSAGE_BYTES_MAX,
    hideENHANCEDSTATUSCODES: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    maxAllowedUnauthenticatedCommands: false,
    ...options,
    onAuth(auth, _session, callback) {
      const known = auth.username === "user" && auth.password === "pass";
      if (known) callback(null, { user: auth.username });
      else callback(refusal(535, "5.7.8 Authentication credentials invalid"));
    },
    onMailFrom(address, _session, callback) {
      callback(scripted("mail", address.address, seen));
    },
    onRcptTo(address, session, callback) {
      if (address.address.startsWith("close.rcpt.")) dropConnection(server, session);
      else callback(scripted("rcpt", address.address, seen));
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const recipients = session.envelope.rcptTo.map((recipient) => recipient.address);
        if (recipients.some((address) => address.startsWith("close.data."))) {
          dropConnection(server, session);
          return;
        }
        const error = recipients.map((address) => scripted("data", address, seen)).find(Boolean);
        if (!error) inbox.add(captured(session, recipients, Buffer.concat(chunks)));
        setTimeout(() => callback(error ?? null, "2.0.0 Captured"), delayMs(recipients));
      });
    },
  });
  server.on("error", ignoreLostConnection);
  return server;
}

function captured(session: SMTPServerSession, to: string[], data: Buffer) {
  const from = session.envelope.mailFrom;
  return {
    connection: session.id,
    ehlo: session.hostNameAppearsAs,
    from: from ? from.address : "",
    to,
    data: data.toString("base64"),
    secure: session.secure,
    user: typeof session.user === "string" ? session.user : "",
  };
}

function scripted(phase: string, address: string, seen: Set<string>): Error | null {
  const script = SCRIPTED.exec(address);
  if (script?.[1] !== phase) return null;
  if (script[2] && seen.has(address)) return null;
  seen.add(address);
  return refusal(Number(script[3]), `${script[4]} Scripted answer`);
}

function delayMs(recipients: string[]): number {
  return Math.max(
    ...recipients.map((address) => Number(/^slow\.(\d{1,4})\./.exec(address)?.[1] ?? 0)),
  );
}

function refusal(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode });
}

/** The package has no verb for an abrupt end; the session's id finds its connection. */
function dropConnection(server: SMTPServer, session: SMTPServerSession): void {
  for (const connection of server.connections) {
    if (connection.id === session.id) connection.close();
  }
}

/** Tests include vanishing clients; any other error is a fault of the test server. */
function ignoreLostConnection(error: Error): void {
  const code = (error as NodeJS.ErrnoException).code ?? "";
  if (!["ECONNRESET", "EPIPE", "ETIMEDOUT"].includes(code))
    console.error("test smtp server:", error);
}

async function listen(server: SMTPServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const address = server.server.address();
  if (address === null || typeof address === "string") throw new Error("no port was given");
  return address.port;
}
