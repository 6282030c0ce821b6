import type { IncomingMessage } from "node:http";

/**
 * Recognises a request that a page of another site sends. Browsers write Sec-Fetch-Site, old ones
 * Origin; other programs write neither.
 */
export function isForeign({ headers }: IncomingMessage): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined) return site !== "same-origin" && site !== "none";
  return headers.origin !== undefined && headers.origin !== `http://${headers.host}`;
}
