import { z } from "zod";

/** The values that a text names: texts, numbers, or messages of their own. */
export const paramsAnswer = z.record(z.string(), z.unknown());

/** A message for people, and its code and params for programs. */
export const messageAnswer = z.strictObject({
  code: z.string(),
  params: paramsAnswer.optional(),
  message: z.string(),
});

/** The codes of a catalogue of messages, with their texts. */
export const codeAnswer = <Code extends string>(
  id: string,
  texts: Readonly<Record<Code, string>>,
) =>
  z.enum(Object.keys(texts) as [Code]).meta({
    id,
    description: Object.entries(texts)
      .map(([code, text]) => `- \`${code}\`: ${String(text)}`)
      .join("\n"),
  });
