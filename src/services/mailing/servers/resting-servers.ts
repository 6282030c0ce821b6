import { logLine } from "../../../lib/log-line.ts";
import { accountOf, type SmtpSettings } from "../../../mail/smtp/index.ts";

/** The time for which mail goes to the fallback first after the first server has failed. */
const REST_MS = 60_000;

/** The largest number of servers that an isolate remembers. Beyond that, it forgets the oldest. */
const RESTING_MAX = 1_000;

/** The last error of a server that takes no mail. */
export interface ServerFault {
  error: string;
  /** True if the same settings may work later. */
  temporary: boolean;
}

/** The first servers that have failed, by account, with the time until which each is left alone. */
const resting = new Map<string, { untilMs: number; fault: ServerFault }>();

/**
 * Returns undefined when mail may go to the first server, or the fault because of which the server
 * is left alone. After the rest, one caller tries the server. The others leave it alone until it
 * has answered.
 */
export function restOf(server: SmtpSettings, now: number): ServerFault | undefined {
  const rest = resting.get(accountOf(server));
  if (!rest || now < rest.untilMs) return rest?.fault;
  rest.untilMs = now + REST_MS;
  return undefined;
}

/** Leaves a server alone for a while. Logs only the first of several failures in a row. */
export function letRest(server: SmtpSettings, now: number, fault: ServerFault): void {
  const [oldest] = resting.keys();
  if (resting.size >= RESTING_MAX && oldest !== undefined) resting.delete(oldest);
  if (!resting.has(accountOf(server)))
    logLine("warn", "smtp_server_failed", { host: server.host, error: fault.error });
  resting.set(accountOf(server), { untilMs: now + REST_MS, fault });
}

/** Ends the rest of a server that has taken mail again. */
export function endRest(server: SmtpSettings): void {
  if (resting.delete(accountOf(server))) logLine("info", "smtp_server_back", { host: server.host });
}
