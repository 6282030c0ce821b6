import type { IncomingMessage } from "node:http";

/**
 * Detects a request from a page of another site. Browsers send Sec-Fetch-Site, old ones Origin;
 * other programs send neither.
 */
export function isForeign({ headers }: IncomingMessage): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined) return site !== "same-origin" && site !== "none";
  return headers.origin !== undefined && headers.origin !== `http://${headers.host}`;
}
