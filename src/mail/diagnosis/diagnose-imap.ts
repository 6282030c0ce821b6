/*
 * Tests a mailbox and records each step: DNS, address, connection, TLS, greeting, capabilities,
 * login, folder, search. Changes nothing in the mailbox. A failed step comes with a remedy. The
 * whole test takes at most `TOTAL_MS`.
 */
import { connectionMessage, type ConnectionMessage } from "../../messages/connections.ts";
import { withTexts } from "../../messages/message.ts";
import { remedyOf } from "../../messages/remedies.ts";
import { ConnectionError } from "../net/connection-error.ts";
import { secretHider } from "../net/hide-secrets.ts";
import { ImapError, ImapSession, type ImapSettings } from "../imap/index.ts";
import { checkReach, type Reach } from "./check-reach.ts";
import { logFailure, type Suspect, type TlsWorld } from "./log-failure.ts";
import { imapRemedy } from "./remedies.ts";
import { type Step, StepLog, type StepName } from "./step-log.ts";

/** The result of a test: the number of unread messages, or the reason for the failure. */
export type MailboxDiagnosis = { steps: Step[] } & (
  | { ok: true; unseen: number }
  | { ok: false; error: ConnectionMessage }
);

/** Maximum duration (API reference §14.1): 5 s to connect, 9 s for the session, 1 s to log out. */
const TOTAL_MS = 15_000;
const CONNECT_MS = 5_000;
const TIMEOUTS = { loginMs: 8_000, commandMs: 9_000, sessionMs: 9_000, logoutMs: 500 };

const ORDER: StepName[] = ["connect", "greeting", "capability", "login", "folder", "unread"];

/** Logs in, opens the folder and counts up to `limit` unread messages. */
export async function diagnoseMailbox(
  world: Reach & TlsWorld,
  settings: ImapSettings & { folder: string },
  limit: number,
): Promise<MailboxDiagnosis> {
  const startedAt = performance.now();
  const elapsed = () => performance.now() - startedAt;
  const log = new StepLog();
  const { port, user, password, folder } = settings;
  const hideText = secretHider(user, password);
  const hide = (message: ConnectionMessage) => withTexts(message, hideText);
  const unreachable = await checkReach(world, settings, log);
  if (unreachable) return { ok: false, error: unreachable, steps: log.steps };
  try {
    const timeouts = { ...TIMEOUTS, connectMs: CONNECT_MS - elapsed() };
    const session = await ImapSession.open(settings, world.sockets, timeouts, (step, found) =>
      log.succeeded(step, hide(found)),
    );
    try {
      await session.select(folder);
      log.succeeded("folder", connectionMessage("server_said", { words: folder }));
      const unseen = (await session.searchUnseen(limit)).length;
      log.succeeded("unread", connectionMessage("unread_counted", { count: unseen }));
      return { ok: true, unseen, steps: log.steps };
    } finally {
      await session.logout();
    }
  } catch (error) {
    if (!(error instanceof ImapError)) throw error;
    const step = ORDER.find((name) => !log.hasPassed(name)) ?? "unread";
    const { cause } = error;
    // The caller knows host and port.
    const reason = hide(cause instanceof ConnectionError ? cause.reason : error.reason);
    const failure = { step, reason, remedy: imapRemedy(step, error, port) };
    const suspect = suspectOf(step, error, settings);
    const explained = await logFailure(world, log, failure, suspect, TOTAL_MS - elapsed());
    return { ok: false, error: explained ?? hide(error.reason), steps: log.steps };
  }
}

/** A connection that is refused, or closed before its greeting, may mean a rejected certificate. */
function suspectOf(
  step: StepName,
  { fault }: ImapError,
  { host, port }: ImapSettings,
): Suspect | undefined {
  const isRefused = step === "connect" && fault === "refused";
  if (!isRefused && !(step === "greeting" && fault === "closed")) return undefined;
  const plainTextRemedy = remedyOf("use_port_993");
  return { host, port, hostField: "host", plainTextRemedy, isCertain: isRefused };
}
