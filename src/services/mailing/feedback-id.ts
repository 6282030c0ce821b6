import { sha256Hex } from "../../lib/hash.ts";
import { domainOf, type EmailAddress } from "../../mail/address.ts";

/** The parts of a mail's Feedback-ID, from the smallest unit to the largest. */
export interface FeedbackParts {
  /** The broadcast or batch. */
  campaignId?: string | undefined;
  templateId: string | null;
  projectId: string;
}

/**
 * Any character that an id may not contain. A colon separates the parts, and a line break would end
 * the header.
 */
const NOT_OF_AN_ID = /[^0-9A-Za-z-]/g;

/** Gmail takes sender ids of 5 to 15 characters. */
const SENDER_CHARACTERS = 12;

/** The sender id of the last domain, kept because all mails of a broadcast share one. */
let lastSender = { domain: "", id: "" };

/**
 * Returns the value of Gmail's header Feedback-ID: campaign, template, project, and a sender id
 * that is the same for all mail from one domain. A part may be empty. Gmail sends no complaint
 * reports; its Postmaster Tools show the spam rate by the parts of this header.
 */
export function feedbackIdOf(from: EmailAddress, parts: FeedbackParts): string {
  const { campaignId = "", templateId, projectId } = parts;
  const ids = [campaignId, templateId ?? "", projectId].map((id) => id.replace(NOT_OF_AN_ID, ""));
  return [...ids, senderIdOf(domainOf(from))].join(":");
}

function senderIdOf(domain: string): string {
  if (lastSender.domain !== domain)
    lastSender = { domain, id: sha256Hex(domain).slice(0, SENDER_CHARACTERS) };
  return lastSender.id;
}
