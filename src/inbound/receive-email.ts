import type { Deps } from "../deps.ts";
import { errorText, logLine } from "../lib/log-line.ts";
import { receiveMail, type Reception } from "../services/bounces/index.ts";
import { readStart } from "./read-start.ts";

/** The bytes that are read of a mail: the facts of a report are at its beginning. */
const MAX_BYTES = 200_000;

/** The time that the beginning of a mail may take to arrive. */
const READ_MS = 10_000;

/** A mail of Email Routing; that of wrangler's local service does not say `canBeForwarded`. */
type RoutedMail = Pick<
  ForwardableEmailMessage,
  "from" | "to" | "raw" | "rawSize" | "setReject" | "forward"
> & { canBeForwarded?: boolean };

/**
 * Handles a mail of Cloudflare's Email Routing. An error makes Cloudflare answer its sender with a
 * temporary failure, and the sender tries again (decision D31).
 */
export async function receiveEmail(deps: Deps, message: RoutedMail): Promise<void> {
  const raw = await readStart(message.raw, MAX_BYTES, READ_MS);
  const reception = await receiveMail(deps, {
    from: message.from,
    to: message.to,
    raw,
    size: message.rawSize,
  });
  const result = await answer(message, reception);
  logLine("info", "email_received", { result, bytes: message.rawSize, ...factsOf(reception) });
}

async function answer(message: RoutedMail, reception: Reception): Promise<Reception["kind"]> {
  if (reception.kind === "refuse") message.setReject(reception.reason);
  if (reception.kind !== "forward") return reception.kind;
  if (message.canBeForwarded === false) {
    message.setReject("This mail cannot be forwarded: its sender is not authenticated.");
    return "refuse";
  }
  try {
    await message.forward(reception.to);
  } catch (error) {
    logLine("error", "email_forward_failed", { error: errorText(error) });
    throw error; // the sender tries again, until somebody has verified the address
  }
  return reception.kind;
}

function factsOf(reception: Reception) {
  if (reception.kind === "ignored") return { why: reception.why };
  if (reception.kind === "inspected") return { projectId: reception.projectId };
  if (reception.kind !== "recorded") return {};
  const { projectId, suppressed } = reception;
  return { projectId, suppressed };
}
