/** Returns true if a schedule is due in the UTC minute of a time. */
export type CronSchedule = (time: Date) => boolean;

const FIELDS: { first: number; last: number; read: (time: Date) => number }[] = [
  { first: 0, last: 59, read: (time) => time.getUTCMinutes() },
  { first: 0, last: 23, read: (time) => time.getUTCHours() },
  { first: 1, last: 31, read: (time) => time.getUTCDate() },
  { first: 1, last: 12, read: (time) => time.getUTCMonth() + 1 },
  { first: 1, last: 7, read: (time) => time.getUTCDay() + 1 },
];

/**
 * Parses a cron expression of five fields with numbers, lists, ranges and steps. As on Cloudflare,
 * weekdays go from 1 for Sunday to 7. Throws for an unsupported expression.
 */
export function parseCron(expression: string): CronSchedule {
  const texts = expression.trim().split(/\s+/);
  if (texts.length !== FIELDS.length) throw new Error(`not a cron expression: ${expression}`);
  const matchers = FIELDS.map(({ first, last, read }, index) => {
    const allowed = parseField(texts[index] ?? "", first, last);
    return (time: Date) => allowed.has(read(time));
  });
  return (time) => matchers.every((matches) => matches(time));
}

function parseField(text: string, first: number, last: number): ReadonlySet<number> {
  const values = new Set<number>();
  for (const part of text.split(",")) {
    const match = /^(?:\*|(\d+)(?:-(\d+))?)(?:\/([1-9]\d*))?$/.exec(part);
    if (!match) throw new Error(`not a field of a cron expression: ${text}`);
    const [, from, to, step] = match;
    const start = Number(from ?? first);
    const end = Number(to ?? (from === undefined || step ? last : from));
    for (let value = start; value <= end; value += Number(step ?? 1)) values.add(value);
  }
  return values;
}
