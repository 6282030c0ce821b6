/** What is not shown, which goes first; or an expression that writes the unsubscribe link, in any of its spellings. */
const HIDDEN_OR_LINK =
  /<!--[\s\S]*?(?:-->|$)|\\\{\{|\{\{~?!--[\s\S]*?(?:--~?\}\}|$)|\{\{~?![^}]*|\{\{[{&~\s]{0,8}(?:this\.|\.\/|\.\.\/|@root\.){0,8}(unsubscribe_(?:url|link))[~\s]{0,8}\}\}/g;

/**
 * Tells whether a template's HTML puts the unsubscribe link in by itself: in an expression, under one
 * of its names (API reference §10.3), and not in a comment. Linear in its length.
 */
export function namesUnsubscribe(html: string): boolean {
  for (const [, name] of html.matchAll(HIDDEN_OR_LINK)) if (name !== undefined) return true;
  return false;
}

/**
 * The variables of a mail to a subscriber: its own fields, what the send gives (which wins), and
 * the unsubscribe link, which nothing replaces (API reference §10.3).
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
