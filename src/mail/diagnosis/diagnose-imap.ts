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
import { imapRemedy } from "./imap-remedies.ts";
import { investigateTls, type TlsWorld } from "./investigate-tls.ts";
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
  const { host, port, user, password } = settings;
  const hideText = secretHider(user, password);
  const hide = (message: ConnectionMessage) => withTexts(message, hideText);
  const reason = await checkReach(world, host, log);
  if (reason !== undefined) {
    const error = connectionMessage("not_connected", { server: `${host}:${port}`, reason });
    return { ok: false, error, steps: log.steps };
  }
  try {
    const timeouts = { ...TIMEOUTS, connectMs: CONNECT_MS - elapsed() };
    const session = await ImapSession.open(settings, world.sockets, timeouts, (step, found) =>
      log.succeeded(step, hide(found)),
    );
    try {
      await session.select(settings.folder);
      log.succeeded("folder", connectionMessage("server_said", { words: settings.folder }));
      const unseen = (await session.searchUnseen(limit)).length;
      log.succeeded("unread", connectionMessage("unread_counted", { count: unseen }));
      return { ok: true, unseen, steps: log.steps };
    } finally {
      await session.logout();
    }
  } catch (error) {
    if (!(error instanceof ImapError)) throw error;
    const step = ORDER.find((name) => !log.hasPassed(name)) ?? "unread";
    log.failed(step, hide(reasonOf(error)), imapRemedy(step, error, port));
    const explained = isTlsFault(step, error)
      ? await investigateTls(world, suspectOf(settings, step), log, TOTAL_MS - elapsed())
      : undefined;
    return { ok: false, error: explained ?? hide(error.reason), steps: log.steps };
  }
}

/** A connection that is refused, or closed before its greeting, may mean a rejected certificate. */
function isTlsFault(step: StepName, { fault }: ImapError): boolean {
  return step === "connect" ? fault === "refused" : step === "greeting" && fault === "closed";
}

const suspectOf = ({ host, port }: ImapSettings, step: StepName) => ({
  host,
  port,
  hostField: "host",
  plainTextRemedy: remedyOf("use_port_993"),
  isCertain: step === "connect",
});

/** Returns the reason without host and port, which the caller knows. */
function reasonOf({ reason, cause }: ImapError): ConnectionMessage {
  return cause instanceof ConnectionError ? cause.reason : reason;
}
