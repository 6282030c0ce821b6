import { errorText, logLine } from "../../lib/log-line.ts";
import type { SmtpSession } from "./session.ts";

/** Ends a session with QUIT and closes it. It takes at most twice `quitMs` and never rejects. */
export async function sayFarewell(session: SmtpSession): Promise<void> {
  try {
    await session.quit();
  } catch (error) {
    logLine("error", "smtp_farewell_failed", { error: errorText(error) });
  }
}
