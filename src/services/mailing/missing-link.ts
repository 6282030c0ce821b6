import { AppError } from "../../errors.ts";

/** The names of the automatic unsubscribe link (API reference §10.3). */
const LINK_NAMES = ["unsubscribe_url", "unsubscribe_link"];

const NO_SUBSCRIBER =
  "the mail prints {{unsubscribe_link}}, but its recipient is not addressed as a subscriber, " +
  "so there is no such link: send to a subscriber, give the link in data, or leave it out";

/** The variables of a mail to an address. They detect a template that prints the missing link. */
export interface WatchedData {
  data: Record<string, unknown>;
  /** Throws suppressed (422) if the template has printed the link. */
  requireUnprinted: () => void;
}

/**
 * Adds a value for each name of the unsubscribe link that the data lacks. Handlebars treats an
 * empty array as false in `{{#if}}`, so a template may test for the link. If the template prints
 * the value, the conversion to text sets a flag.
 */
export function watchLink(given: Record<string, unknown>): WatchedData {
  let isPrinted = false;
  const missing = Object.assign([], {
    toString() {
      isPrinted = true;
      return "";
    },
  });
  const lacking = LINK_NAMES.filter((name) => isBlank(given[name]));
  return {
    data: { ...given, ...Object.fromEntries(lacking.map((name) => [name, missing])) },
    requireUnprinted() {
      if (isPrinted) throw new AppError("suppressed", NO_SUBSCRIBER);
    },
  };
}

const isBlank = (value: unknown) => value === undefined || value === null || value === "";
