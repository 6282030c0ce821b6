/** A mail in the local mailbox. */
export interface Mail {
  id: string;
  to: string[];
}

/** A telephone: the service tells people from programs by the name of what opens a mail. */
const READER = {
  "User-Agent":
    "Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148",
};

/** Returns the mails of the local mailbox, in the order of their recipients. */
export async function readMails(inbox: string): Promise<Mail[]> {
  const response = await fetch(`${inbox}api/messages`);
  const { messages }: { messages: Mail[] } = JSON.parse(await response.text());
  return messages.toSorted((a, b) => String(a.to).localeCompare(String(b.to)));
}

/** Opens a mail as its reader does, and follows its first tracked link if they are to click. */
export async function visitMail(inbox: string, { id }: Mail, doesClick: boolean): Promise<void> {
  const html = await (await fetch(`${inbox}messages/${id}/html`)).text();
  const [pixel] = /http[^"]+\/t\/[^"]+\.gif/.exec(html) ?? [];
  const [link] = /http[^"]+\/c\/[^"]+/.exec(html) ?? [];
  if (pixel !== undefined) await fetch(pixel, { headers: READER });
  if (doesClick && link !== undefined) await fetch(link, { redirect: "manual", headers: READER });
}
