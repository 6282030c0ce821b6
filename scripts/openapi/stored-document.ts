import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { makeDocument } from "../../src/http/openapi/document.ts";
import { ALL_ROUTES } from "../../src/http/routes.ts";
import { breakingPartOf } from "./announced-breaks.ts";
import { clientFiles } from "./client-files.ts";
import { findBreaks, type Json } from "./find-breaks.ts";
import { lintDocument } from "./lint-document.ts";

/** The document of the last change, which the next one is compared with. */
const FILE = "docs/openapi.json";
const COMMAND = "npm run openapi";

/**
 * Returns the faults of the stored document and of the client's files: they must fit the routes.
 */
export async function findApiFaults(): Promise<string[]> {
  const next = documentText();
  const stale = Object.entries(filesOf(next)).filter(
    ([file, text]) => !existsSync(file) || readFileSync(file, "utf8") !== text,
  );
  return [
    ...(await lintDocument(next, FILE)),
    ...unannounced(next),
    ...stale.map(([file]) => `${file} is not the one of the routes: ${COMMAND}`),
  ];
}

/**
 * Writes the document and the client's files unless the document breaks clients without a word in
 * the changelog.
 */
export async function writeDocument(): Promise<string[]> {
  const next = documentText();
  const faults = [...unannounced(next), ...(await lintDocument(next, FILE))];
  if (faults.length === 0)
    for (const [file, text] of Object.entries(filesOf(next))) writeFileSync(file, text);
  return faults;
}

const filesOf = (text: string) => ({ [FILE]: text, ...clientFiles(JSON.parse(text)) });

/** Writes one line for each path and schema, so that changes side by side rarely conflict. */
function documentText(): string {
  const { paths, components, ...rest } = makeDocument(ALL_ROUTES);
  const { schemas, ...others } = components;
  const head = JSON.stringify({ ...rest, components: { ...others, schemas: 0 }, paths: 0 });
  return `${head.replace('"schemas":0', `"schemas":${lines(schemas)}`).replace('"paths":0', `"paths":${lines(paths)}`)}\n`;
}

const lines = (entries: Record<string, Json>) =>
  `{\n${Object.keys(entries)
    .toSorted()
    .map((name) => `${JSON.stringify(name)}:${JSON.stringify(entries[name])}`)
    .join(",\n")}\n}`;

/** Returns a fault for each change that breaks clients and that the changelog does not name. */
function unannounced(next: string): string[] {
  const before = committedText();
  if (before === undefined) return [];
  const announced = breakingPartOf(readFileSync("CHANGELOG.md", "utf8"));
  return findBreaks(JSON.parse(before), JSON.parse(next))
    .filter((line) => !announced.includes(placeOf(line)))
    .map((line) => `${line}: name \`${placeOf(line)}\` under "### Breaking" in CHANGELOG.md`);
}

/** Returns the method and path at the beginning of a line. */
const placeOf = (line: string) => line.split(" ").slice(0, 2).join(" ");

/** Returns the document of the last commit; undefined if there is none. */
function committedText(): string | undefined {
  const shown = spawnSync("git", ["show", `HEAD:${FILE}`], {
    encoding: "utf8",
    maxBuffer: 64 * 1_048_576,
  });
  if (shown.status === 0) return shown.stdout;
  return existsSync(FILE) ? readFileSync(FILE, "utf8") : undefined;
}
