/** The mails by status, and the number of accepted ones that have since been opened and clicked. */
export interface MailTotals {
  sent: number;
  failed: number;
  bounced: number;
  suppressed: number;
  opened: number;
  clicked: number;
}

const NOTHING: MailTotals = {
  sent: 0,
  failed: 0,
  bounced: 0,
  suppressed: 0,
  opened: 0,
  clicked: 0,
};

export function addUp(counts: MailTotals[]): MailTotals {
  const names = Object.keys(NOTHING) as (keyof MailTotals)[];
  const total = { ...NOTHING };
  for (const count of counts) for (const name of names) total[name] += count[name];
  return total;
}

/** Shares in percent with two decimals; 0 if the divisor is 0. */
export interface Shares {
  deliverability: number;
  openRate: number;
  clickRate: number;
  clickToOpen: number;
}

/** Returns the shares of totals (API reference §16.3). */
export function sharesOf({ sent, failed, bounced, opened, clicked }: MailTotals): Shares {
  return {
    deliverability: percent(sent, sent + failed + bounced),
    openRate: percent(opened, sent),
    clickRate: percent(clicked, sent),
    clickToOpen: percent(clicked, opened),
  };
}

const percent = (part: number, whole: number) =>
  whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 100;
