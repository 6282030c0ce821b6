import type { Deps } from "../../deps.ts";
import { VARIABLES, type MailedSubscriber } from "../../db/subscriber-columns.ts";
import { pick } from "../../lib/pick.ts";
import type { EmailAddress } from "../../mail/address.ts";
import { addressUnsubscribeUrl, preferencesUrl } from "../tracking/index.ts";
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

/**
 * Returns the link by which the recipient of a mail leaves its topic; undefined without a topic.
 * Anybody but a subscriber leaves with their address.
 */
export async function topicLink(
  deps: Deps,
  projectId: string,
  address: EmailAddress,
  topic: { id: string; subscribers: Map<string, string> } | undefined,
): Promise<string | undefined> {
  if (!topic) return undefined;
  const id = topic.subscribers.get(address);
  if (id === undefined) return addressUnsubscribeUrl(deps, projectId, address);
  const subscriber = { id, email: address };
  return preferencesUrl(deps, projectId, subscriber, { topicId: topic.id, broadcastId: null });
}

/**
 * Returns the variables of a mail to an address, and its unsubscribe link: that of its topic, which
 * the mail must show, or otherwise that of the address.
 */
export async function addressVariables(
  deps: Deps,
  projectId: string,
  address: EmailAddress,
  data: Record<string, unknown>,
  ofTopic?: string,
): Promise<{ data: Record<string, unknown>; unsubscribe: UnsubscribeLink }> {
  const url = ofTopic ?? (await addressUnsubscribeUrl(deps, projectId, address));
  const unsubscribe = { url, isRequired: ofTopic !== undefined, isSubscribers: false };
  return { data: addressData(data, url), unsubscribe };
}
