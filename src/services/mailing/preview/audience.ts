import { NIL_UUID } from "../../../lib/ids.ts";
import { VARIABLES, type MailedSubscriber } from "../../../db/subscriber-columns.ts";
import { addressData, linkVariables, subscriberData, viewVariables } from "../variables.ts";

/** The recipients that a preview or test assumes. */
export type Audience =
  | { kind: "subscriber"; subscriber: MailedSubscriber; data: Record<string, unknown> }
  /** An address for which the send supplies the data. */
  | { kind: "address"; data: Record<string, unknown> }
  /** Subscribers in general, with the names that occur in their metadata. */
  | { kind: "list"; metadataKeys: string[] };

/** The links of a preview, which work for nobody. */
interface Links {
  unsubscribeLink: string;
  viewLink: string;
}

/** The variables of an audience. */
export interface Variables {
  /** The data to render with. */
  data: Record<string, unknown>;
  /**
   * The variables that exist. The value `undefined` stands for a variable that may have any value.
   */
  known: Record<string, unknown>;
}

/** Returns the variables that mail to an audience has (API reference §10.3). */
export function variablesOf(audience: Audience, { unsubscribeLink, viewLink }: Links): Variables {
  switch (audience.kind) {
    case "address": {
      const data = addressData(audience.data, unsubscribeLink);
      return { data, known: data };
    }
    case "subscriber": {
      const data = subscriberData(audience.subscriber, audience.data, unsubscribeLink, viewLink);
      return { data, known: data };
    }
    case "list": {
      const data = { ...linkVariables(unsubscribeLink), ...viewVariables(viewLink) };
      const keys = audience.metadataKeys.map((key) => [key, undefined] as const);
      const metadata: Record<string, unknown> = Object.fromEntries(keys);
      const own = ["subscriber_id", ...VARIABLES].map((name) => [name, undefined] as const);
      return { data, known: { ...Object.fromEntries(own), ...data, metadata } };
    }
  }
}

/** Returns true if a path leads to a variable that exists, whatever its value. */
export function isKnown(known: unknown, path: string[]): boolean {
  const [first, ...rest] = path;
  if (first === undefined || known === undefined) return true;
  if (typeof known !== "object" || known === null || !Object.hasOwn(known, first)) return false;
  return isKnown((known as Record<string, unknown>)[first], rest);
}

/**
 * An id that no subscriber has. Previews and tests use it in the unsubscribe link. So nobody who
 * tries the link unsubscribes the subscriber whose data the mail shows.
 */
export const NO_SUBSCRIBER_ID = NIL_UUID;
