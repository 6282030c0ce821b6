/** The meanings of an event; any other event reports nothing that concerns an address. */
const WORDS = {
  /** Mail to the address can never arrive. */
  permanent: `
    permanent perm hard hardbounce hardbounced hardfail hardfailed permanentbounce permanenterror
    permanentfail permanentfailed permanentfailure invalidemail`,
  /** A mail was not accepted; the words and codes tell whether the address is at fault. */
  failure: `
    bounce bounced fail failed failure rejected undeliverable undelivered bouncedaddress invalid`,
  /** The mailbox takes no mail for now. */
  soft: `
    soft softbounce softbounced temporary temp transient temporaryfail temporaryfailed
    temporaryfailure`,
  /** The provider or the server blocked a mail for another reason than the address. */
  refusal: "blocked",
  complaint: `
    complaint complained spam spamcomplaint spamcomplained spamreport spamreported
    spamreportingaddress`,
  opt_out: "unsub unsubscribe unsubscribed listunsubscribe linkunsubscribe unsubscribedaddress",
} as const;

export type EventMeaning = keyof typeof WORDS;

const MEANINGS: ReadonlyMap<string, EventMeaning> = new Map(
  (Object.keys(WORDS) as EventMeaning[]).flatMap((meaning) =>
    WORDS[meaning]
      .trim()
      .split(/\s+/)
      .map((word) => [word, meaning] as const),
  ),
);

const meaningOf = (text: string) => MEANINGS.get(text.toLowerCase().replace(/[\s_-]/g, ""));

/**
 * Returns the meaning of an event, or of a value of `type`; undefined for one that concerns no
 * address. SendGrid drops a mail for what its reason says. Sources: the references of the webhooks
 * of Mailgun, SendGrid, Mailjet, Brevo and SparkPost.
 */
export const wordOf = (name: string, reason: string): EventMeaning | undefined =>
  meaningOf(name) ?? (/^dropped$/i.test(name) ? meaningOf(reason) : undefined);
