import type { Choices, ImportAnswer } from "./list-import.ts";
import { valuesOf } from "./run-import.ts";

/** A text that is a single tag, whatever separator its format uses. */
const ONE_TAG = /^[\p{L}\p{N} _-]+$/u;

/**
 * Returns what the subscribers of an import have in common, as URL parameters of a new broadcast:
 * the only topic selected for them, or the only tag that all rows have.
 */
export function audienceOfImport(
  file: string,
  { columns, mapping }: ImportAnswer,
  { topics = [] }: Choices,
): { topic_id?: string; tag?: string } {
  const [topic_id] = topics;
  if (topic_id !== undefined && topics.length === 1) return { topic_id };
  const tags = mapping.tags === undefined ? [] : valuesOf(file, columns, mapping.tags);
  const [tag] = tags;
  return tag !== undefined && tags.length === 1 && ONE_TAG.test(tag) ? { tag } : {};
}
