// The `docs` check of `npm run check`: references between documents and code must be valid.
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { createAnchors } from "./docs/anchors.ts";

const DOCUMENTS = ["*.md", "bench/README.md", "dashboard/README.md", "docs/*.md"];
const CODE = ["{src,test,scripts,bench,examples}/**/*.{ts,js,mjs,html}", "wrangler.toml"];

const REFERENCE = "docs/api-reference.md";
const DECISIONS = "docs/decisions.md";
const OPERATIONS = "docs/operations.md";

/** Base folders for paths in documents, besides the document's own folder. */
const PATH_FOLDERS = ["", "src", "src/services"];

/**
 * Finds broken links, paths of missing files, references to missing sections, duplicate decision
 * numbers, decisions without a version, and undocumented log events.
 */
export function findDocFaults(): string[] {
  const documents = readAll(DOCUMENTS);
  const code = readAll(CODE);
  return [
    ...[...documents].flatMap(([file, text]) => deadLinks(file, text, documents)),
    ...[...documents].flatMap(([file, text]) => findDeadPaths(file, text)),
    ...[...documents, ...code].flatMap(([file, text]) => deadCitations(file, text, documents)),
    ...repeatedDecisions(documents.get(DECISIONS) ?? ""),
    ...undescribedEvents(code, documents.get(OPERATIONS) ?? ""),
  ];
}

function readAll(patterns: string[]): Map<string, string> {
  const files = globSync(patterns).toSorted();
  return new Map(files.map((file) => [file, readFileSync(file, "utf8")]));
}

/** Finds broken links. Skips external links, so that the check works offline. */
function deadLinks(file: string, text: string, documents: Map<string, string>): string[] {
  const prose = withoutCode(text);
  const inline = [...prose.matchAll(/\]\(([^()\s]+)\)/g)];
  const defined = [...prose.matchAll(/^\[[^\]]+\]:[ \t]+(\S+)$/gm)];
  const labels = new Set(
    defined.map(([definition]) => definition.slice(0, definition.indexOf(":"))),
  );
  const undefinedLabels = [...prose.matchAll(/\](\[[^\][]+\])/g)]
    .filter(([, label = ""]) => !labels.has(label))
    .map(([, label]) => `${file}: the link label ${label} is not defined`);
  const dead = [...inline, ...defined].flatMap(([, target = ""]) => {
    if (/^[a-z]+:/i.test(target)) return [];
    const [path = "", anchor] = target.split("#");
    const linked = path === "" ? file : normalize(join(dirname(file), path));
    if (!existsSync(linked)) return [`${file}: the link ${target} leads to no file`];
    const content = documents.get(linked);
    if (anchor === undefined || content === undefined || anchorsOf(content).has(anchor)) return [];
    return [`${file}: the link ${target} leads to no heading`];
  });
  return [...undefinedLabels, ...dead];
}

/**
 * Finds paths of missing files: words that start with a folder of this project, and words in
 * backticks that name a TypeScript file in a folder. Skips patterns (words with `*`, `{`, `<`, `$`
 * or `…`), and paths in `.gitignore`, because a command creates those files.
 */
export function findDeadPaths(file: string, text: string): string[] {
  const made = readFileSync(".gitignore", "utf8")
    .split("\n")
    .filter((line) => line.endsWith("/"));
  const own = dirname(file);
  const folders = [...PATH_FOLDERS, own, join(own, "src")];
  const rooted =
    /(?<![^\s`"'(])(?:\.ci|assets|bench|client|dashboard|docs|examples|migrations|scripts|src|test)\/[^\s`"'(),;|#]*/g;
  const quoted = /(?<=`)[^\s`]+\/[^\s`/]+\.ts(?=`)/g;
  const words = [rooted, quoted].flatMap((pattern) => text.match(pattern) ?? []);
  const paths = new Set(words.map((word) => word.replace(/(?::[\d-]+)?[.:]*$/, "")));
  return [...paths]
    .filter((path) => !/[*{<$…]/.test(path) && !made.some((folder) => path.startsWith(folder)))
    .filter((path) => !folders.some((folder) => existsSync(join(folder, path))))
    .map((path) => `${file}: the path ${path} leads to no file`);
}

const withoutCode = (text: string) => text.replace(/^ *```[\s\S]*?^ *```/gm, "");

/** Returns the anchors that GitHub generates for the headings of a document. */
function anchorsOf(text: string): Set<string> {
  const headings = [...withoutCode(text).matchAll(/^#{1,6} +(.+?) *$/gm)];
  const anchor = createAnchors();
  return new Set(headings.map(([, heading = ""]) => anchor(heading)));
}

/**
 * Finds invalid references such as `API reference §11.1` and `decision D12`, even if split across
 * comment lines.
 */
function deadCitations(file: string, text: string, documents: Map<string, string>): string[] {
  const sections = numbersIn(documents.get(REFERENCE), /^#{2,4} (\d+(?:\.\d+)*)\.? /gm);
  const entries = numbersIn(documents.get(DECISIONS), /^### (D\d+)\. /gm);
  const line = text.replaceAll(/\s*\n[\s/*#]*/g, " ");
  const cited = (introduction: RegExp, number: RegExp, known: Set<string>) =>
    [...line.matchAll(introduction)]
      .flatMap(([citation]) => citation.match(number) ?? [])
      .filter((name) => !known.has(name.replace("§", "")))
      .map((name) => `${file}: ${name} is cited and does not exist`);
  const own = file === REFERENCE ? cited(/§\d+(?:\.\d+)*/g, /§[\d.]*\d/g, sections) : [];
  return [
    ...own,
    ...cited(/API reference,? §[\d.§, and]*\d/g, /§[\d.]*\d/g, sections),
    ...cited(/\bdecisions? D\d+(?:(?:,| and|, and) D\d+)*/gi, /D\d+/g, entries),
  ];
}

function numbersIn(text: string | undefined, heading: RegExp): Set<string> {
  return new Set([...(text ?? "").matchAll(heading)].map(([, number = ""]) => number));
}

/** Finds duplicate decision numbers. */
function repeatedDecisions(text: string): string[] {
  const numbers = [...text.matchAll(/^### (D\d+)\. /gm)].map(([, number = ""]) => number);
  const repeated = numbers.filter((number, index) => numbers.indexOf(number) !== index);
  return repeated.map((number) => `${DECISIONS}: two decisions have the number ${number}`);
}

/** Finds log events without a description; the calls in `src` name all events. */
function undescribedEvents(code: Map<string, string>, operations: string): string[] {
  return [...code]
    .filter(([file]) => file.startsWith("src/"))
    .flatMap(([file, text]) =>
      [...text.matchAll(/\blogLine\(\s*[^,]+,\s*("?)(\w+)\1/g)]
        .filter(([, quote, event]) => quote !== "" && !operations.includes(`\`${event}\``))
        .map(([, , event]) => `${file}: the log event ${event} is not in ${OPERATIONS}`),
    );
}
