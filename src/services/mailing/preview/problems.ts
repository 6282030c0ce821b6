import type { Message } from "../../../messages/message.ts";
import type { ContentProblemCode } from "../../../messages/templates.ts";

/** A part of a template, named by its field. */
export type PartName = "subject" | "preheader" | "html_body" | "text_body";

/** The codes of problems that make a send fail. */
export const ERRORS = ["syntax", "render", "empty"] as const satisfies ContentProblemCode[];
/** The codes of all other problems. */
export const WARNINGS = [
  "unknown_variable",
  "broadcasts_only",
  "no_unsubscribe_link",
  "link",
  "image_without_alt",
  "placeholder",
  "too_large",
  "no_text_part",
  "no_subject",
] as const satisfies ContentProblemCode[];

/** A fault of a template, with its place in the source of the part if it has one. */
export interface Problem extends Message<ContentProblemCode> {
  field: PartName;
  line: number | null;
  column: number | null;
}

/** A place in a source. Lines and columns count from 1. */
export interface Place {
  line: number;
  column: number;
}

/** Returns a problem of a part. Without a place, the problem concerns the whole part. */
export const problem = (
  said: Message<ContentProblemCode>,
  field: PartName,
  place?: { line: number; column?: number | undefined },
): Problem => ({ ...said, field, line: place?.line ?? null, column: place?.column ?? null });

/** Returns a fast function that converts offsets in a text to places. */
export function placesIn(text: string): (offset: number | undefined) => Place | undefined {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return (offset) => {
    if (offset === undefined) return undefined;
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}
