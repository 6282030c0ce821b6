import { parseSync } from "oxc-parser";
import { readText } from "./find-breaches.ts";
import { TABLES_OF } from "./table-owners.ts";

/** Files that define the tables and their owners, and so may name them. */
const DEFINITIONS = ["src/db/schema/", "scripts/import-rules/table-owners.ts"];

/**
 * Returns a line for each mention of a table (in SQL, or as the drizzle object) outside the module
 * that owns it according to table-owners.ts. Comments and import paths may name it.
 */
export function findTableBreaches(files: readonly string[], read = readText): string[] {
  return files
    .filter((file) => !DEFINITIONS.some((place) => file.startsWith(place)))
    .flatMap((file) => {
      const code = codeOf(file, read(file));
      return Object.entries(TABLES_OF)
        .filter(([room]) => !file.startsWith(`${room}/`))
        .flatMap(([room, tables]) =>
          tables
            .filter((table) => mentionOf(table).test(code))
            .map((table) => `${file}: only ${room} may say "${table}"`),
        );
    });
}

/** Returns the text without comments and import paths. */
function codeOf(file: string, text: string): string {
  const { comments, module } = parseSync(file, text);
  const paths = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => moduleRequest ?? []),
    ),
    ...module.dynamicImports.map(({ moduleRequest }) => moduleRequest),
  ];
  return [...comments, ...paths]
    .toSorted((a, b) => b.start - a.start)
    .reduce((code, { start, end }) => `${code.slice(0, start)} ${code.slice(end)}`, text);
}

/**
 * Matches the name in snake_case as in SQL, in camelCase as in the schema, and with any spacing.
 */
function mentionOf(table: string): RegExp {
  const camelCase = table.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return new RegExp(
    String.raw`\b(?:${table.replaceAll(" ", String.raw`\s+`)}|${camelCase})\b`,
    "i",
  );
}
