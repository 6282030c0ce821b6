/** Asks whether unsaved input may be discarded. */
type Ask = () => Promise<boolean>;

const asks = new Set<Ask>();

const first = () => asks.values().next().value;

/** Forms of the page with unsaved input. The first one asks on behalf of all. */
export const unsaved = {
  /** Adds a form; the returned function removes it. */
  add: (ask: Ask): (() => void) => {
    asks.add(ask);
    return () => void asks.delete(ask);
  },
  isFirst: (ask: Ask): boolean => first() === ask,
  mayLeave: async (): Promise<boolean> => (await first()?.()) ?? true,
};
