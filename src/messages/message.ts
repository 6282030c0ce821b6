/*
 * A message for callers: a code for programs, the params of its text, and the text in English. The
 * catalogues in this folder hold the texts. The dashboard looks up other languages by code.
 */

/** The params that a text names in braces, such as `limit` in "has at most {limit} topics". */
export type ParamNames<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;

/** A value in a text, or a message of its own, such as the reason of a failure. */
export type Param = string | number | Message;
export type Params = Readonly<Record<string, Param>>;

/** A code with its params, and its text in English. */
export type Message<Code extends string = string> = {
  code: Code;
  params?: Params;
  message: string;
};

/** The arguments that fill a text: none for a text without params. */
export type ParamsFor<Text extends string> = [ParamNames<Text>] extends [never]
  ? Record<string, never>
  : Readonly<Record<ParamNames<Text>, Param>>;

/** Fills in the params of a text. A name without a value stays in its braces. */
export function fillText(text: string, params: Params = {}): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = Object.hasOwn(params, name) ? params[name] : undefined;
    if (value === undefined) return whole;
    return typeof value === "object" ? value.message : String(value);
  });
}

/** Makes a message; without params it has no such field. */
export const messageOf = <Code extends string>(
  code: Code,
  params: Params,
  message: string,
): Message<Code> =>
  Object.keys(params).length === 0 ? { code, message } : { code, params, message };

/** Changes every text of a message and of its params, such as to shorten them. */
export function withTexts<M extends Message>(message: M, change: (text: string) => string): M {
  const changed = (value: Param): Param => {
    if (typeof value === "number") return value;
    return typeof value === "string" ? change(value) : withTexts(value, change);
  };
  const { params } = message;
  const told = Object.entries(params ?? {}).map(([name, value]) => [name, changed(value)]);
  return {
    ...message,
    ...(params && { params: Object.fromEntries(told) as Params }),
    message: change(message.message),
  };
}

/** Makes a message of a catalogue, a table of English texts by code. */
export function messageFrom<
  Texts extends Record<string, string>,
  Code extends keyof Texts & string,
>(texts: Texts, code: Code, params: Params = {}): Message<Code> {
  return messageOf(code, params, fillText(texts[code] ?? code, params));
}
