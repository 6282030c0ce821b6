import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compile } from "./compile.ts";
import { Failure } from "./failure.ts";

/** The fields of a template that its folder has. */
export interface Content {
  name: string;
  subject: string;
  public: boolean;
  html_body: string;
  text_body: string;
}

/** What a folder was in a project after the last pull or push. */
export interface Base {
  id: string;
  updated_at: string;
  hash: string;
}

/** The bases by folder, of one project. */
export type Bases = Record<string, Base>;

const BODIES = ["body.tsx", "body.jsx", "body.mjml", "body.html"];
const STATE = ".postrider.json";

export const FIELDS = ["name", "subject", "public", "html_body", "text_body"] as const;
export const hashOf = (content: Content): string =>
  createHash("sha256")
    .update(JSON.stringify(FIELDS.map((field) => content[field])))
    .digest("hex");

/** Returns the fields that differ. */
export const changesOf = (one: Content, other: Content) =>
  FIELDS.filter((field) => one[field] !== other[field]);

/** Reads the folders that have a template.json. */
export async function readFolders(dir: string): Promise<Map<string, Content>> {
  const folders = existsSync(dir) ? readdirSync(dir, { withFileTypes: true }) : [];
  const names = folders
    .filter((one) => one.isDirectory() && existsSync(join(dir, one.name, "template.json")))
    .map(({ name }) => name);
  const read = new Map<string, Content>();
  for (const name of names.toSorted()) read.set(name, await readFolder(join(dir, name)));
  return read;
}

async function readFolder(folder: string): Promise<Content> {
  const settings = readJson(join(folder, "template.json"));
  const { name, subject = "", public: isPublic = false } = settings;
  if (typeof name !== "string" || typeof subject !== "string" || typeof isPublic !== "boolean")
    throw new Failure(
      `${folder}/template.json needs a name, and a subject as text`,
      "invalid_file",
    );
  const body = bodyOf(folder);
  const textFile = join(folder, "body.txt");
  return {
    name,
    subject,
    public: isPublic,
    html_body: body === undefined ? "" : await compile(join(folder, body)),
    text_body: existsSync(textFile) ? readFileSync(textFile, "utf8") : "",
  };
}

const bodyOf = (folder: string) => BODIES.find((file) => existsSync(join(folder, file)));

/** Returns whether the HTML of a folder is compiled from another file. */
export function isCompiled(dir: string, folder: string): boolean {
  const body = bodyOf(join(dir, folder));
  return body !== undefined && body !== "body.html";
}

export function writeFolder(dir: string, folder: string, content: Content): void {
  const at = join(dir, folder);
  const { html_body, text_body, ...settings } = content;
  mkdirSync(at, { recursive: true });
  writeFileSync(join(at, "template.json"), `${JSON.stringify(settings, null, 2)}\n`);
  if (!isCompiled(dir, folder)) writeFileSync(join(at, "body.html"), html_body);
  if (text_body !== "" || existsSync(join(at, "body.txt")))
    writeFileSync(join(at, "body.txt"), text_body);
}

/** Returns a folder for a new template: its name in small letters, digits and hyphens. */
export function newFolder(name: string, taken: (folder: string) => boolean): string {
  const plain = name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/g, "");
  const folder = plain.slice(0, 60) || "template";
  for (let n = 1; ; n++) {
    const one = n === 1 ? folder : `${folder}-${n}`;
    if (!taken(one)) return one;
  }
}

/** Reads the bases of all projects. */
export const readBases = (dir: string): Record<string, Bases> =>
  existsSync(join(dir, STATE)) ? (readJson(join(dir, STATE)) as Record<string, Bases>) : {};

export function writeBases(dir: string, bases: Record<string, Bases>): void {
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, STATE), `${JSON.stringify(bases, null, 2)}\n`);
}

function readJson(file: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (typeof value === "object" && value !== null) return value as Record<string, unknown>;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new Failure(`${file} is not a JSON object`, "invalid_file");
}
