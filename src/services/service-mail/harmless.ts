const MAX_NAME_CHARACTERS = 60;
/** Text that a mail client turns into a link, or that a reader could take for an address. */
const LINK_LIKE = /[/\\@:]|[\p{L}\p{N}][.\u3002][\p{L}\p{N}]/u;
/** Invisible characters, which could disguise the text around them. */
const INVISIBLE = /[\p{Cf}\p{DI}]/gu;

/**
 * Returns a user-defined name in a form that is safe in a trusted mail, or "" if it could mislead
 * the reader. The name is judged as it is displayed: invisible characters are ignored, and wide
 * dots count as dots.
 */
export function harmless(name: string): string {
  const seen = name.normalize("NFKC").replaceAll(INVISIBLE, "");
  return name.length > MAX_NAME_CHARACTERS || LINK_LIKE.test(seen) ? "" : name;
}
