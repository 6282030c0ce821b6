// SMTP server (RFC 5321) with PIPELINING, SIZE and AUTH on loopback, which stores every mail. It
// offers no STARTTLS: nothing leaves the machine, and its clients allow plain text only on
// loopback. A hostile local client could try to exhaust memory, so a mail has at most 50 MiB, and
// the store drops the oldest.
import { SMTPServer, type SMTPServerSession } from "smtp-server";
import type { MessageStore } from "./message-store.ts";

const MAX_MESSAGE_BYTES = 50 * 1024 * 1024;
const CLOSE_TIMEOUT_MS = 500;

/** Accepts every login and every recipient on 127.0.0.1:`port` and puts each mail into `store`. */
export async function startSmtpReceiver(port: number, store: MessageStore) {
  const server = new SMTPServer({
    name: "mailbox.localhost",
    banner: "Postrider local mailbox",
    size: MAX_MESSAGE_BYTES,
    rejectOversized: true,
    authOptional: true,
    authMethods: ["PLAIN", "LOGIN"],
    disabledCommands: ["STARTTLS"],
    disableReverseLookup: true,
    closeTimeout: CLOSE_TIMEOUT_MS,
    logger: false,
    onAuth: (auth, _session, done) => done(null, { user: auth.username ?? "anyone" }),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("error", (error: Error) => done(error));
      stream.on("end", () => {
        if (stream.sizeExceeded) {
          done(Object.assign(new Error("5.3.4 message too large"), { responseCode: 552 }));
          return;
        }
        const stored = store.add({ ...readEnvelope(session), raw: Buffer.concat(chunks) });
        done(null, `2.0.0 kept as ${stored.id}`);
      });
    },
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  // A client that disconnects midway must not stop the receiver.
  server.on("error", (error) => process.stderr.write(`mailbox: ${error.message}\n`));
  return {
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

function readEnvelope({ envelope }: SMTPServerSession) {
  return {
    mailFrom: envelope.mailFrom ? envelope.mailFrom.address : "",
    recipients: envelope.rcptTo.map((recipient) => recipient.address),
  };
}
