import type { Columns } from "./list-columns.ts";
import { plainName, type ListFormat } from "./list-format.ts";

const EMAILS = new Set(["email", "emailaddress", "mail", "mailaddress", "address", "correo"]);
const NAMES = new Set(["name", "fullname", "firstname", "lastname"]);
const TAGS = new Set(["tags", "tag", "labels", "groups"]);

/** Guesses the mapping of an unknown file, for the user to review. */
export function proposeMapping(header: readonly string[]) {
  const first = (names: ReadonlySet<string>) => header.find((name) => names.has(plainName(name)));
  const email = first(EMAILS);
  const tags = first(TAGS);
  return {
    ...(email !== undefined && { email }),
    ...(tags !== undefined && { tags }),
    name: header.filter((name) => NAMES.has(plainName(name))),
    metadata: {},
  };
}

/** Presents how the columns are used, in the form of a mapping. */
export function shownMapping(
  header: readonly string[],
  { email, names = [], tags }: ListFormat,
  { places, metadata }: Columns,
) {
  const written = (column: string) => header[places.get(column) ?? -1];
  const tagColumn = tags === undefined ? undefined : written(tags);
  return {
    email: written(email) ?? "",
    name: names.flatMap((name) => written(name) ?? []),
    ...(tagColumn !== undefined && { tags: tagColumn }),
    metadata: Object.fromEntries(metadata.map(({ column, key }) => [column, key])),
  };
}
