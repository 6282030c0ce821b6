import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { makeDocument } from "../../src/http/openapi/document.ts";
import type { Json } from "../../src/http/openapi/json-schema.ts";
import { ALL_ROUTES } from "../../src/http/routes.ts";
import { clientFiles } from "./client-files.ts";
import { errorsPage } from "./errors-page.ts";
import { lintDocument } from "./lint-document.ts";
import { routesPage } from "./routes-page.ts";
import { snippetsPage } from "./snippets-page.ts";

/** The generated document, for clients and the docs. */
const FILE = "docs/openapi.json";
const COMMAND = "npm run openapi";

/** Returns the differences between the stored document or client files and the routes. */
export async function findApiFaults(): Promise<string[]> {
  const next = documentText();
  const stale = Object.entries(filesOf(next)).filter(
    ([file, text]) => !existsSync(file) || readFileSync(file, "utf8") !== text,
  );
  return [
    ...(await lintDocument(next, FILE)),
    ...stale.map(([file]) => `${file} is not the one of the routes: ${COMMAND}`),
  ];
}

/**
 * Writes the document, the client's files and the pages of errors and routes, unless the document
 * is invalid.
 */
export async function writeDocument(): Promise<string[]> {
  const next = documentText();
  const faults = await lintDocument(next, FILE);
  if (faults.length === 0)
    for (const [file, text] of Object.entries(filesOf(next))) writeFileSync(file, text);
  return faults;
}

function filesOf(text: string): Record<string, string> {
  const document = JSON.parse(text) as Json;
  return {
    [FILE]: text,
    "docs/errors.md": errorsPage(),
    "docs/api-routes.md": routesPage(document),
    "docs/snippets.md": snippetsPage(),
    ...clientFiles(document),
  };
}

/** Writes one line per path and schema, so that concurrent changes rarely conflict. */
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
