import { readFileSync } from "node:fs";
import { basename } from "node:path";

/** A document of the repository as a page of the site. */
export interface Page {
  file: string;
  path: string;
  title: string;
  text: string;
}

/** The documents of the site by group. Those for contributors are not on it. */
const GROUPS: Record<string, string[]> = {
  Start: [
    "README.md",
    "docs/snippets.md",
    "docs/recipes.md",
    "docs/switch.md",
    "docs/dashboard.md",
    "docs/deployment.md",
  ],
  Guides: [
    "docs/sending.md",
    "docs/broadcasts.md",
    "docs/automations.md",
    "docs/audience.md",
    "docs/templates.md",
    "docs/tracking.md",
    "docs/bounces.md",
    "docs/webhooks.md",
    "docs/cli.md",
  ],
  Reference: [
    "docs/credentials.md",
    "docs/api-reference.md",
    "docs/api-routes.md",
    "docs/errors.md",
    "docs/api-examples.md",
    "docs/api-client.md",
    "docs/resend.md",
    "docs/hooks.md",
    "docs/decisions.md",
  ],
  Operations: [
    "docs/configuration.md",
    "docs/operations.md",
    "docs/limits-and-costs.md",
    "docs/scaling.md",
    "docs/security.md",
    "SECURITY.md",
    "CHANGELOG.md",
  ],
};

/** Sections of README.md for readers of the repository. */
const NOT_ON_SITE = /^## (?:How it compares|Documents)\n[\s\S]*?(?=^## |$(?![\s\S]))/gm;

/** Paths that do not follow from the name of the file. */
const PATHS: Record<string, string> = {
  "README.md": "/docs",
  "SECURITY.md": "/docs/security-policy",
};

/** Reads the documents of the site, by group. */
export function readPages(): Map<string, Page[]> {
  return new Map(
    Object.entries(GROUPS).map(([group, files]) => [group, files.map((file) => readPage(file))]),
  );
}

function readPage(file: string): Page {
  const whole = readFileSync(file, "utf8");
  const isStart = file === "README.md";
  return {
    file,
    path: PATHS[file] ?? `/docs/${basename(file, ".md").toLowerCase()}`,
    title: isStart ? "Quick start" : (/^# (.+)$/m.exec(whole)?.[1] ?? file),
    text: isStart ? whole.replace(NOT_ON_SITE, "") : whole,
  };
}
