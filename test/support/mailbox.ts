/*
 * Mails that the capturing SMTP server received, read from inside a test:
 *
 *   const sent = await waitForMessage("ann@any.test");        // waits; throws when none comes
 *   expect(sent.text).toContain("Subject: Hello");
 *   expect(await receivedMessages("bob@any.test")).toEqual([]);
 *   await waitForMessages({ from: "news@unique.test" }, 50);  // a broadcast, by its sender
 *
 * `ports.smtp`, `ports.smtps` (user "user", password "pass") and `ports.smtpPlain` lead to that
 * server; the head of smtp/capture-server.ts tells which recipients are refused, and how.
 * All test files share one inbox: use addresses that no other test uses.
 */
import { Buffer } from "node:buffer";
import { ports } from "./ports.ts";
import type { CapturedMessage, InboxQuery } from "./smtp/inbox.ts";

/** A captured message with its raw bytes, and the same as UTF-8 text. */
export interface ReceivedMessage extends Omit<CapturedMessage, "data"> {
  raw: Uint8Array;
  text: string;
}

/** Selects messages: a recipient's address, or a query by recipient and sender. */
export type Mailbox = string | InboxQuery;

/** Messages received so far, oldest first. */
export async function receivedMessages(mailbox: Mailbox): Promise<ReceivedMessage[]> {
  return ask(mailbox, 0, 0);
}

/** Waits until `count` messages have arrived and returns all; throws after `timeoutMs`. */
export async function waitForMessages(
  mailbox: Mailbox,
  count: number,
  timeoutMs = 20_000,
): Promise<ReceivedMessage[]> {
  const messages = await ask(mailbox, count, timeoutMs);
  if (messages.length >= count) return messages;
  const asked = JSON.stringify(mailbox);
  throw new Error(`${messages.length} of ${count} messages came for ${asked} in ${timeoutMs} ms`);
}

/** Waits for the first message of a mailbox; throws after `timeoutMs`. */
export async function waitForMessage(
  mailbox: Mailbox,
  timeoutMs = 20_000,
): Promise<ReceivedMessage> {
  const [first] = await waitForMessages(mailbox, 1, timeoutMs);
  if (!first) throw new Error("no message came");
  return first;
}

async function ask(mailbox: Mailbox, count: number, timeoutMs: number): Promise<ReceivedMessage[]> {
  const query = new URLSearchParams({
    ...(typeof mailbox === "string" ? { to: mailbox } : mailbox),
    count: String(count),
    timeout_ms: String(timeoutMs),
  });
  const response = await fetch(
    `http://127.0.0.1:${ports.smtpControl}/messages?${query.toString()}`,
  );
  if (!response.ok) throw new Error(`control port: ${response.status} ${await response.text()}`);
  return (await response.json<CapturedMessage[]>()).map(decode);
}

function decode({ data, ...message }: CapturedMessage): ReceivedMessage {
  const raw = new Uint8Array(Buffer.from(data, "base64"));
  return { ...message, raw, text: new TextDecoder().decode(raw) };
}
