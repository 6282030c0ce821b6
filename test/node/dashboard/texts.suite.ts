import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterEach, expect, it, vi } from "vitest";

/** Longer texts than this are sentences; the same word may be English and German. */
const WORD_CHARACTERS = 15;
const HOSTILE = `"><img src=hostile onerror=1>$&`;
/** A value of this name is a number, also where it comes as the reader writes it. */
const COUNT = /^(count|days|hours|minutes|seconds)$/;
/** Words that are the same after 1 and after 2. */
const AFTER_ANY_NUMBER =
  /^(abgelehnten|already|background|einschließlich|erased|gelöscht|in|including|insgesamt|min|Min|more|of|per|pro|rejected|senden|von)$/;

type Text = (...values: unknown[]) => unknown;

/** Returns the texts of a file, by their path. The type check has compared their names. */
function textsOf(value: object, at = ""): { path: string; text: string | Text }[] {
  return Object.entries(value).flatMap(([name, one]: [string, unknown]) => {
    if (typeof one === "string") return [{ path: `${at}${name}`, text: one }];
    if (typeof one === "function") return [{ path: `${at}${name}`, text: one as Text }];
    return typeof one === "object" && one !== null ? textsOf(one, `${at}${name}.`) : [];
  });
}

/** Reads both languages of each text file. */
async function readTexts() {
  const files = globSync("dashboard/src/**/text.en.ts");
  expect(files.length).toBeGreaterThan(10);
  return Promise.all(
    files.map(async (file) => {
      const { en } = await import(resolve(file));
      const { de } = await import(resolve(file.replace(/en\.ts$/, "de.ts")));
      return { file, en: textsOf(en), de: new Map(textsOf(de).map((one) => [one.path, one.text])) };
    }),
  );
}

interface Value {
  name: string;
  type: string;
}

/** Returns the values that a text takes, as its English source names them. */
function takenBy(source: string, path: string): Value[] {
  const name = path.split(".").at(-1);
  const [, values] = new RegExp(`\\b${name}: \\(([^)]*)\\)`).exec(source) ?? [];
  if (values === undefined) throw new Error(`the source of the text ${path} was not found`);
  return [...values.matchAll(/(\w+)[ }]*: (\w+)/g)].map(([, one = "", type = ""]) => ({
    name: one,
    type,
  }));
}

/** Returns a value to call a text with: a number, or the words where a name goes. */
function valueOf({ name, type }: Value, number: number, words: string) {
  if (type === "number") return number;
  if (type === "string") return COUNT.test(name) ? String(number) : words;
  if (type === "boolean") return number === 1;
  if (type === "TrialResult") return { summary: "A leads", leader: "A", certainty: number / 2 };
  throw new Error(`a value of the type ${type} is missing here`);
}

/** Returns the words that follow a number in a text. */
const wordsAfter = (text: string, number: number) =>
  [...text.matchAll(new RegExp(`(?<![\\d.,])${number} ([\\p{L}-]+)`, "gu"))].map(
    ([, word = ""]) => word,
  );

export function describeTexts() {
  afterEach(() => vi.unstubAllGlobals());

  it("of the German dashboard are German: no sentence is left in English", async () => {
    vi.stubGlobal("window", { addEventListener: () => undefined });
    const same: string[] = [];
    for (const { file, en, de } of await readTexts())
      for (const { path, text } of en)
        if (
          typeof text === "string" &&
          text.length > WORD_CHARACTERS &&
          (de.get(path) ?? text) === text
        )
          same.push(`${file}: ${path}`);
    expect(same).toEqual([]);
  });

  it("format amounts and times for their readers' locale", async () => {
    vi.stubGlobal("window", { addEventListener: () => undefined });
    const { formatDuration, formatPercent } = await import(resolve("dashboard/src/lib/format.ts"));
    const written = (language: string) => {
      vi.stubGlobal("localStorage", { getItem: () => language });
      const all = [formatPercent(0.5), formatDuration(700), formatDuration(9_000_000)];
      return all.map((one) => one.replaceAll("\u{a0}", " "));
    };
    expect(written("en")).toEqual(["0.5%", "1 second", "2.5 hours"]);
    expect(written("de")).toEqual(["0,5 %", "1 Sekunde", "2,5 Stunden"]);
  });

  it("translate each value in both languages, and use one term per concept", async () => {
    vi.stubGlobal("window", { addEventListener: () => undefined });
    const wrong: string[] = [];
    let called = 0;
    for (const { file, en, de } of await readTexts()) {
      const source = readFileSync(file, "utf8");
      for (const { path, text } of en) {
        if (typeof text === "string") continue;
        const values = takenBy(source, path);
        const german = de.get(path);
        if (typeof german !== "function") throw new Error(`${file}: ${path} has no German`);
        if (german.length !== text.length || values.length !== text.length)
          wrong.push(`${file}: ${path} takes other values`);
        for (const [language, say] of [
          ["en", text],
          ["de", german],
        ] as const) {
          vi.stubGlobal("localStorage", { getItem: () => language });
          const said = (number: number) => {
            const answer = say(...values.map((value, n) => valueOf(value, number, HOSTILE + n)));
            if (typeof answer !== "string" || /undefined|NaN|\[object/.test(answer))
              wrong.push(`${file}: ${path}: ${String(answer)}`);
            return String(answer);
          };
          called += 1;
          said(0);
          const [afterOne, afterTwo] = [wordsAfter(said(1), 1), wordsAfter(said(2), 2)];
          for (const [index, word] of afterOne.entries())
            if (word === afterTwo[index] && !AFTER_ANY_NUMBER.test(word))
              wrong.push(`${file}: ${path}: ${said(1)}`);
          const lacks = (value: Value, n: number) =>
            value.type === "string" && !COUNT.test(value.name) && !said(1).includes(HOSTILE + n);
          if (values.some(lacks)) wrong.push(`${file}: ${path} leaves a value out`);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(called).toBeGreaterThan(150);
  });
}
