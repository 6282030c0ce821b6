import type { Mailbox } from "../../../../mail/address.ts";
import type { TrackingSwitches } from "../../../../lib/tracking-switches.ts";
import type { BroadcastUtm } from "../../../../lib/utm.ts";
import type { MailTemplate, RenderedMail } from "../../../templates/index.ts";
import type { Extras } from "../../compose.ts";
import type { UnsubscribeLink } from "../../decorate.ts";

/** What a mail sets itself instead of its template or the project. */
export interface MailOptions {
  tracking?: TrackingSwitches | undefined;
  /** Text that email clients show next to the subject, with variables unless the mail is raw. */
  preheader?: string | undefined;
  /** The parameters of a broadcast, in its tests. */
  broadcastUtm?: BroadcastUtm | undefined;
}

/** One mail in a shape of API reference §11.1, or `named` of §17. */
export type SendInput = MailOptions & MailShape & { topicId?: string | undefined };

type MailShape =
  | {
      shape: "template";
      to: Mailbox;
      subject: string | undefined;
      data: Record<string, unknown>;
      extras: Extras;
      /** The link of a test, which unsubscribes nobody. Its data holds the variables of the link. */
      unsubscribe?: UnsubscribeLink;
    }
  | {
      shape: "raw";
      to: Mailbox;
      subject: string;
      html: string;
      text: string;
      extras: Extras;
      /** Set for a mail that its caller has rendered and that is sent unchanged; null for no template. */
      unchanged?: { templateId: string | null };
    }
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
       * The name of a template of the project or of a built-in template. Without it, the id selects
       * the template.
       */
      templateName?: string | undefined;
      subject: string | undefined;
      data: Record<string, unknown>;
      /**
       * True if a stranger wrote the subscriber's metadata. The subject cannot use the metadata
       * then.
       */
      isPublic?: boolean;
      /**
       * The template of a mail whose own link grants something, such as a confirmation. The mail is
       * sent unchanged, without unsubscribe links.
       */
      granting?: MailTemplate;
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
  /** The switches of its template. */
  templateTracking?: TrackingSwitches | undefined;
  /** The link of the unsubscribe variables, for a mail that has these variables. */
  unsubscribe: UnsubscribeLink | undefined;
  /**
   * Set if links must stay as they are and nothing may be added. A tracked link would store the
   * link's token.
   */
  isUntouched?: true;
}
