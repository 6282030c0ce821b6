const numbers = new Intl.NumberFormat("de");

/** Writes a number of the service as Germans do. */
export const germanNumber = (digits: string | undefined): string => numbers.format(Number(digits));
