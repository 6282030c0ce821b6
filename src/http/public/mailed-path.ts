import type { HttpCall } from "../middleware/build-context.ts";
import { answerClick } from "./click.ts";
import { answerPixel } from "./open-pixel.ts";
import type { VisitContext } from "./visit-context.ts";

/** The URL of a pixel or link, exactly as mails contain it. */
const MAILED = /^https?:\/\/[^/]+\/(?:t\/([0-9a-f-]{36})\.gif|c\/([0-9a-f-]{36})\/([\w.-]+))$/;

/**
 * Answers a visit to a URL spelled as in a mail, bypassing the router; undefined for any other
 * request.
 */
export function answerMailedPath(
  entry: VisitContext,
  call: HttpCall,
): Promise<Response> | undefined {
  const { request } = call;
  const match = request.method === "GET" ? MAILED.exec(request.url) : null;
  if (!match) return undefined;
  const [, pixelOf, logId, payload] = match;
  if (pixelOf !== undefined) return answerPixel(entry, call, pixelOf);
  return logId === undefined || payload === undefined
    ? undefined
    : answerClick(entry, call, logId, payload);
}
