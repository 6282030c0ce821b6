/** Quotes a text for a shell: nothing within has a meaning, not even an apostrophe. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Returns a call of the API with a key, ready for a terminal. */
export const curlText = (url: string, key: string, body: object): string =>
  [
    `curl ${url}`,
    `-H ${quoted(`Authorization: Bearer ${key}`)}`,
    `-H 'Content-Type: application/json'`,
    `-d ${quoted(JSON.stringify(body))}`,
  ].join(" \\\n  ");
