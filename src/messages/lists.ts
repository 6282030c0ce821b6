import { messageFrom, type Message } from "./message.ts";

/** Lists in messages that are too long to be given whole. */
export const LISTS = {
  and_more: "{names} and {count} more",
} as const;

/** Returns the names with commas between them, and the number of those that are left out. */
export function listOf(names: readonly string[], total: number): string | Message {
  const listed = names.join(", ");
  const count = total - names.length;
  return count > 0 ? messageFrom(LISTS, "and_more", { names: listed, count }) : listed;
}
