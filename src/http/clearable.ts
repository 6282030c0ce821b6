import { z, type ZodType } from "zod";
import { writtenAs } from "./route/written-as.ts";

/**
 * Returns a text field in which "" clears the stored value (becomes null). `words` describes the
 * text.
 */
export function clearable<Output>(field: ZodType<Output, string>, words: string) {
  const cleared = z.string().transform((text, context): Output | null => {
    if (text.trim() === "") return null;
    const parsed = field.safeParse(text);
    if (parsed.success) return parsed.data;
    // A union would replace these messages with its own.
    for (const issue of parsed.error.issues)
      context.issues.push({ ...issue, input: text } as z.core.$ZodRawIssue); // input of `field`
    return z.NEVER;
  });
  return writtenAs(cleared, z.string().describe(`${words} "" clears it.`));
}
