/** A part of a template, named by its field. */
export type PartName = "subject" | "html_body" | "text_body";

/** The codes of problems that make a send fail. */
export const ERRORS = ["syntax", "render", "html", "empty"] as const;
/** The codes of all other problems. */
export const WARNINGS = [
  "unknown_variable",
  "no_unsubscribe_link",
  "link",
  "image_without_alt",
  "too_large",
  "no_text_part",
  "no_subject",
] as const;

export type ProblemCode = (typeof ERRORS)[number] | (typeof WARNINGS)[number];

/** A fault of a template, with its place in the source of the part if it has one. */
export interface Problem {
  code: ProblemCode;
  field: PartName;
  line: number | null;
  column: number | null;
  message: string;
}

/** A place in a source. Lines and columns count from 1. */
export interface Place {
  line: number;
  column: number;
}

/** Returns a problem of a part. Without a place, the problem concerns the whole part. */
export function problem(
  code: ProblemCode,
  field: PartName,
  message: string,
  place?: { line: number; column?: number | undefined },
): Problem {
  return { code, field, line: place?.line ?? null, column: place?.column ?? null, message };
}

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
