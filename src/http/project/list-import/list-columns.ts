import { keyOf } from "../../../lib/metadata-key.ts";
import { plainName, type ListFormat } from "./list-format.ts";

/** How each column of a file is used. */
export interface Columns {
  /**
   * Position of each column by its plain name. The first of several columns with the same name
   * wins.
   */
  places: ReadonlyMap<string, number>;
  /** Columns that become metadata, with their keys. */
  metadata: readonly { place: number; column: string; key: string }[];
}

/**
 * Assigns the columns of a header. `chosen` maps plain names to metadata keys that the user chose.
 */
export function placeColumns(
  header: readonly string[],
  {
    email,
    names = [],
    json,
    tags,
    topics,
    drops,
  }: Pick<ListFormat, "email" | "names" | "json" | "tags" | "topics" | "drops">,
  chosen: ReadonlyMap<string, string> | undefined,
): Columns {
  const plain = header.map(plainName);
  const places = new Map<string, number>();
  plain.forEach((name, place) => places.has(name) || places.set(name, place));
  const isUsed = new Set([
    email,
    json,
    tags,
    topics,
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

function freeKey(key: string, taken: ReadonlySet<string>): string {
  let free = key;
  for (let n = 2; taken.has(free); n++) free = `${key}_${n}`;
  return free;
}
