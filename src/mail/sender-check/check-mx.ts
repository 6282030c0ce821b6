/*
 * Checks that a sender's domains can receive mail: replies, bounces, and callback verification by
 * servers.
 */
import { type CheckItem, itemOf, judged, NOT_ANSWERED } from "./check-item.ts";
import type { SenderFacts } from "./read-facts.ts";

/** A null MX (RFC 7505 §3): a preference, and the root as the exchange. */
const NULL_MX = /^\d+\s+\.$/;

export function checkMx({ receivers }: SenderFacts): CheckItem[] {
  return receivers.map(({ domain, mx, addresses }) => {
    if (!mx) return itemOf("mx", domain, NOT_ANSWERED);
    if (mx.some((data) => NULL_MX.test(data)))
      return itemOf("mx", domain, judged("problem", "null_mx"), mx);
    if (mx.length > 0) return itemOf("mx", domain, judged("ok", "mx_found"), mx);
    // Without MX records, address records serve as an implicit MX (RFC 5321 §5.1).
    const found = addresses.flatMap((answer) => answer ?? []);
    if (found.length > 0) return itemOf("mx", domain, judged("warning", "mx_missing"), found);
    if (addresses.includes(undefined)) return itemOf("mx", domain, NOT_ANSWERED);
    return itemOf("mx", domain, judged("problem", "mx_and_address_missing"));
  });
}
