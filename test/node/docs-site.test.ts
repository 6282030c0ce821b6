import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NODE } from "./support/local-run.ts";

const root = process.cwd();
let project: string;

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), "docs-site-"));
  for (const file of ["docs", "dashboard/src/icon.svg", "package.json", ...globSync("*.md")])
    cpSync(file, join(project, file), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(project, "node_modules"));
});
afterAll(() => rmSync(project, { recursive: true }));

function build(folder: string) {
  const { status, stderr } = spawnSync(NODE, [join(root, "scripts/docs/build.ts"), folder], {
    cwd: project,
    encoding: "utf8",
  });
  return { status, stderr, folder: join(project, folder) };
}

describe("the pages of the documentation", () => {
  it("link to pages, headings and files that exist, each id being unique", () => {
    const { status, folder } = build("whole");
    expect(status).toBe(0);
    const files = new Set(globSync("**/*", { cwd: folder }));
    const pages = new Map(
      globSync("*.html", { cwd: folder }).map((file) => {
        const html = readFileSync(join(folder, file), "utf8");
        const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id);
        expect([file, ids.length]).toEqual([file, new Set(ids).size]);
        expect(html).not.toMatch(/ style="|<script>|<style/);
        return [
          file === "index.html" ? "/docs" : `/docs/${basename(file, ".html")}`,
          { html, ids },
        ];
      }),
    );
    expect(pages.size).toBeGreaterThan(20);
    const sections: { url: string }[] = JSON.parse(
      readFileSync(join(folder, "search.json"), "utf8"),
    );
    const found = sections.map(({ url }) => ["search.json", url]);
    const links = [...pages].flatMap(([path, { html }]) =>
      [...html.matchAll(/ (?:href|src|srcset)="([^"]*)"/g)].map(([, link = ""]) => [path, link]),
    );
    const dead = [...links, ...found].filter(([from = "", link = ""]) => {
      if (/^https?:|^\/$|^\/api\/v1\/openapi\.json$/.test(link)) return false;
      const [path = "", anchor] = link.split("#");
      const page = pages.get(path || from);
      if (!page) return anchor !== undefined || !files.has(path.replace("/docs/", ""));
      return anchor !== undefined && !page.ids.includes(decodeURIComponent(anchor));
    });
    expect(dead).toEqual([]);
    expect(links.length).toBeGreaterThan(500);
  });

  it.each([
    ["a missing document", "[x](gone.md)", "gone.md"],
    ["a missing heading", "[x](bounces.md#gone)", "bounces.md#gone"],
    ["a missing heading of its own", "[x](#gone)", "#gone"],
    ["a document for contributors", "[x](testing.md)", "testing.md"],
    ["a missing image", '<img src="images/gone.png" alt="x">', "images/gone.png"],
  ])("cannot be built with a link to %s", (_, text, link) => {
    const file = join(project, "docs/scaling.md");
    appendFileSync(file, `\n${text}\n`);
    const { status, stderr } = build("broken");
    cpSync(join(root, "docs/scaling.md"), file);
    expect(stderr).toBe(
      `docs/scaling.md: the link ${link} leads to no page or heading of the site\n`,
    );
    expect(status).toBe(1);
  });
});
