import type { StoredMessage } from "./message-store.ts";
import { buildBounce, buildComplaint, type ReportKind } from "./returned-mail.ts";

const TIMEOUT_MS = 60_000;
const SHOWN_CHARACTERS_MAX = 300;

/** Result of a report; `status` is the HTTP status. */
export type HandedBack = { ok: true; to: string } | { ok: false; status: number; error: string };

/**
 * Sends a report to a mail's envelope sender: passes a bounce or a complaint to `email()` of the
 * local service, as Email Routing does. `serviceOrigin` is the address of `wrangler dev`.
 */
export async function handBack(
  serviceOrigin: string,
  kind: ReportKind,
  message: StoredMessage,
): Promise<HandedBack> {
  if (message.mailFrom === "")
    return refuse(409, "the envelope sender is empty: no report is sent");
  const { from, to, raw } = kind === "bounce" ? buildBounce(message) : buildComplaint(message);
  // The endpoint rejects an empty sender.
  const query = new URLSearchParams({ from: from || "<>", to }).toString();
  try {
    const response = await fetch(`${serviceOrigin}/cdn-cgi/handler/email?${query}`, {
      method: "POST",
      body: raw,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const said = (await response.text()).slice(0, SHOWN_CHARACTERS_MAX);
    if (response.ok) return { ok: true, to };
    return refuse(502, `the service answered ${response.status}: ${said}`);
  } catch (error) {
    return refuse(502, `the service at ${serviceOrigin} does not answer: ${String(error)}`);
  }
}

const refuse = (status: number, error: string) => ({ ok: false, status, error }) as const;
