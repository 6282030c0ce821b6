import type { Deps } from "../../deps.ts";
import { VARIABLES, type MailedSubscriber } from "../../db/subscriber-columns.ts";
import { pick } from "../../lib/pick.ts";
import type { EmailAddress } from "../../mail/address.ts";
import { addressUnsubscribeUrl } from "../tracking/index.ts";
import type { UnsubscribeLink } from "./decorate.ts";

/** The variables that hold the unsubscribe link (API reference §10.3). */
export const linkVariables = (url: string) => ({ unsubscribe_url: url, unsubscribe_link: url });

/**
 * Returns the variables that hold the link to the mail in the browser (API reference §13.9). Only
 * mail of broadcasts has them.
 */
export const viewVariables = (url: string) => ({ view_url: url, view_link: url });

/**
 * Returns the variables of a mail to a subscriber: the subscriber's own fields, the data of the
 * send, which takes precedence, and the links, which no value replaces (API reference §10.3).
 */
export function subscriberData(
  subscriber: MailedSubscriber,
  data: Record<string, unknown>,
  unsubscribeLink: string,
  viewLink?: string,
): Record<string, unknown> {
  const own = { ...pick(subscriber, VARIABLES), subscriber_id: subscriber.id };
  const view = viewLink === undefined ? {} : viewVariables(viewLink);
  return { ...own, ...data, ...linkVariables(unsubscribeLink), ...view };
}

/**
 * Returns the variables of a mail to an address: an unsubscribe link, and the data of the send,
 * which may hold a link of its own.
 */
export function addressData(data: Record<string, unknown>, url: string): Record<string, unknown> {
  const own = Object.entries(linkVariables(url)).filter(([name]) => isMissing(data[name]));
  return { ...data, ...Object.fromEntries(own) };
}

const isMissing = (value: unknown) => value === undefined || value === null || value === "";

/** Returns the variables of a mail to an address, and its unsubscribe link. */
export async function addressVariables(
  deps: Deps,
  projectId: string,
  address: EmailAddress,
  data: Record<string, unknown>,
): Promise<{ data: Record<string, unknown>; unsubscribe: UnsubscribeLink }> {
  const url = await addressUnsubscribeUrl(deps, projectId, address);
  const unsubscribe = { url, isRequired: false, isSubscribers: false };
  return { data: addressData(data, url), unsubscribe };
}
