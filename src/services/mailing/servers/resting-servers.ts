import { logLine } from "../../../lib/log-line.ts";
import { accountOf, type SmtpSettings } from "../../../mail/smtp/index.ts";

/** The time for which the fallback goes first after the first server failed. */
const REST_MS = 60_000;

/** The most servers that an isolate remembers; above it forgets the oldest. */
const RESTING_MAX = 1_000;

/** The last words of a server that takes no mail. */
export interface ServerFault {
  error: string;
  /** True if the same settings may work later. */
  temporary: boolean;
}

/** The first servers that failed, by account, and until when each is left alone. */
const resting = new Map<string, { untilMs: number; fault: ServerFault }>();

/**
 * Returns undefined when mail may go to the first server, or the fault for which it is left alone.
 * After the rest one caller tries the server, and the others leave it alone until it has answered.
 */
export function restOf(server: SmtpSettings, now: number): ServerFault | undefined {
  const rest = resting.get(accountOf(server));
  if (!rest || now < rest.untilMs) return rest?.fault;
  rest.untilMs = now + REST_MS;
  return undefined;
}

/** Leaves a server alone for a while. Logs the first failure in a row. */
export function letRest(server: SmtpSettings, now: number, fault: ServerFault): void {
  const [oldest] = resting.keys();
  if (resting.size >= RESTING_MAX && oldest !== undefined) resting.delete(oldest);
  if (!resting.has(accountOf(server)))
    logLine("warn", "smtp_server_failed", { host: server.host, error: fault.error });
  resting.set(accountOf(server), { untilMs: now + REST_MS, fault });
}

/** Ends the rest of a server that has served. */
export function endRest(server: SmtpSettings): void {
  if (resting.delete(accountOf(server))) logLine("info", "smtp_server_back", { host: server.host });
}
