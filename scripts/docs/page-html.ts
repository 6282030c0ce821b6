import type { Page } from "./pages.ts";
import { escapeHtml, type Heading } from "./render-document.ts";

export type Place = Pick<Page, "path" | "title">;

/** What the frame of all pages shows. */
interface Site {
  groups: Map<string, Place[]>;
  version: string;
}

/** Returns a whole page: frame, navigation, text and table of contents. */
export function formatPage(
  { groups, version }: Site,
  { path, title }: Place,
  { html, headings, head = "" }: { html: string; headings: Heading[]; head?: string },
): string {
  const contents = formatContents(headings);
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${escapeHtml(title)} · Postrider</title>
    <link rel="icon" type="image/svg+xml" href="/docs/icon.svg">
    <link rel="stylesheet" href="/docs/site.css">
    <script type="module" src="/docs/site.js"></script>
    ${head}
  </head>
  <body>
    <a class="skip" href="#main">Skip to the text</a>
    <header>
      <button class="menu" popovertarget="nav">Menu</button>
      <a class="brand" href="/docs"><img src="/docs/icon.svg" alt="" width="24" height="24">Postrider</a>
      <search>
        <input type="search" placeholder="Search" aria-label="Search" aria-keyshortcuts="/" role="combobox"
          aria-expanded="false" aria-controls="found" aria-autocomplete="list" autocomplete="off" spellcheck="false">
        <kbd aria-hidden="true">/</kbd>
        <div id="found" role="listbox" aria-label="Results" hidden></div>
        <p role="status" hidden></p>
      </search>
      <a class="app" href="/">Dashboard</a>
    </header>
    <div class="columns">
      <nav id="nav" popover aria-label="Documents">${formatGroups(groups, path)}
        <p>Postrider ${version}</p>
      </nav>
      <main id="main" tabindex="-1">
        ${contents && '<button class="menu" popovertarget="contents">On this page</button>'}
        ${html}
        <footer>Postrider ${version}, <a href="/docs/changelog">what is new</a></footer>
      </main>
      ${contents && `<aside id="contents" popover aria-label="On this page"><b>On this page</b>${contents}</aside>`}
    </div>
  </body>
</html>
`;
}

function formatGroups(groups: Site["groups"], current: string): string {
  return [...groups]
    .map(([group, pages]) => {
      const items = pages.map(({ path, title }) => {
        const state = path === current ? ' aria-current="page"' : "";
        return `<li><a href="${path}"${state}>${escapeHtml(title)}</a></li>`;
      });
      return `<b>${group}</b><ul>${items.join("")}</ul>`;
    })
    .join("");
}

function formatContents(headings: Heading[]): string {
  const chapters: { heading: Heading; parts: Heading[] }[] = [];
  for (const heading of headings) {
    if (heading.level === 2) chapters.push({ heading, parts: [] });
    else chapters.at(-1)?.parts.push(heading);
  }
  const link = ({ anchor, title }: Heading) => `<a href="#${anchor}">${escapeHtml(title)}</a>`;
  const list = (items: string[]) => (items.length > 0 ? `<ul>${items.join("")}</ul>` : "");
  return list(
    chapters.map(({ heading, parts }) => {
      const below = list(parts.map((part) => `<li>${link(part)}</li>`));
      return `<li>${link(heading)}${below}</li>`;
    }),
  );
}
