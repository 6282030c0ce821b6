/* Helpers for tests of IMAP: scripted servers, sessions with short time limits. */
import { connect } from "cloudflare:sockets";
import { type ImapSettings, ImapSession, type ImapTimeouts } from "../../../src/mail/imap/index.ts";
import { ports } from "../ports.ts";
import type { ImapRule, ImapScript } from "./script.ts";

/** For servers that answer. */
export const TEST_TIMEOUTS: ImapTimeouts = {
  connectMs: 20_000,
  loginMs: 20_000,
  commandMs: 20_000,
  sessionMs: 50_000,
  logoutMs: 500,
};

/**
 * For servers that never answer; long enough for what comes before the silence on a busy machine.
 */
export const SHORT_TIMEOUTS: ImapTimeouts = {
  connectMs: 20_000,
  loginMs: 1_000,
  commandMs: 1_000,
  sessionMs: 15_000,
  logoutMs: 100,
};

/** A scripted server as seen by a test. */
export interface ScriptedImap {
  port: number;
  /** Commands of all clients so far, line by line, in latin1 and with tags. */
  commands: () => Promise<string[]>;
}

/** Starts a server that plays a script; it ends with the run. */
export async function startImapServer(script: ImapScript): Promise<ScriptedImap> {
  const { port } = await call<{ port: number }>("/imap/start", {
    method: "POST",
    body: JSON.stringify(script),
  });
  return { port, commands: () => call<string[]>(`/imap/commands?port=${port}`) };
}

/** Rules of a server whose folder holds these messages unread, with UIDs from 1. */
export function holding(messages: string[]): ImapRule[] {
  const uids = messages.map((_, index) => index + 1);
  const fetched = uids.map(
    (uid) =>
      `* ${uid} FETCH (UID ${uid} BODY[]<0> {${messages[uid - 1]?.length}}\r\n${messages[uid - 1]})\r\n`,
  );
  return [
    { on: "UID SEARCH", steps: [{ send: `* SEARCH ${uids.join(" ")}\r\n<tag> OK done\r\n` }] },
    { on: "UID FETCH", steps: [{ send: `${fetched.join("")}<tag> OK done\r\n` }] },
  ];
}

/** Opens a session, by default as "ann" with password "secret" at localhost. */
export function openSession(
  settings: Partial<ImapSettings> & { port: number },
  timeouts: ImapTimeouts = TEST_TIMEOUTS,
): Promise<ImapSession> {
  const account = { host: "localhost", user: "ann", password: "secret" };
  return ImapSession.open({ ...account, ...settings }, connect, timeouts);
}

/** Logs in to a server with these rules and selects its INBOX. */
export async function openInbox(
  rules: ImapRule[],
  timeouts: ImapTimeouts = TEST_TIMEOUTS,
): Promise<ImapSession> {
  const session = await openSession(await startImapServer({ rules }), timeouts);
  await session.select("INBOX");
  return session;
}

async function call<T>(path: string, init?: RequestInit): Promise<T> {
  const response = await fetch(`http://127.0.0.1:${ports.smtpControl}${path}`, init);
  if (!response.ok) throw new Error(`control port: ${response.status} ${await response.text()}`);
  return response.json<T>();
}
