// A mail server that puts some recipients off for as long as a test wants, and notes who got what.
import { SMTPServer } from "smtp-server";

const CLOSE_TIMEOUT_MS = 500;

/** An accepted mail: its subject and its recipient. */
export interface TakenMail {
  subject: string;
  to: string;
}

/** The running server. */
export interface DeferringServer {
  mails: TakenMail[];
  acceptEverybody: () => void;
  close: () => Promise<void>;
}

/** Starts a server on 127.0.0.1:`port` that answers 450 to each recipient whom `isPutOff` names. */
export async function startDeferringServer(
  port: number,
  isPutOff: (address: string) => boolean,
): Promise<DeferringServer> {
  const mails: TakenMail[] = [];
  let defers = true;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    disableReverseLookup: true,
    closeTimeout: CLOSE_TIMEOUT_MS,
    logger: false,
    onAuth: (auth, _session, done) => done(null, { user: auth.username ?? "anyone" }),
    onRcptTo: ({ address }, _session, done) => {
      const refusal = Object.assign(new Error("4.2.1 the mailbox is busy"), { responseCode: 450 });
      done(defers && isPutOff(address) ? refusal : null);
    },
    onData: (stream, { envelope }, done) => {
      let text = "";
      stream.on("data", (chunk: Buffer) => (text += chunk.toString()));
      stream.on("error", (error: Error) => done(error));
      stream.on("end", () => {
        const subject = /^Subject: (.*)$/m.exec(text)?.[1]?.trim() ?? "";
        for (const { address: to } of envelope.rcptTo) mails.push({ subject, to });
        done();
      });
    },
  });
  server.on("error", () => undefined); // the killed service leaves its sessions midway
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    mails,
    acceptEverybody: () => {
      defers = false;
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
