/*
 * Redacts credentials in server responses. A server may echo what a client logged in with (RFC
 * 4954, RFC 3501), and its responses end up in logs and errors.
 */

const HIDDEN = "…";
/**
 * Secrets of at least this length are redacted anywhere. A shorter one could be part of any word,
 * so it is redacted only as a separate word.
 */
const LONG_CHARACTERS = 8;
/**
 * Characters that may be escaped in a pattern with the flag `u`; an escaped hyphen is an error
 * there.
 */
const SPECIAL = /[\\^$.*+?()[\]{}|/]/g;

/**
 * Returns a function that redacts credentials in a text: the plain password, and the base64 of
 * PLAIN (RFC 4616) and of both LOGIN responses, with or without padding.
 */
export function secretHider(user: string, password: string): (text: string) => string {
  if (password === "") return (text) => text;
  const encoded = [`\0${user}\0${password}`, password, user]
    .map(base64)
    .filter((one) => one !== "");
  const forms = [
    ...encoded.map((secret) => ({ secret, pattern: `${patternOf(secret)}=*` })),
    { secret: password, pattern: patternOf(password) },
  ].sort((a, b) => b.secret.length - a.secret.length);
  const pattern = new RegExp(forms.map((form) => form.pattern).join("|"), "gu");
  return (text) => text.replaceAll(pattern, HIDDEN);
}

function patternOf(secret: string): string {
  const literal = secret.replaceAll(SPECIAL, String.raw`\$&`);
  return secret.length >= LONG_CHARACTERS
    ? literal
    : String.raw`(?<![\p{L}\p{N}])${literal}(?![\p{L}\p{N}])`;
}

/** Encodes UTF-8 as base64 without padding, which a server may omit. */
function base64(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replace(/=+$/, "");
}
