/** Names under which templates find the unsubscribe link (decisions, "Sending"). */
const UNSUBSCRIBE_NAME = /\bunsubscribe_(?:url|link)\b/;

/** Tells whether HTML puts the unsubscribe link in by itself. */
export function namesUnsubscribe(html: string): boolean {
  return UNSUBSCRIBE_NAME.test(html);
}

/**
 * The variables of a mail to a subscriber: its own fields, what the send gives (which wins), and
 * the unsubscribe link, which nothing replaces (decisions, "Sending").
 */
export function subscriberData(
  subscriber: { id: string; email: string; name: string; metadata: Record<string, unknown> },
  data: Record<string, unknown>,
  unsubscribeLink: string,
): Record<string, unknown> {
  const { id, email, name, metadata } = subscriber;
  return {
    email,
    name,
    subscriber_id: id,
    metadata,
    ...data,
    unsubscribe_url: unsubscribeLink,
    unsubscribe_link: unsubscribeLink,
  };
}
