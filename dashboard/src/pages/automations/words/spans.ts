export const UNITS = ["minute", "hour", "day", "week"] as const;
export type Unit = (typeof UNITS)[number];

/** Reads a span such as "3 days". */
export function readSpan(text: string): { amount: number; unit: Unit } {
  const [, amount, name] = /^(\d+) ([a-z]+?)s?$/.exec(text) ?? [];
  return { amount: Number(amount ?? 0), unit: UNITS.find((unit) => unit === name) ?? "day" };
}

/** Writes a span as the API takes it: "1 day", "3 days". */
export const writeSpan = (amount: number, unit: Unit): string =>
  `${amount} ${unit}${amount === 1 ? "" : "s"}`;
