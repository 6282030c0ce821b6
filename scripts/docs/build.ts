// Builds the documentation that /docs serves into a folder: `node scripts/docs/build.ts FOLDER`. It
// reads the project in the current directory, and fails if a link leads nowhere.
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { formatPage, type Place } from "./page-html.ts";
import { readPages } from "./pages.ts";
import { renderDocument } from "./render-document.ts";

const OPENAPI = { file: "docs/openapi.json", address: "/api/v1/openapi.json" };
const API_PAGE = { path: "/docs/api", title: "Try the API" };
const API_HEAD = `<link rel="stylesheet" href="/docs/vendor/swagger-ui.css">
    <script src="/docs/vendor/swagger-ui-bundle.js" defer></script>
    <script src="/docs/api.js" defer></script>`;
const API_HTML = `<article><h1>Try the API</h1></article>
<noscript><p>This page needs JavaScript. <a href="/api/v1/openapi.json">The document</a></p></noscript>
<div id="api"></div>`;

/** Files that are served as they are, and their places in the folder. */
const FILES = {
  "docs/site/site.css": "site.css",
  "docs/site/site.js": "site.js",
  "docs/site/api.js": "api.js",
  "dashboard/src/icon.svg": "icon.svg",
  "docs/images": "images",
  "node_modules/minisearch/dist/es/index.js": "vendor/minisearch.js",
  "node_modules/minisearch/LICENSE.txt": "vendor/minisearch-LICENSE",
  "node_modules/swagger-ui-dist/swagger-ui.css": "vendor/swagger-ui.css",
  "node_modules/swagger-ui-dist/swagger-ui-bundle.js": "vendor/swagger-ui-bundle.js",
  "node_modules/swagger-ui-dist/LICENSE": "vendor/swagger-ui-LICENSE",
  "node_modules/swagger-ui-dist/NOTICE": "vendor/swagger-ui-NOTICE",
};

const folder = process.argv[2];
if (!folder) throw new Error("name the folder to build into");

const groups = readPages();
const rendered = [...groups.values()]
  .flat()
  .map((page) => ({ ...page, ...renderDocument(page.text) }));
const byFile = new Map(rendered.map((page) => [page.file, page]));
const faults: string[] = [];
const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const site = {
  version,
  groups: new Map([...groups].map(([group, pages]) => [group, withApiPage(group, pages)])),
};

for (const page of rendered) {
  const html = page.html.replaceAll(
    /(?<= (?:href|src|srcset)=")[^"]*(?=")/g,
    (link) => addressOf(link, page.file) ?? link,
  );
  write(
    `${page.path.replace("/docs", "") || "index"}.html`,
    formatPage(site, page, { ...page, html: `<article>${html}</article>` }),
  );
}
const api = { html: API_HTML, headings: [], head: API_HEAD };
write("api.html", formatPage(site, API_PAGE, api));
const sections = rendered.flatMap(({ path, title: page, sections }) =>
  sections.map(({ anchor, ...section }) => ({ ...section, page, url: `${path}#${anchor}` })),
);
write("search.json", JSON.stringify(sections.map((section, id) => ({ id, ...section }))));
for (const [from, to] of Object.entries(FILES)) cpSync(from, join(folder, to), { recursive: true });

if (faults.length > 0) {
  process.stderr.write(`${faults.join("\n")}\n`);
  process.exitCode = 1;
}

/** The page of the API follows the documents on it. */
function withApiPage(group: string, pages: Place[]): Place[] {
  return group === "Reference" ? pages.toSpliced(2, 0, API_PAGE) : pages;
}

/**
 * Returns where a link of a document leads on the site, and undefined for one that stays as it is.
 * Notes a fault if it leads nowhere.
 */
function addressOf(link: string, file: string): string | undefined {
  if (/^[a-z]+:/i.test(link)) return undefined;
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? file : normalize(join(dirname(file), path));
  if (target === OPENAPI.file) return OPENAPI.address;
  if (target.startsWith("docs/images/") && existsSync(target)) return `/${target}`;
  const page = byFile.get(target);
  if (page && (anchor === undefined || page.anchors.has(decodeURIComponent(anchor))))
    return page.path + (anchor === undefined ? "" : `#${anchor}`);
  faults.push(`${file}: the link ${link} leads to no page or heading of the site`);
}

function write(name: string, text: string) {
  const file = join(folder ?? "", name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
