import { plainName, type ListFormat } from "./list-format.ts";

/** The uses of the columns of a file. */
export interface Columns {
  /** The place of each column by its plain name. Of several with one name, the first counts. */
  places: ReadonlyMap<string, number>;
  /** The columns whose texts are metadata, with their keys. */
  metadata: readonly { place: number; column: string; key: string }[];
}

/**
 * Decides about the columns of a header; `chosen` are the keys that a person gave, by plain name.
 */
export function placeColumns(
  header: readonly string[],
  { email, names = [], json, tags, drops }: ListFormat,
  chosen: ReadonlyMap<string, string> | undefined,
): Columns {
  const plain = header.map(plainName);
  const places = new Map<string, number>();
  plain.forEach((name, place) => places.has(name) || places.set(name, place));
  const isUsed = new Set([
    email,
    json,
    tags,
    ...(names.length === 1 ? names : []),
    ...(drops ?? []),
  ]);
  const taken = new Set<string>();
  const metadata = header.flatMap((column, place) => {
    const name = plain[place] ?? "";
    if (places.get(name) !== place && chosen) return [];
    const isWanted = chosen ? chosen.has(name) : drops !== undefined && !isUsed.has(name);
    if (!isWanted) return [];
    const key = freeKey(chosen?.get(name) ?? keyOf(column, place), taken);
    taken.add(key);
    return [{ place, column, key }];
  });
  return { places, metadata };
}

const IDENTIFIER = /^[A-Za-z_]\w*$/;

/** Returns a key that templates and segments can name. */
function keyOf(column: string, place: number): string {
  const name = column.trim().replace(/^data\./, "");
  if (IDENTIFIER.test(name)) return name === name.toUpperCase() ? name.toLowerCase() : name;
  const words = name.toLowerCase().match(/[\p{L}\p{N}]+/gu);
  return words?.join("_") ?? `column_${place + 1}`;
}

function freeKey(key: string, taken: ReadonlySet<string>): string {
  let free = key;
  for (let n = 2; taken.has(free); n++) free = `${key}_${n}`;
  return free;
}
