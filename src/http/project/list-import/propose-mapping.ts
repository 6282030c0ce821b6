import { placeColumns, type Columns } from "./list-columns.ts";
import { plainName, type ListFormat } from "./list-format.ts";

const EMAILS = ["email", "emailaddress", "mail", "mailaddress", "address", "correo", "adresse"];
const NAMES = ["name", "fullname", "nom", "nombre"];
const FIRST_NAMES = ["firstname", "givenname", "vorname", "prenom", "prénom"];
const LAST_NAMES = ["lastname", "surname", "familyname", "nachname", "familienname", "apellido"];
const PARTS = ["first_name", "last_name"] as const;
const TAGS = ["tags", "tag", "labels", "groups", "schlagworte"];

/**
 * Guesses the mapping of an unknown file, for the user to review. Columns of first and last names
 * also become metadata under `first_name` and `last_name`, which templates can then count on.
 */
export function proposeMapping(header: readonly string[]) {
  const first = (names: readonly string[]) =>
    header.find((column) => names.some((name) => plainName(column) === name)) ??
    header.find((column) => names.some((name) => plainName(column).startsWith(name)));
  const email = first(EMAILS);
  const tags = header.find((column) => TAGS.includes(plainName(column)));
  const named = (name: string) => header.find((column) => plainName(column) === name);
  const [given, family] = [first(FIRST_NAMES), first(LAST_NAMES)];
  // beside the other part, the words for a name mean one part, too
  const parts = {
    first_name: given ?? (family && named("nombre")),
    last_name: family ?? (given && named("nom")),
  };
  const partNames = Object.values(parts).filter((column) => column !== undefined);
  const whole = header.find((column) => NAMES.includes(plainName(column)));
  const name = partNames.length > 0 ? partNames : whole === undefined ? [] : [whole];
  const names = partNames.length > 0 ? [] : name.map(plainName); // a part is metadata, too
  const format = { email: plainName(email ?? ""), names, drops: [] };
  const used = { ...format, ...(tags !== undefined && { tags: plainName(tags) }) };
  const { metadata } = placeColumns(header, used, undefined);
  return {
    ...(email !== undefined && { email }),
    ...(tags !== undefined && { tags }),
    name,
    metadata: Object.fromEntries(
      metadata.map(({ column, key }) => {
        const part = PARTS.find((one) => parts[one] === column);
        const isFree = !metadata.some((other) => other.column !== column && other.key === part);
        return [column, part && isFree ? part : key];
      }),
    ),
  };
}

/** Presents how the columns are used, in the form of a mapping. */
export function shownMapping(
  header: readonly string[],
  { email, names = [], tags, topics }: ListFormat,
  { places, metadata }: Columns,
) {
  const written = (column: string) => header[places.get(column) ?? -1];
  const tagColumn = tags === undefined ? undefined : written(tags);
  const topicColumn = topics === undefined ? undefined : written(topics);
  return {
    email: written(email) ?? "",
    name: names.flatMap((name) => written(name) ?? []),
    ...(tagColumn !== undefined && { tags: tagColumn }),
    ...(topicColumn !== undefined && { topics: topicColumn }),
    metadata: Object.fromEntries(metadata.map(({ column, key }) => [column, key])),
  };
}
