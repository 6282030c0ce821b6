import type { Mailbox } from "../../../../mail/address.ts";
import type { MailTemplate, RenderedMail } from "../../../templates/index.ts";
import type { Extras } from "../../compose.ts";

/** One mail in a shape of API reference §11.1, or `named` of §17.4. */
export type SendInput =
  | {
      shape: "template";
      to: Mailbox;
      subject: string | undefined;
      data: Record<string, unknown>;
      extras: Extras;
      /** Adds the unsubscribe parts with this link, which unsubscribes nobody: a test. */
      harmlessLink?: string;
    }
  | { shape: "raw"; to: Mailbox; subject: string; html: string; text: string; extras: Extras }
  | {
      shape: "named";
      to: Mailbox;
      content: NamedContent;
      data: Record<string, unknown>;
      extras: Extras;
    }
  | {
      shape: "subscriber";
      subscriberId: string;
      /**
       * The name of a template of the project or of a built-in one. Without it, the id selects the
       * template.
       */
      templateName?: string | undefined;
      subject: string | undefined;
      data: Record<string, unknown>;
      /** True if a stranger wrote the subscriber's metadata, which the subject then cannot use. */
      isPublic?: boolean;
      /**
       * True if a subscriber who has not yet confirmed the address may get the mail. An
       * unsubscribed one never may.
       */
      toPending?: boolean;
      /**
       * The template of a mail that asks for a confirmation. It is sent as it is, without links to
       * unsubscribe: its link grants something, and there is no subscription yet.
       */
      confirmation?: MailTemplate;
    }
  /** A mail of the service itself. It is sent unchanged, because its links contain tokens. */
  | { shape: "service"; to: Mailbox; content: RenderedMail };

/** A named template with an optional subject, or HTML that the send itself contains. */
export type NamedContent =
  | { template: string; subject: string | undefined }
  | { html: string; subject: string | undefined };

/** A mail that is rendered for its one recipient, before the service adds its parts. */
export interface SingleMail {
  to: Mailbox;
  rendered: RenderedMail;
  extras: Extras;
  templateId: string | null;
  subscriberId: string | null;
  /** Set for mail to a subscriber. Adds the unsubscribe headers, link and open pixel. */
  unsubscribe?: { url: string; isInTemplate: boolean };
  /**
   * Set if links must stay as they are and nothing may be added, because a tracked link would store
   * its token.
   */
  isUntouched?: true;
}
