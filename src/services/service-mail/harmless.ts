const MAX_NAME_CHARACTERS = 60;
/** Text that a mail program turns into a link, or that a person could read as an address. */
const LINK_LIKE = /[/\\@:]|[\p{L}\p{N}][.\u3002][\p{L}\p{N}]/u;
/** Characters without a visible mark, which hide the text around them. */
const INKLESS = /[\p{Cf}\p{DI}]/gu;

/**
 * Returns a name that others chose in a form that is safe in a trusted mail, or "" if the name
 * could lead a reader away. It judges the name as people see it: it ignores inkless characters, and
 * wide dots count as dots.
 */
export function harmless(name: string): string {
  const seen = name.normalize("NFKC").replaceAll(INKLESS, "");
  return name.length > MAX_NAME_CHARACTERS || LINK_LIKE.test(seen) ? "" : name;
}
