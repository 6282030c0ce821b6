/** Counts of a broadcast from which rates follow. */
export interface Counted {
  sent: number;
  bounced: number;
  opened_human: number;
  clicked_human: number;
  unsubscribed: number;
}

/** The rates of a broadcast, in percent; null without an email that could have been counted. */
export type Rates = Record<(typeof RATES)[number], number | null>;

export const RATES = ["opened", "clicked", "unsubscribed", "bounced"] as const;

/** Returns a share in percent; null of nothing. */
export const shareOf = (part: number, whole: number): number | null =>
  whole > 0 ? (part / whole) * 100 : null;

export const ratesOf = ({ sent, bounced, ...counted }: Counted): Rates => ({
  opened: shareOf(counted.opened_human, sent),
  clicked: shareOf(counted.clicked_human, sent),
  unsubscribed: shareOf(counted.unsubscribed, sent),
  bounced: shareOf(bounced, sent + bounced),
});

/** Returns the median of the values that are not null; null without any. */
export function medianOf(values: readonly (number | null)[]): number | null {
  const sorted = values.filter((value) => value !== null).toSorted((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}
