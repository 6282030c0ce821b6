/** A character of a quoted string: a numeric escape, an escaped character, or itself. */
const CHARACTER = /\\(\d{3})|\\(.)|([^"\\])/gsu;
const STRING = /"((?:[^"\\]|\\.)*)"/gsu;

/**
 * Returns the text of a TXT record from its presentation form (RFC 1035 §5.1): the character
 * strings concatenated (RFC 7208 §3.3). Text from resolvers that do not quote is returned
 * unchanged.
 */
export function readTxt(data: string): string {
  if (!data.startsWith('"')) return data;
  const strings = [...data.matchAll(STRING)].map(([, inner = ""]) => unescape(inner));
  return strings.join("");
}

function unescape(inner: string): string {
  if (!inner.includes("\\")) return inner;
  return inner.replaceAll(CHARACTER, (_, code?: string, escaped?: string, plain?: string) =>
    code === undefined ? (escaped ?? plain ?? "") : String.fromCharCode(Number(code) & 0xff),
  );
}
