/** Quotes a text for a shell, including apostrophes. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Returns an API call with a key or access token as a curl command; without a body, a GET. */
export const curlText = (url: string, key: string, body?: object): string =>
  [
    `curl ${url}`,
    `-H ${quoted(`Authorization: Bearer ${key}`)}`,
    ...(body ? [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body))}`] : []),
  ].join(" \\\n  ");
