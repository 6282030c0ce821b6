import { textOn, type Brand } from "../../lib/brand.ts";
import { colorOf, inkOn, readableOn } from "../../lib/colors.ts";
import { fontOf } from "../../lib/mail-fonts.ts";

/**
 * Styles of the elements in a system template: inline styles for the light scheme, which every mail
 * client supports, and classes for the dark scheme where a client supports `prefers-color-scheme`.
 * Colors avoid extremes and come in pairs, so that clients that invert colors keep the contrast. No
 * variable occurs in a style.
 */

const SANS =
  "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;";
const MONO = "font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'Courier New',monospace;";
/** Style for text that may be wider than a phone: addresses, codes, links. */
const BREAKABLE = "overflow-wrap:anywhere;word-break:break-word;";

const LIGHT = {
  page: "#f4f5f8",
  card: "#ffffff",
  line: "#e1e4ea",
  panel: "#f1f4fb",
  heading: "#161b24",
  text: "#3c4452",
  muted: "#5b6473",
  accent: "#2a57dc",
  onAccent: "#ffffff",
  link: "#2a57dc",
  /** Above and below the card. */
  pageHeading: "#161b24",
  pageMuted: "#5b6473",
};
const DARK = {
  page: "#0f1216",
  card: "#1a1e25",
  line: "#323844",
  panel: "#262c37",
  heading: "#f1f3f7",
  text: "#ccd1da",
  muted: "#a0a9b8",
  accent: "#3763e4",
  onAccent: "#ffffff",
  link: "#9bb8ff",
};

interface Palette {
  light: typeof LIGHT;
  dark: typeof DARK;
  /** Declarations of the fonts of headings and of other text. */
  title: string;
  sans: string;
}

const PLAIN: Palette = { light: LIGHT, dark: DARK, title: SANS, sans: SANS };

/**
 * Returns the colors and fonts of a brand. Text keeps its contrast: where a color of the brand is
 * hard to read it is darkened or lightened.
 */
function paletteOf(brand: Brand): Palette {
  const accent = colorOf(brand.accent) ?? LIGHT.accent;
  const page = colorOf(brand.background) ?? LIGHT.page;
  const family = (font: Brand["textFont"]) => {
    const stack = fontOf(font);
    return stack === undefined ? SANS : `font-family:${stack};`;
  };
  const lightened = readableOn(DARK.card, accent);
  return {
    light: {
      ...LIGHT,
      page,
      accent,
      onAccent: textOn(accent, colorOf(brand.accentText)),
      link: readableOn(LIGHT.card, accent),
      pageHeading: readableOn(page, LIGHT.heading),
      pageMuted: readableOn(page, LIGHT.muted),
    },
    dark:
      brand.accent === undefined
        ? DARK
        : { ...DARK, accent: lightened, onAccent: inkOn(lightened), link: lightened },
    title: family(brand.headingFont),
    sans: family(brand.textFont),
  };
}

interface Look {
  light: string;
  /** Overrides in the dark scheme; "" for none. */
  dark: string;
}

