/*
 * Suppression lists of other services. docs/audience.md cites the sources of their columns, and
 * lists those that could not be verified.
 */
import { bounceBy, oneOf, type Cells, type ListFormat } from "./list-format.ts";

const tellsWhoLeft = () => true;

const ofSendgrid = (cell: Cells) =>
  bounceBy(cell("reason") === "" ? cell("status") : cell("reason"));

/** Returns the scope of an opt-out: `*` means all mail, other tags only part of it. */
function ofMailgun(tags: string) {
  const named = tags.replaceAll(/[[\]"'\s]/g, "");
  return named === "" || named.split(",").includes("*") ? "opted_out" : "unsubscribed";
}

export const SUPPRESSION_FORMATS: readonly ListFormat[] = [
  {
    name: "postmark_suppressions",
    has: ["emailaddress", "suppressionreason"],
    email: "emailaddress",
    says: (cell) =>
      oneOf(cell("suppressionreason"), {
        hardbounce: "bounced",
        spamcomplaint: "complained",
        manualsuppression: cell("origin").toLowerCase() === "recipient" ? "opted_out" : "blocked",
      }),
    tellsWhoLeft,
  },
  {
    name: "ses_suppressions",
    has: ["emailaddress", "reason"],
    email: "emailaddress",
    says: (cell) => oneOf(cell("reason"), { bounce: "bounced", complaint: "complained" }),
    tellsWhoLeft,
  },
  {
    name: "sendgrid_bounces", // the list of blocked addresses has the same columns
    has: ["status", "reason", "email", "created"],
    isExact: true,
    email: "email",
    says: ofSendgrid,
    tellsWhoLeft,
  },
  {
    name: "sendgrid_invalid_emails",
    has: ["reason", "email", "created"],
    isExact: true,
    email: "email",
    says: () => "bounced",
    tellsWhoLeft,
  },
  {
    name: "sendgrid_spam_reports",
    has: ["ip", "email", "created"],
    isExact: true,
    email: "email",
    says: () => "complained",
    tellsWhoLeft,
  },
  {
    name: "sendgrid_unsubscribes",
    has: ["email", "created"],
    isExact: true,
    email: "email",
    says: () => "opted_out",
    tellsWhoLeft,
  },
  {
    name: "mailgun_bounces",
    has: ["address", "code", "error"],
    email: "address",
    says: (cell) => bounceBy(`${cell("code")} ${cell("error")}`.trim()),
    tellsWhoLeft,
  },
  {
    name: "mailgun_unsubscribes",
    has: ["address", "tags", "createdat"],
    isExact: true,
    email: "address",
    says: (cell) => ofMailgun(cell("tags")),
    tellsWhoLeft,
  },
  {
    name: "mailgun_complaints",
    has: ["address", "createdat"],
    isExact: true,
    email: "address",
    says: () => "complained",
    tellsWhoLeft,
  },
];
