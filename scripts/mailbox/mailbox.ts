import { createMessageStore } from "./message-store.ts";
import { startSmtpReceiver } from "./smtp-receiver.ts";
import type { Quickstart } from "./quickstart-page.ts";
import { startWebInbox } from "./web-inbox.ts";

/**
 * Ports on 127.0.0.1, the origin from which mails may load images, and the origin of the service
 * that receives reports.
 */
export interface MailboxOptions {
  smtpPort: number;
  httpPort: number;
  imageOrigin: string;
  serviceOrigin: string;
}

/** The running local mailbox. */
export interface Mailbox {
  url: string;
  /** Serves examples/quickstart.html with the service's URL and a public key inserted. */
  showQuickstart: (quickstart: Quickstart) => void;
  close: () => Promise<void>;
}

/**
 * Starts a mailbox that accepts every mail and shows it on a web page. Never forwards mail; sends a
 * bounce or a complaint to the service on request.
 */
export async function startMailbox(options: MailboxOptions): Promise<Mailbox> {
  const { smtpPort, httpPort: port, ...origins } = options;
  const store = createMessageStore();
  const smtp = await startSmtpReceiver(smtpPort, store);
  const web = await startWebInbox(store, { port, smtpPort, ...origins }).catch(
    async (error: unknown) => {
      await smtp.close();
      throw error;
    },
  );
  return {
    url: `http://127.0.0.1:${port}/`,
    showQuickstart: web.showQuickstart,
    close: async () => {
      await Promise.all([smtp.close(), web.close()]);
    },
  };
}
