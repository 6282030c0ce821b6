import { AppError } from "../../errors.ts";

/** The names of the automatic unsubscribe link (API reference §10.3). */
const LINK_NAMES = ["unsubscribe_url", "unsubscribe_link"];

const NO_SUBSCRIBER =
  "the mail prints {{unsubscribe_link}}, but its recipient is not addressed as a subscriber, " +
  "so there is no such link: send to a subscriber, give the link in data, or leave it out";

/** Variables of a mail to an address, which notice when a template prints the link they lack. */
export interface WatchedData {
  data: Record<string, unknown>;
  /** Throws suppressed (422) if the link was printed since. */
  requireUnprinted: () => void;
}

/**
 * Puts a value under each name of the unsubscribe link that the data leaves out. Handlebars takes an
 * empty array for nothing in `{{#if}}`, so a template may ask for the link; turning it into text is
 * what printing does, and is noticed.
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
