import { globSync } from "node:fs";
import { resolve } from "node:path";
import { afterEach, expect, it, vi } from "vitest";

/** Longer texts than this are sentences; the same word may be English and German. */
const WORD_CHARACTERS = 15;

/** Returns the texts of a file, by their path. The type check has compared their names. */
function textsOf(value: object, at = ""): { path: string; text: string }[] {
  return Object.entries(value).flatMap(([name, one]: [string, unknown]) => {
    if (typeof one === "string") return [{ path: `${at}${name}`, text: one }];
    return typeof one === "object" && one !== null ? textsOf(one, `${at}${name}.`) : [];
  });
}

export function describeTexts() {
  afterEach(() => vi.unstubAllGlobals());

  it("of the German dashboard are German: no sentence is still English", async () => {
    vi.stubGlobal("window", { addEventListener: () => undefined });
    const files = globSync("dashboard/src/**/text.en.ts");
    expect(files.length).toBeGreaterThan(10);
    const same: string[] = [];
    for (const file of files) {
      const { en } = await import(resolve(file));
      const { de } = await import(resolve(file.replace(/en\.ts$/, "de.ts")));
      const german = new Map(textsOf(de).map(({ path, text }) => [path, text]));
      for (const { path, text } of textsOf(en))
        if (text.length > WORD_CHARACTERS && (german.get(path) ?? text) === text)
          same.push(`${file}: ${path}`);
    }
    expect(same).toEqual([]);
  });
}
