/**
 * Returns the variables of a mail to a subscriber: the subscriber's own fields, the data of the
 * send, which takes precedence, and the unsubscribe link, which no value replaces (API reference
 * §10.3).
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
