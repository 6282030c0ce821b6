/*
 * Fetches the files that a mail attaches by URL.
 *
 * Their servers are not trustworthy: one may hang, redirect into our network or answer endlessly.
 * One timeout covers all files, which are fetched one after another, so that at most the bytes that
 * one mail may have are in memory. Each URL passes the host guard, and no redirect is followed.
 */
import type { Deps } from "../../../../deps.ts";
import { refusal } from "../../../../errors.ts";
import { errorText, logLine } from "../../../../lib/log-line.ts";
import { PRODUCT } from "../../../../lib/product.ts";
import { readLimited } from "../../../../lib/read-limited.ts";
import {
  attachmentFaults,
  MAX_ATTACHMENT_BYTES,
  tooLarge,
  type Attachment,
} from "../../../../mail/mime-part.ts";
import { checkUrl } from "../../../../mail/net/host-guard.ts";
import { faultOf } from "../../../../messages/faults.ts";
import type { Message } from "../../../../messages/message.ts";
import { preflightReason } from "../../../../messages/preflight.ts";
import type { Extras, LinkedFile } from "../../compose.ts";

/** The time for the files of one mail. */
const TIMEOUT_MS = 10_000;

const HEADERS = { "User-Agent": `Postrider/${PRODUCT.version}` };

/** Returns the parts of a mail with its files attached. Throws attachment_not_fetched. */
export async function fetchFiles(deps: Deps, extras: Extras): Promise<Extras> {
  const { files = [], ...others } = extras;
  if (files.length === 0) return others;
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const attachments = [...extras.attachments];
  let left = attachments.reduce((bytes, one) => bytes - one.content.length, MAX_ATTACHMENT_BYTES);
  for (const file of files) {
    const attachment = await fetchFile(deps, file, left, timeout);
    left -= attachment.content.length;
    attachments.push(attachment);
  }
  return { ...others, attachments };
}

async function fetchFile(
  deps: Deps,
  file: LinkedFile,
  maxBytes: number,
  timeout: AbortSignal,
): Promise<Attachment> {
  const { path, filename, contentType, contentId } = file;
  const refuse = (reason: Message) => refusal("attachment_not_fetched", { path, reason });
  const checked = checkUrl(path, { allowPrivate: deps.config.allowPrivateTargets });
  if (!checked.ok) throw refuse(preflightReason("link_not_public", { reason: checked.reason }));
  const answer = await ask(deps, checked.url, maxBytes, timeout);
  if (!("headers" in answer)) throw refuse(answer);
  const { headers, bytes: content } = answer;
  const attachment = {
    filename: filename ?? nameIn(headers, checked.url),
    contentType: contentType ?? headers.get("Content-Type") ?? "application/octet-stream",
    ...(contentId === undefined ? {} : { contentId }),
    content,
  };
  const [fault] = attachmentFaults(attachment);
  if (fault) throw refuse(faultOf(fault.rule));
  return attachment;
}

/** Returns the headers and the body of a file, or the reason why there are none. */
async function ask(
  deps: Deps,
  url: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<{ headers: Headers; bytes: Uint8Array } | Message> {
  try {
    const answer = await deps.fetch(url, { headers: HEADERS, redirect: "manual", signal });
    if (!answer.ok) {
      await answer.body?.cancel();
      return preflightReason("link_status", { status: String(answer.status) });
    }
    const read = await readLimited(answer.body, maxBytes);
    return read.ok ? { headers: answer.headers, bytes: read.bytes } : tooLarge();
  } catch (error) {
    if (signal.aborted) return preflightReason("link_slow");
    logLine("warn", "attachment_unreachable", { error: errorText(error) });
    return preflightReason("link_unreachable");
  }
}

/** The file name of a Content-Disposition header (RFC 6266), encoded or not. */
const NAME =
  /;\s*filename(?:\*\s*=\s*UTF-8'[^']*'([^;\s]+)|\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s"]+)))/i;

/** Returns the name of a file: that of its answer, otherwise the end of its URL. */
function nameIn(headers: Headers, url: string): string {
  const [, encoded, quoted, token] = NAME.exec(headers.get("Content-Disposition") ?? "") ?? [];
  const plain = quoted?.replaceAll(/\\(.)/g, "$1") ?? token;
  const last = new URL(url).pathname.split("/").at(-1);
  return plain ?? (decoded(encoded ?? last ?? "") || "attachment");
}

/** Returns a percent-encoded text, as it is if it does not decode. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
