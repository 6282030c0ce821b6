import type { Deps } from "../deps.ts";
import { errorText, logLine } from "../lib/log-line.ts";
import { receiveMail, type Reception } from "../services/bounces/index.ts";
import { readStart } from "./read-start.ts";

/** Bytes to read of a message: the facts of a report are at its beginning. */
const MAX_BYTES = 200_000;

/** Timeout for the beginning of a message. */
const READ_MS = 10_000;

/** A message from Email Routing. Wrangler's local service does not set `canBeForwarded`. */
type RoutedMail = Pick<
  ForwardableEmailMessage,
  "from" | "to" | "raw" | "rawSize" | "setReject" | "forward"
> & { canBeForwarded?: boolean };

/**
 * Handles a message from Cloudflare's Email Routing. If this throws, Cloudflare answers with a
 * temporary failure, and the sender retries (decision D31).
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
    throw error; // the sender retries until the address is verified
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
