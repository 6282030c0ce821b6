/*
 * The curl commands of a document and the answers that it shows, as API examples write them: shell
 * blocks with assignments and calls whose comment is the status, each followed by a block with the
 * JSON of the last answer.
 */

/** A call of a session, or an assignment of a variable. */
export type Step = { line: number } & (
  | { kind: "set"; name: string; value: string }
  | { kind: "call"; words: Word[]; status: number; answer: unknown }
);

/** A word of the shell: texts and variables, which stand together. */
export type Word = ({ text: string } | { variable: string })[];

export type Variables = Map<string, string>;

const BLOCK = /^```(sh|json)\n([\s\S]*?)^```$/gm;

/** Returns the steps of a document in order. */
export function stepsOf(markdown: string): Step[] {
  const steps: Step[] = [];
  for (const { 1: language, 2: text = "", index } of markdown.matchAll(BLOCK)) {
    const line = markdown.slice(0, index).split("\n").length + 1;
    if (language === "sh") steps.push(...stepsOfShell(text, line));
    else {
      const last = steps.at(-1);
      if (last?.kind !== "call" || last.answer !== undefined)
        throw new Error(`line ${line}: the answer follows no call`);
      last.answer = JSON.parse(text);
    }
  }
  return steps;
}

/** Returns the words of each curl command in the shell blocks of a document. */
export const curlsOf = (markdown: string): Word[][] =>
  Array.from(markdown.matchAll(BLOCK), ([, language, text = ""]) =>
    language === "sh" ? commandsOf(text) : [],
  )
    .flat()
    .filter(({ words: [first] }) => first?.length === 1 && first[0] && isText(first[0], "curl"))
    .map(({ words }) => words.slice(1));

const isText = (part: Word[number], text: string) => "text" in part && part.text === text;

function stepsOfShell(text: string, line: number): Step[] {
  return commandsOf(text).map(({ words, comment }): Step => {
    const [first] = words;
    const [, name, start = ""] = /^([A-Z_]+)=(.*)$/.exec(textOf(first?.slice(0, 1))) ?? [];
    if (name !== undefined && first)
      return { kind: "set", line, name, value: start + textOf(first.slice(1)) };
    if (textOf(first) !== "curl") throw new Error(`line ${line}: ${textOf(first)} is not curl`);
    const status = Number(/^ (\d{3})$/.exec(comment)?.[1]);
    if (!status) throw new Error(`line ${line}: a call has no status`);
    return { kind: "call", line, words: words.slice(1), status, answer: undefined };
  });
}

/** Returns a word that has no variable. */
function textOf(word: Word = []): string {
  return word
    .map((part) => {
      if ("variable" in part) throw new Error(`$${part.variable} stands where a text must`);
      return part.text;
    })
    .join("");
}

interface Command {
  words: Word[];
  comment: string;
}

/** Single quotes, double quotes, a variable, an escape, space, a comment, or a plain text. */
const TOKEN =
  /'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\$(\w+)|\\([\s\S])|([ \t]+)|(\n)|(?<=[\s])#([^\n]*)|([^\s'"$\\]+)/gy;

/** Splits shell text into commands and their words. It knows what documents use, and no more. */
function commandsOf(text: string): Command[] {
  const commands: Command[] = [];
  let command: Command = { words: [], comment: "" };
  let word: Word | undefined;
  const add = (...parts: Word) => {
    if (!word) command.words.push((word = []));
    word.push(...parts);
  };
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    if (match.index !== end) break;
    end += match[0].length;
    const [, single, double, variable, escaped, space, newline, comment, plain] = match;
    if (single !== undefined) add({ text: single });
    else if (double !== undefined) add(...expandable(double));
    else if (variable !== undefined) add({ variable });
    else if (escaped !== undefined && escaped !== "\n") add({ text: escaped });
    else if (plain !== undefined) add({ text: plain });
    else if (comment !== undefined) command.comment = comment;
    if (space !== undefined) word = undefined;
    if (newline === undefined) continue;
    word = undefined;
    if (command.words.length > 0) commands.push(command);
    command = { words: [], comment: "" };
  }
  if (end !== text.length) throw new Error(`not understood: ${text.slice(end, end + 40)}`);
  return commands;
}

/** Returns the parts of a text in double quotes. */
const expandable = (text: string): Word =>
  Array.from(text.matchAll(/\$(\w+)|\\([\s\S])|([^$\\]+)/g), ([, variable, escaped, plain]) =>
    variable === undefined ? { text: escaped ?? plain ?? "" } : { variable },
  );

/** A request as curl makes it. */
export interface CurlRequest {
  url: string;
  init: { method: string; headers: Headers; body?: string };
  /** True if the session of the cookie file goes along, or comes from the answer. */
  sendsCookies: boolean;
  keepsCookies: boolean;
}

/** Returns the request of a call. */
export function requestOf(words: Word[], variables: Variables): CurlRequest {
  const texts = words.map((word) => word.map((part) => valueOf(part, variables)).join(""));
  const headers = new Headers();
  let [url, method, body, sendsCookies, keepsCookies] = ["", "", "", false, false];
  const next = () => {
    const text = texts.shift();
    if (text === undefined) throw new Error("curl: an option has no value");
    return text;
  };
  while (texts.length > 0) {
    const word = next();
    if (word === "-X") method = next();
    else if (word === "-H") headers.append(...headerOf(next()));
    else if (word === "-d" || word === "--data-binary") body = next();
    else if (word === "-b") sendsCookies = next() !== "";
    else if (word === "-c") keepsCookies = next() !== "";
    else if (word.startsWith("-") || url !== "") throw new Error(`curl: ${word} is unknown here`);
    else url = word;
  }
  if (method === "") method = body === "" ? "GET" : "POST";
  const init = { method, headers, ...(body === "" ? {} : { body }) };
  return { url, init, sendsCookies, keepsCookies };
}

function valueOf(part: Word[number], variables: Variables): string {
  if ("text" in part) return part.text;
  const value = variables.get(part.variable);
  if (value === undefined) throw new Error(`$${part.variable} is not set`);
  return value;
}

function headerOf(line: string): [name: string, value: string] {
  const [, name = "", value = ""] = /^([\w-]+): (.*)$/.exec(line) ?? [];
  return [name, value];
}

/**
 * Binds the variables that an answer shows for the first time, and puts in those that are known.
 */
export function bind(shown: unknown, real: unknown, variables: Variables): unknown {
  if (typeof shown === "string" && /^\$[A-Z_]+$/.test(shown)) {
    const name = shown.slice(1);
    if (!variables.has(name) && typeof real === "string") variables.set(name, real);
    return variables.get(name) ?? shown;
  }
  if (Array.isArray(shown))
    return shown.map((one, n) => bind(one, Array.isArray(real) ? real[n] : undefined, variables));
  if (typeof shown !== "object" || shown === null) return shown;
  const fields =
    typeof real === "object" && real !== null ? new Map(Object.entries(real)) : undefined;
  return Object.fromEntries(
    Object.entries(shown).map(([name, one]) => [name, bind(one, fields?.get(name), variables)]),
  );
}
