/** A mail in the local mailbox. */
export interface Mail {
  id: string;
  to: string[];
  subject: string;
}

/** A phone: the service distinguishes people from programs by user agent. */
const READER = {
  "User-Agent":
    "Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148",
};

/** Returns the mails in the local mailbox, sorted by recipient. */
export async function readMails(inbox: string): Promise<Mail[]> {
  const response = await fetch(`${inbox}api/messages`);
  const { messages }: { messages: Mail[] } = JSON.parse(await response.text());
  return messages.toSorted((a, b) => String(a.to).localeCompare(String(b.to)));
}

/** Opens a mail as its reader would, and optionally clicks its first tracked link. */
export async function visitMail(inbox: string, { id }: Mail, doesClick: boolean): Promise<void> {
  const html = await (await fetch(`${inbox}messages/${id}/html`)).text();
  const [pixel] = /http[^"]+\/t\/[^"]+\.gif/.exec(html) ?? [];
  const [link] = /http[^"]+\/c\/[^"]+/.exec(html) ?? [];
  if (pixel !== undefined) await fetch(pixel, { headers: READER });
  if (doesClick && link !== undefined) await fetch(link, { redirect: "manual", headers: READER });
}