const looksOf = ({ light, dark, title, sans }: Palette) =>
  ({
    page: {
      light: `margin:0;padding:0;width:100%;background-color:${light.page};`,
      dark: `background-color:${dark.page}`,
    },
    /** Above and below the card, aligned with its content. */
    edge: { light: "padding:0 41px;", dark: "" },
    brand: {
      light: `${title}${BREAKABLE}font-size:18px;line-height:26px;font-weight:700;color:${light.pageHeading};`,
      dark: `color:${dark.heading}`,
    },
    card: {
      light: `padding:40px 40px 24px;background-color:${light.card};border:1px solid ${light.line};border-radius:12px;`,
      dark: `background-color:${dark.card};border-color:${dark.line}`,
    },
    heading: {
      light: `${title}${BREAKABLE}margin:0 0 20px;font-size:26px;line-height:34px;font-weight:700;letter-spacing:-0.2px;color:${light.heading};`,
      dark: `color:${dark.heading}`,
    },
    text: {
      light: `${sans}${BREAKABLE}margin:0 0 16px;font-size:16px;line-height:26px;color:${light.text};`,
      dark: `color:${dark.text}`,
    },
    small: {
      light: `${sans}${BREAKABLE}margin:0 0 12px;font-size:14px;line-height:22px;color:${light.muted};`,
      dark: `color:${dark.muted}`,
    },
    footer: {
      light: `${sans}${BREAKABLE}margin:0 0 8px;font-size:13px;line-height:20px;color:${light.pageMuted};`,
      dark: `color:${dark.muted}`,
    },
    link: {
      light: `color:${light.link};text-decoration:underline;`,
      dark: `color:${dark.link}`,
    },
    quietLink: {
      light: `color:${light.pageMuted};text-decoration:underline;`,
      dark: `color:${dark.muted}`,
    },
    button: {
      light: `background-color:${light.accent};border-radius:8px;mso-padding-alt:14px 28px;`,
      dark: `background-color:${dark.accent}`,
    },
    buttonLink: {
      light: `${sans}${BREAKABLE}display:inline-block;padding:14px 28px;font-size:16px;line-height:20px;font-weight:600;color:${light.onAccent};text-decoration:none;border-radius:8px;`,
      dark: `color:${dark.onAccent}`,
    },
    panel: {
      light: `margin:8px 0 20px;background-color:${light.panel};border-radius:8px;`,
      dark: `background-color:${dark.panel}`,
    },
    code: {
      light: `${MONO}${BREAKABLE}margin:0;font-size:32px;line-height:40px;font-weight:700;letter-spacing:6px;text-align:center;color:${light.heading};`,
      dark: `color:${dark.heading}`,
    },
    label: {
      light: `${sans}margin:0;font-size:13px;line-height:20px;color:${light.muted};`,
      dark: `color:${dark.muted}`,
    },
    value: {
      light: `${MONO}${BREAKABLE}margin:0;font-size:16px;line-height:24px;color:${light.heading};`,
      dark: `color:${dark.heading}`,
    },
    columnHead: {
      light: `${sans}padding:0 0 8px;font-size:13px;line-height:20px;font-weight:400;color:${light.muted};border-bottom:1px solid ${light.line};`,
      dark: `color:${dark.muted};border-color:${dark.line}`,
    },
    cell: {
      light: `${sans}${BREAKABLE}padding:14px 0;font-size:16px;line-height:24px;vertical-align:top;color:${light.text};border-bottom:1px solid ${light.line};`,
      dark: `color:${dark.text};border-color:${dark.line}`,
    },
    total: {
      light: `${sans}${BREAKABLE}padding:16px 0 0;font-size:18px;line-height:26px;font-weight:700;vertical-align:top;color:${light.heading};`,
      dark: `color:${dark.heading}`,
    },
  }) satisfies Record<string, Look>;

type Looks = ReturnType<typeof looksOf>;

const LOOKS = looksOf(PLAIN);

/** Returns the class and style attributes of an element, followed by `extra` declarations. */
export function look(name: keyof typeof LOOKS, extra = ""): string {
  return `${opened(LOOKS, name)}${extra}"`;
}

/** Returns the attributes of an element without the closing quote. */
const opened = (looks: Looks, name: keyof Looks) => `class="${name}" style="${looks[name].light}`;

/** Returns the style sheet: the dark scheme, less padding on phones, and no auto-detected links. */
const sheetOf = (looks: Looks, more = "") =>
  [
    ":root{color-scheme:light dark;supported-color-schemes:light dark}",
    "a[x-apple-data-detectors]{color:inherit!important;text-decoration:inherit!important}",
    "@media (max-width:480px){.card{padding:28px 20px 12px!important}.edge{padding-left:21px!important;padding-right:21px!important}.heading{font-size:23px!important;line-height:30px!important}.code{font-size:27px!important;letter-spacing:4px!important}}",
    `@media (prefers-color-scheme:dark){${Object.entries(looks).map(darkRule).join("")}${more}}`,
  ].join("\n");

function darkRule([name, { dark }]: [string, Look]): string {
  if (dark === "") return "";
  const declarations = dark.split(";").map((declaration) => `${declaration}!important`);
  return `.${name}{${declarations.join(";")}}`;
}

export const STYLE_SHEET = sheetOf(LOOKS);

/** Returns the HTML of a template in the look of a brand. A logo keeps its light paper. */
export function inLookOf(brand: Brand, html: string): string {
  const palette = paletteOf(brand);
  const looks = looksOf(palette);
  const paper = `img.brand{background-color:${palette.light.page}!important;padding:8px!important}`;
  const names = Object.keys(LOOKS) as (keyof Looks)[];
  return names.reduce(
    (text, name) => text.replaceAll(opened(LOOKS, name), () => opened(looks, name)),
    html.replace(STYLE_SHEET, () => sheetOf(looks, paper)),
  );
}
