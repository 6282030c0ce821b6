import type { Deps } from "../../deps.ts";
import { AppError, refusal } from "../../errors.ts";
import { logLine } from "../../lib/log-line.ts";
import { domainOf, parseEmailAddress, type Mailbox } from "../../mail/address.ts";
import type { TrackingSwitches } from "../../lib/tracking-switches.ts";
import type { Utm } from "../../lib/utm.ts";
import type { SmtpSettings } from "../../mail/smtp/index.ts";
import type { ProjectRow } from "../access/index.ts";
import { bounceSettingsOf } from "./bounce-settings.ts";
import { mailSettingsOf } from "./mail-settings.ts";
import { openServer, type ServerRole } from "./mail-servers.ts";

/** The From of a project's mail, and what else the project says about its mail. */
export interface SenderAddress extends Mailbox {
  /** The pattern of the envelope sender (mail/return-path.ts); null for the From address itself. */
  returnPath?: string | null;
  /** The headers that the project adds to its mail, by the kind of mail. */
  headers?: Record<"send" | "broadcast", Record<string, string>>;
  tracking?: TrackingSwitches;
  utm?: Utm;
}

/**
 * The settings with which a project sends: its servers, the From of its mail, and how rejections
 * are interpreted.
 */
export interface Sender {
  smtp: SmtpSettings;
  /** The server used when the first one is unavailable. */
  fallback?: SmtpSettings | undefined;
  from: SenderAddress;
  /** True if each 5xx reply to RCPT TO suppresses the address (API reference §11.7). */
  suppressOnAny5xx: boolean;
}

/**
 * Decrypts the stored settings for sending, with one or both servers. A fallback that cannot be
 * decrypted is omitted. Throws 400 if the settings are not saved, if the host is no longer allowed,
 * and if there is no From address. Throws unavailable if no key decrypts the stored password.
 */
export async function openSender(
  deps: Deps,
  project: ProjectRow,
  servers: ServerRole | "both" = "both",
): Promise<Sender> {
  if (project.smtpHost === null) throw refusal("smtp_not_configured", {});
  const from = parseEmailAddress(project.fromEmail ?? project.smtpUser ?? "");
  if (!from.ok) throw refusal("no_from_address", {});
  const ehloName = domainOf(from.address);
  const smtp = await openServer(
    deps,
    project,
    servers === "fallback" ? "fallback" : "first",
    ehloName,
  );
  if (!smtp)
    throw refusal(servers === "fallback" ? "no_fallback_server" : "smtp_not_configured", {});
  const fallback = servers === "both" ? await openFallback(deps, project, ehloName) : undefined;
  const { suppressOnAny5xx, returnPath } = bounceSettingsOf(project);
  const { sendHeaders, broadcastHeaders, tracking, utm } = mailSettingsOf(project);
  const headers = {
    send: Object.fromEntries(sendHeaders),
    broadcast: Object.fromEntries(broadcastHeaders),
  };
  const sender = {
    from: {
      name: project.fromName ?? "",
      address: from.address,
      returnPath,
      headers,
      tracking,
      utm,
    },
    suppressOnAny5xx,
  };
  if (servers === "fallback")
    return { ...sender, smtp: { ...smtp, role: "fallback" }, fallback: undefined };
  if (!fallback) return { ...sender, smtp, fallback };
  return {
    ...sender,
    smtp: { ...smtp, role: "first" },
    fallback: { ...fallback, role: "fallback" },
  };
}

/** Decrypts the fallback. A failure must not keep the first server from sending. */
async function openFallback(
  deps: Deps,
  project: ProjectRow,
  ehloName: string,
): Promise<SmtpSettings | undefined> {
  try {
    return await openServer(deps, project, "fallback", ehloName);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    logLine("warn", "fallback_left_out", { projectId: project.id, error: error.message });
    return undefined;
  }
}
