/** Asks whether what is typed may be lost. */
type Ask = () => Promise<boolean>;

const asks = new Set<Ask>();

const first = () => asks.values().next().value;

/** The forms of the page that would lose something. The first one asks for all of them. */
export const unsaved = {
  /** Adds a form; the returned function takes it out again. */
  add: (ask: Ask): (() => void) => {
    asks.add(ask);
    return () => void asks.delete(ask);
  },
  isFirst: (ask: Ask): boolean => first() === ask,
  mayLeave: async (): Promise<boolean> => (await first()?.()) ?? true,
};
