import { z, type ZodType } from "zod";
import { writtenAs } from "./route/written-as.ts";

/**
 * Returns the schema of a text field in which "" clears the stored value: it becomes null. `words`
 * say what the text is.
 */
export function clearable<Output>(field: ZodType<Output, string>, words: string) {
  const cleared = z
    .string()
    .transform((text) => (text.trim() === "" ? null : text))
    .pipe(z.union([z.null(), field]));
  return writtenAs(cleared, z.string().describe(`${words} "" clears it.`));
}
