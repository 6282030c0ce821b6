import { z } from "zod";

/** Parameters of a message: texts, numbers, or nested messages. */
export const paramsAnswer = z.record(z.string(), z.unknown());

/** A message for people, with its code and params for programs. */
export const messageAnswer = z.strictObject({
  code: z.string(),
  params: paramsAnswer.optional(),
  message: z.string(),
});

/** The codes of a message catalog, with their texts. */
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
