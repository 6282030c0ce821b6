import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { parseSync } from "oxc-parser";
import { MAY_IMPORT, ONLY_IN } from "./layers.ts";

/** Returns every file that the import rules apply to. */
export const checkedFiles = () => globSync(["src/**/*.ts", "scripts/**/*.ts"]).toSorted();

/**
 * Returns a line for each import in these files that violates the rules of layers.ts (including
 * type imports), and for each file whose module is missing there. Paths are relative to the
 * project.
 */
export function findBreaches(files: readonly string[], read = readText): string[] {
  return files.flatMap((file) => {
    const room = roomOf(file);
    if (!room) return [`${file}: its folder has no place in scripts/import-rules/layers.ts`];
    return importsOf(file, read(file)).flatMap((specifier) => {
      const fault = specifier.startsWith(".")
        ? faultOfImport(room, join(dirname(file), specifier))
        : faultOfPackage(room, specifier);
      return fault ? [`${file}: ${fault}`] : [];
    });
  });
}

export const readText = (file: string) => readFileSync(file, "utf8");

/** Returns the most specific module in the table that contains a file. */
function roomOf(file: string): string | undefined {
  return Object.keys(MAY_IMPORT)
    .filter((room) => file === room || file.startsWith(`${room}/`))
    .toSorted((a, b) => b.length - a.length)[0];
}

/** Returns the import specifiers of a file, including type imports. */
export function importsOf(file: string, text: string): string[] {
  const { staticImports, staticExports, dynamicImports } = parseSync(file, text).module;
  return [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
    ),
    ...dynamicImports.flatMap(
      ({ moduleRequest: { start, end } }) =>
        /^"([^"]*)"$/.exec(text.slice(start, end))?.slice(1) ?? [],
    ),
    ...Array.from(text.matchAll(/\bimport\("([^"]+)"\)\./g), ([, path = ""]) => path),
  ];
}

function faultOfImport(room: string, target: string): string | undefined {
  const targetRoom = target === "package.json" ? target : roomOf(target);
  if (targetRoom === room) return undefined;
  if (!targetRoom || !MAY_IMPORT[room]?.includes(targetRoom))
    return `${room} may not import ${target}`;
  if (targetRoom.startsWith("src/services/") && basename(target) !== "index.ts")
    return `${room} imports ${targetRoom} through an index.ts, not ${target}`;
  return undefined;
}

/** Returns the package name of an import specifier. */
export const packageOf = (specifier: string) =>
  specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");

function faultOfPackage(room: string, specifier: string): string | undefined {
  const name = packageOf(specifier);
  const rooms = ONLY_IN[name];
  return rooms && !rooms.includes(room) ? `${room} may not import ${name}` : undefined;
}
