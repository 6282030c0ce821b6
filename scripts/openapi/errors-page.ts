import { FAULTS } from "../../src/messages/faults.ts";
import { REFUSALS } from "../../src/messages/refusals.ts";

const HEAD = `# Errors

<!-- \`npm run openapi\` writes this page from src/messages. -->

A refusal is JSON with \`error\`, a sentence for people, and \`code\`, a stable name for programs. The
key-based API puts both into its envelope: \`{"success": false, "error": "…", "code": "…"}\`. Texts may
change at any time; codes do not. \`params\` holds the values that the text names in braces. A value
can be a message with a code of its own.

\`details\` lists what is wrong with single fields: \`path\`, \`code\`, \`params\` and \`message\`.

A 429 or 503, and some 409s, have a \`Retry-After\` header: wait that many seconds and send the same
request again.`;

/** Returns the documentation page that lists every error code. */
export function errorsPage(): string {
  const refusals = Object.entries(REFUSALS)
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([code, { status, text, remedy }]) => `| \`${code}\` | ${status} | ${text} | ${remedy} |`);
  const faults = Object.entries(FAULTS).map(([code, text]) => `| \`${code}\` | ${text} |`);
  return `${HEAD}

## Codes of refusals

| Code | Status | Meaning | What to do |
|---|---|---|---|
${refusals.join("\n")}

## Codes of fields

| Code | Meaning |
|---|---|
${faults.join("\n")}
`;
}
