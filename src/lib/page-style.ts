/* Styles of the public pages (http/public/page-shell.ts), which the dashboard previews. */
import { textOn, type Brand } from "./brand.ts";
import { colorOf, inkOn, readableOn } from "./colors.ts";
import { fontOf } from "./mail-fonts.ts";

/** Color of buttons on the light pages of an unset brand. */
export const PAGE_ACCENT = "#1f5fbf";

/** Styles of the public pages; brandStyle replaces their variables. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --ink: #1f2328; --soft: #57606a; --paper: #f6f8fa; --card: #fff; --line: #d0d7de; --act: ${PAGE_ACCENT}; --on-act: #fff; --bad: #b3261e; --link: var(--act); --foot: var(--soft); --text-font: system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; --heading-font: var(--text-font); }
@media (prefers-color-scheme: dark) {
  .logo { padding: 8px; background: #fff; } /* drawn for light paper */
  :root { --ink: #e6edf3; --soft: #a5b1bd; --paper: #0d1117; --card: #161b22; --line: #3d444d; --act: #6cb0ff; --on-act: #0d1117; --bad: #ff9a92; }
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; min-height: 100svh; display: grid; align-content: center; justify-items: center; gap: 16px; padding: 16px; background: var(--paper); color: var(--ink); font: 17px/1.5 var(--text-font); }
main { width: 100%; max-width: 480px; padding: 32px 24px; background: var(--card); border: 1px solid var(--line); border-radius: 12px; }
.wide { align-content: start; padding-top: 32px; }
.wide main { max-width: 720px; }
h1, h2, h3 { font-family: var(--heading-font); }
h1 { margin: 0 0 12px; font-size: 26px; line-height: 1.25; }
a { color: var(--link); }
.logo { display: block; max-width: 100%; height: auto; margin: 0 0 24px; border-radius: 4px; }
.foot { max-width: 480px; color: var(--foot); font-size: 14px; text-align: center; overflow-wrap: anywhere; }
p { margin: 0 0 12px; overflow-wrap: anywhere; }
form { margin: 24px 0 0; }
h2 { margin: 28px 0 8px; font-size: 20px; line-height: 1.3; }
fieldset { margin: 0; padding: 0; border: 0; }
legend { padding: 0; font-weight: 600; }
label { display: flex; gap: 12px; align-items: flex-start; padding: 10px 0; cursor: pointer; overflow-wrap: anywhere; }
label small { display: block; color: var(--soft); font-size: 15px; }
.optional { display: inline; color: var(--soft); font-size: 15px; font-weight: 400; }
input[type="checkbox"] { flex: none; width: 22px; height: 22px; margin: 2px 0 0; accent-color: var(--link); }
.notice { padding: 12px 16px; border: 2px solid var(--link); border-radius: 8px; }
li { margin: 0 0 8px; overflow-wrap: anywhere; }
ul { margin: 0; padding: 0 0 0 20px; }
form p { color: var(--soft); font-size: 16px; }
button { min-height: 48px; padding: 10px 24px; font: inherit; font-weight: 600; border-radius: 8px; cursor: pointer; border: 2px solid var(--act); background: var(--act); color: var(--on-act); }
button.quiet { background: transparent; border-color: var(--link); color: var(--link); }
.lines { white-space: pre-line; }
.center :is(h1, p) { text-align: center; }
.center :is(.logo, form button) { display: block; margin-inline: auto; }
.field { margin: 0 0 16px; }
.field > label[for] { display: block; padding: 0 0 4px; font-weight: 600; }
.field > :is(input, select) { width: 100%; min-height: 44px; padding: 8px 12px; font: inherit; color: inherit; background: var(--card); border: 1px solid var(--soft); border-radius: 8px; }
.fault { display: block; color: var(--bad); font-weight: 600; }
.fault:empty { display: none; }
.trap { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 3px; }
@media (max-width: 480px) { button { width: 100%; } }
`;

/** Colors of the pages: behind text in both schemes, and of the small print. */
const CARD = "#ffffff";
const DARK_CARD = "#161b22";
const SOFT = "#57606a";

/** The accent without a brand, as the style above has it. */
const ACT = "#1f5fbf";

/** Returns the style of a button in the accent of a brand, on the page of another site. */
export function buttonStyle({ accent, accentText }: Brand): string {
  const act = colorOf(accent) ?? ACT;
  return `padding:.6rem 1.2rem;font:inherit;font-weight:600;cursor:pointer;border:0;border-radius:.4rem;background:${act};color:${textOn(act, colorOf(accentText))}`;
}

type Variables = Record<string, string | undefined>;

const declared = (variables: Variables) =>
  Object.entries(variables)
    .flatMap(([name, value]) => (value === undefined ? [] : `--${name}:${value};`))
    .join("");

/**
 * Returns a style sheet that sets the variables of the pages at `selector`. The dark scheme keeps its dark paper,
 * on which the accent is lightened until it is readable.
 */
export function brandStyle(brand: Brand, selector = ":root"): string {
  const accent = colorOf(brand.accent);
  const background = colorOf(brand.background);
  const lightened = accent && readableOn(DARK_CARD, accent);
  const light = declared({
    act: accent,
    "on-act": accent && textOn(accent, colorOf(brand.accentText)),
    link: accent && readableOn(CARD, accent),
    paper: background,
    foot: background && readableOn(background, SOFT),
    "text-font": fontOf(brand.textFont),
    "heading-font": fontOf(brand.headingFont),
  });
  const dark = declared({
    act: lightened,
    "on-act": lightened && inkOn(lightened),
    link: lightened,
    paper: background && "#0d1117",
    foot: background && "var(--soft)",
  });
  if (light === "") return "";
  return `${selector}{${light}}@media (prefers-color-scheme:dark){${selector}{${dark}}}`;
}
