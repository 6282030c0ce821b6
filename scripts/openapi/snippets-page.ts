import { firstSend, LANGUAGES } from "../../src/lib/snippets.ts";

/** The documentation replaces the first two by those of the reader (docs/site/site.js). */
const CALL = firstSend({
  origin: "https://mail.example.com",
  projectId: "PROJECT_ID",
  key: "sk_…",
  email: "you@example.com",
});

const HEAD = `# Send from your code

<!-- \`npm run openapi\` writes this page from src/lib/snippets.ts. -->

Create an API key in the dashboard under Settings, API keys; it also shows these programs with your
address, project and key. The [typed client](api-client.md) is a package of this repository; the
other programs need nothing but their language.`;

const TAIL = `The answer has the \`id\` of the email, under which the dashboard shows what became of it:

\`\`\`json
{ "message": "sent", "id": "0199b1de-61e0-7c3e-9f7e-0d6a3d2b8c11" }
\`\`\`

- Every refusal has a \`code\` ([Errors](errors.md)).
- An \`Idempotency-Key\` header makes a repeat safe (API reference §11.3).
- A test key (\`sk_test_\`) sends nothing and refuses misspelled fields
  ([Credentials](credentials.md)).
- [Recipes](recipes.md) has programs for frameworks, and [Switch](switch.md) the fields of other
  services.`;

/** Returns docs/snippets.md: the first call in every language. */
export function snippetsPage(): string {
  const programs = LANGUAGES.map(
    ({ name, grammar, write }) => `**${name}**\n\n\`\`\`${grammar}\n${write(CALL)}\n\`\`\``,
  );
  return `${HEAD}\n\n<div class="snippets">\n\n${programs.join("\n\n")}\n\n</div>\n\n${TAIL}\n`;
}
