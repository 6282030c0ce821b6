import { z, type ZodType } from "zod";
import { writtenAs } from "./route/written-as.ts";

/**
 * Returns the schema of a text field in which "" clears the stored value: it becomes null. `words`
 * describe the text.
 */
export function clearable<Output>(field: ZodType<Output, string>, words: string) {
  const cleared = z.string().transform((text, context): Output | null => {
    if (text.trim() === "") return null;
    const parsed = field.safeParse(text);
    if (parsed.success) return parsed.data;
    // A union would hide these words behind its own.
    for (const { message } of parsed.error.issues) context.addIssue({ code: "custom", message });
    return z.NEVER;
  });
  return writtenAs(cleared, z.string().describe(`${words} "" clears it.`));
}
