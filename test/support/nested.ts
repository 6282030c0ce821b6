/** Nests objects to this depth. */
export const nested = (levels: number): object => (levels === 1 ? {} : { in: nested(levels - 1) });
