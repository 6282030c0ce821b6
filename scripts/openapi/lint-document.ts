import { createConfig, lintFromString } from "@redocly/openapi-core";

/** The tracking pixel returns no errors. */
const RULES = { "operation-4xx-response": "off" } as const;

/** Returns the violations of Redocly's recommended rules in an OpenAPI document. */
export async function lintDocument(text: string, file: string): Promise<string[]> {
  const config = await createConfig({ extends: ["recommended"], rules: RULES });
  const problems = await lintFromString({ source: text, absoluteRef: file, config });
  return problems.map(({ ruleId, message, location: [place] }) => {
    return `${file}${place?.pointer ?? ""}: ${message} (${ruleId})`;
  });
}
