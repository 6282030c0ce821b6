/** Meanings of provider events. All other events report nothing about an address. */
const WORDS = {
  /** Mail to the address can never arrive. */
  permanent: `
    permanent perm hard hardbounce hardbounced hardfail hardfailed permanentbounce permanenterror
    permanentfail permanentfailed permanentfailure invalidemail`,
  /** A mail was not accepted; words and codes tell whether the address is at fault. */
  failure: `
    bounce bounced fail failed failure rejected undeliverable undelivered bouncedaddress invalid`,
  /** The mailbox currently accepts no mail. */
  soft: `
    soft softbounce softbounced temporary temp transient temporaryfail temporaryfailed
    temporaryfailure`,
  /** The provider or the server blocked a mail for a reason other than the address. */
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

const lookUp = (text: string) => MEANINGS.get(text.toLowerCase().replace(/[\s_-]/g, ""));

/**
 * Returns the meaning of an event, or of a value of `type`; undefined if it is not about an
 * address. For a mail dropped by SendGrid, the reason decides. Sources: the webhook references of
 * Mailgun, SendGrid, Mailjet, Brevo and SparkPost.
 */
export const meaningOf = (name: string, reason: string): EventMeaning | undefined =>
  lookUp(name) ?? (/^dropped$/i.test(name) ? lookUp(reason) : undefined);

/** Names of events that the provider itself retries. */
export const DELAY = /defer|delay|warn|retry/i;
