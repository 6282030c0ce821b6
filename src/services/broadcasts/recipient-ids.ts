/** The number of digits in an id. A batch has at most 10,000 recipients. */
const DIGITS = 4;

/**
 * Returns the id of the recipient with this index. The index -1 is the cursor before the first. The
 * ids sort in the order of the recipients, and no subscriber has such an id.
 */
export function recipientId(index: number): string {
  return index < 0 ? "" : `#${String(index).padStart(DIGITS, "0")}`;
}

/** Returns the index of the recipient with this id. */
export function indexOfRecipient(id: string): number {
  return id === "" ? -1 : Number(id.slice(1));
}
