/*
 * Two servers of one sender. The fallback takes a message only if the first server has not begun to
 * take its content. A first server that failed is left alone for a while.
 */
import { logLine } from "../../lib/log-line.ts";
import { connectionMessage } from "../../messages/connections.ts";
import { NoFreeSession, SmtpConnectError } from "./connect-error.ts";
import type { SendResult } from "./message.ts";
import { accountOf, type SmtpSettings } from "./settings.ts";
import { isUntouched } from "./untouched.ts";

/** The time for which mail goes to the fallback first after the first server has failed. */
const REST_MS = 60_000;

/** The largest number of servers that an isolate remembers. Beyond that, it forgets the oldest. */
const RESTING_MAX = 1_000;

/** The servers of a sender. */
export interface Servers {
  smtp: SmtpSettings;
  fallback?: SmtpSettings | undefined;
}

/** A result, and the role of the server that gave it. */
export interface ServerResult {
  result: SendResult;
  role: SmtpSettings["role"];
  /** The failed attempt at the first server, if there was one. */
  earlier?: { at: number; error: string } | undefined;
}

/** The last error of a server that takes no mail. */
interface ServerFault {
  error: string;
  /** True if the same settings may work later. */
  temporary: boolean;
}

/** The first servers that have failed, by account, with the time until which each is left alone. */
const resting = new Map<string, { untilMs: number; fault: ServerFault }>();

/**
 * Sends a message to the first server. If that opens no session, or ends the session with a 421
 * before the content begins, sends it to the fallback, if there is one and `isOver` returns false.
 * @throws SmtpConnectError when neither server opens a session
 */
export async function sendWithFailover(
  { smtp, fallback }: Servers,
  now: () => number,
  send: (settings: SmtpSettings) => Promise<SendResult>,
  isOver = () => false,
): Promise<ServerResult> {
  if (!fallback) return { result: await send(smtp), role: smtp.role };
  const rest = restOf(smtp, now());
  const first = rest ? { fault: rest } : await tryFirst(smtp, send, isOver);
  if ("result" in first) {
    endRest(smtp);
    return { result: first.result, role: smtp.role };
  }
  const { fault } = first;
  const earlier = rest ? undefined : { at: now(), error: fault.error };
  if (!rest) letRest(smtp, now(), fault);
  try {
    return { result: await send(fallback), role: fallback.role, earlier };
  } catch (error) {
    if (error instanceof SmtpConnectError) throw neither(error, fault);
    throw error;
  }
}

async function tryFirst(
  smtp: SmtpSettings,
  send: (settings: SmtpSettings) => Promise<SendResult>,
  isOver: () => boolean,
): Promise<{ result: SendResult } | { fault: ServerFault }> {
  try {
    const result = await send(smtp);
    return isUntouched(result) && !isOver() ? { fault: faultOf(result) } : { result };
  } catch (error) {
    const isOfServer = error instanceof SmtpConnectError && !(error instanceof NoFreeSession);
    if (!isOfServer || isOver()) throw error;
    return { fault: { error: error.message, temporary: error.temporary } };
  }
}

/** Returns the fault in the result of a message that a server did not begin to take. */
function faultOf({ recipients: [one] }: SendResult): ServerFault {
  const isPermanent = one?.outcome === "not_sent" && (one.reply?.code ?? 0) >= 500;
  return { error: one?.error ?? "", temporary: !isPermanent };
}

/**
 * Returns the error of a message that neither server took. A login that the fallback refuses counts
 * as such only if the first server's fault is permanent, too.
 */
function neither(error: SmtpConnectError, fault: ServerFault): SmtpConnectError {
  const { phase, step } = error;
  const temporary = error.temporary || fault.temporary;
  const reason = connectionMessage("both_servers_failed", {
    fallback: error.reason,
    first: fault.error,
  });
  const reply = fault.temporary ? undefined : error.reply;
  return new SmtpConnectError(reason, { phase, step, reply, temporary, cause: error });
}

/**
 * Returns undefined when mail may go to the first server, or the fault because of which the server
 * is left alone. After the rest, one caller tries the server. The others leave it alone until it
 * has answered.
 */
function restOf(server: SmtpSettings, now: number): ServerFault | undefined {
  const rest = resting.get(accountOf(server));
  if (!rest || now < rest.untilMs) return rest?.fault;
  rest.untilMs = now + REST_MS;
  return undefined;
}

/** The time until which mail goes to the fallback first, and why. */
export interface Cooldown {
  untilMs: number;
  error: string;
}

/** Returns the cooldown of an account. */
export function cooldownOf(account: string | undefined, now: number): Cooldown | undefined {
  const rest = account === undefined ? undefined : resting.get(account);
  if (!rest || now >= rest.untilMs) return undefined;
  return { untilMs: rest.untilMs, error: rest.fault.error };
}

/** Leaves a server alone for a while. Logs only the first of several failures in a row. */
function letRest(server: SmtpSettings, now: number, fault: ServerFault): void {
  const [oldest] = resting.keys();
  if (resting.size >= RESTING_MAX && oldest !== undefined) resting.delete(oldest);
  if (!resting.has(accountOf(server)))
    logLine("warn", "smtp_server_failed", { host: server.host, error: fault.error });
  resting.set(accountOf(server), { untilMs: now + REST_MS, fault });
}

/** Ends the rest of a server that has taken mail again. */
function endRest(server: SmtpSettings): void {
  if (resting.delete(accountOf(server))) logLine("info", "smtp_server_back", { host: server.host });
}
