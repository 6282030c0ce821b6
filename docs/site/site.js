// The search of the documentation, and the mark at the current section. Pages work without it.
import MiniSearch from "./vendor/minisearch.js";

const MOST_RESULTS = 12;
const CHARS_AROUND = 60;
const OPTIONS = {
  fields: ["title", "page", "text"],
  storeFields: ["title", "page", "text", "url"],
  tokenize: (text) => text.split(/[^\p{L}\p{N}]+/u),
  searchOptions: {
    prefix: true,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    boost: { title: 4, page: 2 },
    combineWith: "AND",
  },
};

const search = document.querySelector("search");
const input = search.querySelector("input");
const list = search.querySelector("[role=listbox]");
const status = search.querySelector("[role=status]");
let loading;

/** Loads what the search needs when somebody first goes to its field. */
function load() {
  loading ??= fetch("/docs/search.json")
    .then((response) => response.json())
    .then((sections) => {
      const index = new MiniSearch(OPTIONS);
      index.addAll(sections);
      return index;
    });
  loading.catch(() => (loading = undefined)); // the next key tries again
  return loading;
}

async function find() {
  const words = input.value.trim();
  if (words === "") return close();
  const index = await load().catch(() => undefined);
  if (words !== input.value.trim()) return;
  const results = index?.search(words).slice(0, MOST_RESULTS) ?? [];
  list.replaceChildren(...results.map(formatResult));
  list.hidden = results.length === 0;
  status.hidden = results.length > 0;
  status.textContent = index ? `Nothing contains “${words}”.` : "The search could not be loaded.";
  input.setAttribute("aria-expanded", String(results.length > 0));
  choose(list.firstElementChild);
}

function formatResult({ id, title, page, text, url, terms }) {
  const link = Object.assign(document.createElement("a"), { href: url, id: `found-${id}` });
  link.setAttribute("role", "option");
  link.tabIndex = -1;
  const add = (name, content) => {
    const element = link.appendChild(document.createElement(name));
    element.append(...content);
  };
  add("b", [title]);
  if (page !== title) add("small", [page]);
  add("span", formatExcerpt(text, terms));
  return link;
}

/** Returns the text around the first word found, with all of them marked. */
function formatExcerpt(text, terms) {
  const found = new RegExp(`(${terms.join("|")})`, "giu");
  const before = Math.max(0, text.search(found) - CHARS_AROUND);
  const start = before === 0 ? 0 : text.indexOf(" ", before) + 1;
  const excerpt = text.slice(start, start + 3 * CHARS_AROUND);
  return excerpt.split(found).map((part, n) => {
    if (n % 2 === 0) return part;
    return Object.assign(document.createElement("mark"), { textContent: part });
  });
}

/** Makes a result the one that Enter opens. */
function choose(result) {
  for (const option of list.children) option.ariaSelected = String(option === result);
  input.setAttribute("aria-activedescendant", result?.id ?? "");
  result?.scrollIntoView({ block: "nearest" });
}

function close() {
  list.hidden = status.hidden = true;
  input.setAttribute("aria-expanded", "false");
}

input.addEventListener("focus", () => void find());
input.addEventListener("focus", () => void load().catch(() => undefined));
input.addEventListener("input", () => void find());
input.addEventListener("keydown", (event) => {
  const chosen = list.querySelector("[aria-selected=true]");
  if (list.hidden || event.isComposing) return;
  if (event.key === "ArrowDown") choose(chosen?.nextElementSibling ?? list.firstElementChild);
  else if (event.key === "ArrowUp") choose(chosen?.previousElementSibling ?? list.lastElementChild);
  else if (event.key === "Enter") chosen?.click();
  else return;
  event.preventDefault();
});
search.addEventListener("keydown", ({ key }) => key === "Escape" && close());
search.addEventListener("focusout", ({ relatedTarget }) => {
  if (!search.contains(relatedTarget)) close();
});
list.addEventListener("click", () => input.blur());

document.addEventListener("keydown", (event) => {
  const isTyping = event.target.closest("input, textarea, select, [contenteditable]");
  if (event.key !== "/" || event.ctrlKey || event.metaKey || isTyping) return;
  event.preventDefault();
  input.focus();
  input.select();
});

// Marks the section on top of the window in the table of contents.
const contents = document.querySelector("#contents");
const targets = [...(contents?.querySelectorAll("a") ?? [])].map((link) => ({
  link,
  heading: document.getElementById(decodeURIComponent(link.hash.slice(1))),
}));
const TOP_PX = 120;
let isDue = false;
function mark() {
  isDue = false;
  const current =
    targets.findLast(({ heading }) => heading.getBoundingClientRect().top < TOP_PX) ?? targets[0];
  for (const { link } of targets) link.ariaCurrent = link === current?.link ? "true" : null;
  const isBeside = contents && getComputedStyle(contents).position === "sticky";
  if (isBeside) current?.link.scrollIntoView({ block: "nearest" });
}
document.addEventListener("scroll", () => {
  if (!isDue) requestAnimationFrame(mark);
  isDue = true;
});
mark();

// The keyboard scrolls what is wider than the text.
for (const box of document.querySelectorAll("pre, .table"))
  if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;

for (const popup of document.querySelectorAll("[popover]"))
  popup.addEventListener("click", ({ target }) => {
    if (target.closest("a") && popup.matches(":popover-open")) popup.hidePopover();
  });

// Examples name the service and the project that the reader uses, and can be copied.
const stored = (key) => localStorage.getItem(key) ?? undefined;
const OWN = {
  "https://mail.example.com": location.origin,
  PROJECT_ID: stored("postrider.project") ?? "PROJECT_ID", // what the dashboard showed last
};
for (const pre of document.querySelectorAll("article pre")) {
  const code = pre.querySelector("code");
  for (const [placeholder, own] of Object.entries(OWN))
    code.textContent = code.textContent.replaceAll(placeholder, own);
  const button = makeButton("Copy", async () => {
    const isCopied = await navigator.clipboard.writeText(code.textContent).then(
      () => true,
      () => false, // the browser does not allow it
    );
    button.textContent = isCopied ? "Copied" : "Select the text to copy it";
    setTimeout(() => (button.textContent = "Copy"), 2_000);
  });
  button.classList.add("copy");
  button.ariaLive = "polite";
  const box = document.createElement("div");
  box.className = "code";
  pre.replaceWith(box);
  box.append(pre, button);
}

// The same program in several languages: shows the one that was chosen here or in the dashboard.
const LANGUAGE = "postrider.snippet";
for (const snippets of document.querySelectorAll(".snippets")) {
  const programs = [...snippets.querySelectorAll("p")].map((title) => {
    const name = title.textContent;
    return {
      name,
      title,
      code: title.nextElementSibling,
      button: makeButton(name, () => show(name)),
    };
  });
  const names = programs.map(({ name }) => name);
  const show = (chosen) => {
    localStorage.setItem(LANGUAGE, chosen);
    for (const { name, code, button } of programs) {
      code.hidden = name !== chosen;
      button.ariaPressed = String(name === chosen);
    }
  };
  const group = document.createElement("div");
  group.role = "group";
  group.ariaLabel = "Language";
  group.append(...programs.map(({ button }) => button));
  for (const { title } of programs) title.remove();
  snippets.prepend(group);
  show(names.find((name) => name === stored(LANGUAGE)) ?? names[0]);
}

function makeButton(label, onClick) {
  const button = Object.assign(document.createElement("button"), { textContent: label });
  button.addEventListener("click", onClick);
  return button;
}
