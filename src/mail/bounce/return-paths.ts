/**
 * Addresses at which a report arrived, and the envelope senders that it quotes: one of them may be
 * the return path of the returned mail.
 *
 * They are untrusted; callers verify them.
 */
import type { EmailAddress } from "../address.ts";
import type { Report } from "./bounced-recipients.ts";
import { findAllAddresses } from "./find-addresses.ts";
import { type HeaderFields, readFields } from "./header-fields.ts";

/**
 * Fields in which a mail server records the envelope recipient, best first; needed for a catch-all.
 */
const RECIPIENT_FIELDS = [
  "delivered-to",
  "x-original-to",
  "x-delivered-to",
  "envelope-to",
  "x-envelope-to",
  "to",
];
/** Fields with the envelope sender, in a returned mail and in Postfix's status parts. */
const SENDER_FIELDS = ["return-path", "x-envelope-from", "x-postfix-sender"];
const MAX_VALUE_LENGTH = 2000;
const MAX_ADDRESSES = 20;

/** Returns at most 20 addresses, best first. */
export function findReturnPaths(headers: HeaderFields, report: Report): EmailAddress[] {
  const statuses = report.message.deliveryStatus.map((part) => readFields(part.split("\n")));
  const found = [
    ...addressesIn(headers, RECIPIENT_FIELDS),
    ...[...report.originals, ...statuses].flatMap((fields) => addressesIn(fields, SENDER_FIELDS)),
  ];
  return [...new Set(found)].slice(0, MAX_ADDRESSES);
}

const addressesIn = (fields: HeaderFields, names: string[]) =>
  names
    .flatMap((name) => fields.get(name) ?? [])
    .flatMap((value) => findAllAddresses(value.slice(0, MAX_VALUE_LENGTH)));
