/*
 * A server may repeat in its answers what a client logged in with (RFC 4954, RFC 3501). Answers end
 * up in logs and errors that people read, so the credentials are cut out of them.
 */

const HIDDEN = "…";
/** A shorter secret is cut only where it stands by itself: it may be part of any word. */
const LONG_CHARACTERS = 8;
/** The characters that a pattern with the flag `u` lets be escaped; an escaped hyphen is an error there. */
const SPECIAL = /[\\^$.*+?()[\]{}|/]/g;

/**
 * Makes the function that cuts credentials out of a text: the password as it is, and the base64 of
 * PLAIN (RFC 4616) and of the two answers of LOGIN, with or without their padding.
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

/** Of the UTF-8, without padding: a server may leave that out. */
function base64(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replace(/=+$/, "");
}
