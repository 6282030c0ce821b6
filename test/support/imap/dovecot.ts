/*
 * Mailboxes of the real Dovecot, from inside a test (only where `ports.dovecot` is not 0):
 *
 *   const { user, password } = await newMailbox();
 *   await dropMessage(user, "INBOX", dsn);
 *   expect(await seenCount(user, "INBOX")).toBe(0);
 *
 * It listens on "localhost" and `ports.dovecot` with implicit TLS. Folders are named here as they
 * are in IMAP: modified UTF-7, a dot between levels.
 */
import { Buffer } from "node:buffer";
import { ports } from "../ports.ts";
import type { DovecotMailbox } from "./dovecot-server.ts";

/** The mailbox into which Postfix delivers mail for `return.test`. */
export const RETURNED_MAIL: DovecotMailbox = { user: "returned", password: "pass-returned" };

/** Creates a mailbox that no other test uses. */
export async function newMailbox(): Promise<DovecotMailbox> {
  return call("POST", "/dovecot/mailboxes", {});
}

/** Puts an unread message into a folder, which is created if missing. */
export async function dropMessage(
  user: string,
  folder: string,
  raw: string | Uint8Array,
): Promise<void> {
  const bytes = Buffer.from(raw);
  await call("POST", "/dovecot/messages", { user, folder }, bytes.toString("base64"));
}

/** Number of messages in a folder that are marked as seen. */
export async function seenCount(user: string, folder: string): Promise<number> {
  return (await countMessages(user, folder)).seen;
}

/** Number of messages in a folder, seen or not. */
export async function messageCount(user: string, folder: string): Promise<number> {
  return (await countMessages(user, folder)).total;
}

function countMessages(user: string, folder: string): Promise<{ seen: number; total: number }> {
  return call("GET", "/dovecot/messages", { user, folder });
}

async function call<T>(
  method: string,
  path: string,
  query: Record<string, string>,
  body?: string,
): Promise<T> {
  const url = `http://127.0.0.1:${ports.smtpControl}${path}?${new URLSearchParams(query).toString()}`;
  const response = await fetch(url, { method, body: body ?? null });
  if (!response.ok) throw new Error(`control port: ${response.status} ${await response.text()}`);
  return response.json<T>();
}
