const MAX_NAME_CHARACTERS = 60;
/** Text that a mail program makes a link of, or that a person could read as an address. */
const LINK_LIKE = /[/\\@:]|[\p{L}\p{N}][.\u3002][\p{L}\p{N}]/u;
/** Characters that leave no ink, and so hide what stands around them. */
const INKLESS = /[\p{Cf}\p{DI}]/gu;

/**
 * Returns a name that others chose as it may stand in a mail that people trust; "" where it could
 * lead away. It is judged as people see it: without inkless characters, and wide dots are dots.
 */
export function harmless(name: string): string {
  const seen = name.normalize("NFKC").replaceAll(INKLESS, "");
  return name.length > MAX_NAME_CHARACTERS || LINK_LIKE.test(seen) ? "" : name;
}
