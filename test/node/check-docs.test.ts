import { describe, expect, it } from "vitest";
import { findDeadPaths } from "../../scripts/check-docs.ts";

describe("the paths in documents", () => {
  it.each([
    ["in backticks", "`src/config.ts` reads the variables.", "docs/a.md"],
    ["in prose, before a full stop", "The tests are in test/node.", "README.md"],
    ["in a block of code", "```\nnpx oxlint src/lib/seal.ts:40\n```", "docs/a.md"],
    ["in a link to a heading", "[How](docs/testing.md#rules)", "README.md"],
    ["from src", "`http/routes.ts` lists them.", "docs/a.md"],
    ["from src/services", "`mailing/record.ts` writes it.", "docs/a.md"],
    ["from the folder of their document", "`src/app/nav.ts` has a line.", "dashboard/README.md"],
  ])("may be %s", (_, text, file) => expect(findDeadPaths(file, text)).toEqual([]));

  it.each([
    [
      "in backticks",
      "`npx vitest run test/services/gone.test.ts` runs it.",
      "test/services/gone.test.ts",
    ],
    ["in prose", "The servers are in test/gone/, one a file.", "test/gone/"],
    ["in a link", "[How](docs/gone.md), [why](docs/why.md)", "docs/gone.md"],
    ["in a block of code", "```\nnpx oxlint src/lib/gone.ts:40\n```", "src/lib/gone.ts"],
    ["from no folder of code", "`routes.ts` is `doors/routes.ts`.", "doors/routes.ts"],
    ["only in the dashboard", "`src/app/nav.ts` has a line.", "src/app/nav.ts"],
  ])("must exist: %s", (_, text, path) => {
    expect(findDeadPaths("docs/a.md", text)).toContain(
      `docs/a.md: the path ${path} leads to no file`,
    );
  });

  it.each([
    ["stand for several files", "`test/gone/<area>.suite.ts`, `src/{a,b}/c.ts`, `src/gone/*.ts`"],
    ["leave a part out", "`test/gone/…` and `src/…/gone.ts`"],
    ["contain a variable", "`bench/$PART.ts`"],
    ["belong to another site", "https://example.org/src/gone.ts and `/docs/gone`"],
    ["name what a command makes", "`assets/dashboard/index.html`, `.cache/deploy/wrangler.json`"],
  ])("are not checked if they %s", (_, text) => {
    expect(findDeadPaths("docs/a.md", text)).toEqual([]);
  });
});
