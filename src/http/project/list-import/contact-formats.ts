/*
 * Contact exports of other services. docs/audience.md cites the sources of their columns, and lists
 * those that could not be verified.
 */
import { eitherOr, oneOf, type ListFormat } from "./list-format.ts";

const MAILCHIMP = {
  email: "emailaddress",
  names: ["firstname", "lastname"],
  tags: "tags",
  drops: [
    "memberrating",
    "leid",
    "euid",
    "latitude",
    "longitude",
    "gmtoff",
    "dstoff",
    "lastchanged",
  ],
  tellsWhoLeft: () => true,
} satisfies Partial<ListFormat>;

export const CONTACT_FORMATS: readonly ListFormat[] = [
  {
    name: "listmonk",
    has: ["uuid", "email", "name", "attributes", "status"],
    email: "email",
    names: ["name"],
    json: "attributes",
    drops: ["uuid", "status", "updatedat"],
    says: (cell) =>
      oneOf(cell("status"), { enabled: "kept", disabled: "unsubscribed", blocklisted: "blocked" }),
    tellsWhoLeft: () => false, // unsubscribing removes people from its lists, which the file does not show
  },
  {
    name: "mailchimp_cleaned",
    has: ["emailaddress", "cleantime"],
    ...MAILCHIMP,
    says: () => "bounced",
  },
  {
    name: "mailchimp_unsubscribed",
    has: ["emailaddress", "unsubtime"],
    ...MAILCHIMP,
    says: () => "unsubscribed",
  },
  {
    name: "mailchimp_subscribed",
    has: ["emailaddress", "memberrating", "optintime", "confirmtime"],
    ...MAILCHIMP,
    // The file of contacts that never subscribed has the same columns, but these two are empty.
    says: (cell) => (cell("optintime") + cell("confirmtime") === "" ? "pending" : "kept"),
  },
  {
    name: "brevo",
    has: ["email", "addedtime", "modifiedtime"],
    email: "email",
    names: ["firstname", "lastname", "prenom", "nom"],
    tells: ["emailblacklisted"],
    drops: ["contactid", "modifiedtime", "emailblacklisted", "smsblacklisted"],
    says: (cell, has) =>
      has("emailblacklisted") ? eitherOr(cell("emailblacklisted"), "unsubscribed", "kept") : "kept",
    tellsWhoLeft: (has) => has("emailblacklisted"),
  },
  {
    name: "mailerlite",
    has: ["subscriber"],
    email: "subscriber",
    names: ["name", "lastname"],
    tags: "groups",
    tells: ["status", "unsubscribed"],
    drops: ["sent", "opens", "clicks", "status", "unsubscribed"],
    says: (cell, has) => {
      if (cell("unsubscribed") !== "") return "unsubscribed";
      if (!has("status")) return "kept";
      return oneOf(cell("status"), {
        active: "kept",
        unsubscribed: "unsubscribed",
        unconfirmed: "pending",
        bounced: "bounced",
        junk: "complained",
      });
    },
    tellsWhoLeft: (has) => has("status"), // unsubscription times do not cover bounces and complaints
  },
  {
    name: "resend",
    has: ["email", "unsubscribed"],
    email: "email",
    names: ["firstname", "lastname"],
    drops: ["id", "unsubscribed"],
    says: (cell) => eitherOr(cell("unsubscribed"), "unsubscribed", "kept"),
    tellsWhoLeft: () => true,
  },
  {
    name: "plunk",
    has: ["email", "subscribed"],
    email: "email",
    names: ["firstname", "lastname"],
    json: "data",
    drops: ["id", "subscribed", "updatedat"],
    says: (cell) => eitherOr(cell("subscribed"), "kept", "unsubscribed"),
    tellsWhoLeft: () => true,
  },
  {
    name: "sendgrid_contacts",
    has: ["email", "contactid", "createdat", "updatedat"],
    email: "email",
    names: ["firstname", "lastname"],
    drops: ["contactid", "updatedat"],
    says: () => "kept",
    tellsWhoLeft: () => false, // unsubscribed contacts are in a separate list
  },
];
