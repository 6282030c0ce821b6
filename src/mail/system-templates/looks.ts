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

interface Look {
  light: string;
  /** Overrides in the dark scheme; "" for none. */
  dark: string;
}

const LOOKS = {
  page: {
    light: `margin:0;padding:0;width:100%;background-color:${LIGHT.page};`,
    dark: `background-color:${DARK.page}`,
  },
  /** Above and below the card, aligned with its content. */
  edge: { light: "padding:0 41px;", dark: "" },
  brand: {
    light: `${SANS}${BREAKABLE}font-size:18px;line-height:26px;font-weight:700;color:${LIGHT.heading};`,
    dark: `color:${DARK.heading}`,
  },
  card: {
    light: `padding:40px 40px 24px;background-color:${LIGHT.card};border:1px solid ${LIGHT.line};border-radius:12px;`,
    dark: `background-color:${DARK.card};border-color:${DARK.line}`,
  },
  heading: {
    light: `${SANS}${BREAKABLE}margin:0 0 20px;font-size:26px;line-height:34px;font-weight:700;letter-spacing:-0.2px;color:${LIGHT.heading};`,
    dark: `color:${DARK.heading}`,
  },
  text: {
    light: `${SANS}${BREAKABLE}margin:0 0 16px;font-size:16px;line-height:26px;color:${LIGHT.text};`,
    dark: `color:${DARK.text}`,
  },
  small: {
    light: `${SANS}${BREAKABLE}margin:0 0 12px;font-size:14px;line-height:22px;color:${LIGHT.muted};`,
    dark: `color:${DARK.muted}`,
  },
  footer: {
    light: `${SANS}${BREAKABLE}margin:0 0 8px;font-size:13px;line-height:20px;color:${LIGHT.muted};`,
    dark: `color:${DARK.muted}`,
  },
  link: {
    light: `color:${LIGHT.accent};text-decoration:underline;`,
    dark: `color:${DARK.link}`,
  },
  quietLink: {
    light: `color:${LIGHT.muted};text-decoration:underline;`,
    dark: `color:${DARK.muted}`,
  },
  button: {
    light: `background-color:${LIGHT.accent};border-radius:8px;mso-padding-alt:14px 28px;`,
    dark: `background-color:${DARK.accent}`,
  },
  buttonLink: {
    light: `${SANS}${BREAKABLE}display:inline-block;padding:14px 28px;font-size:16px;line-height:20px;font-weight:600;color:${LIGHT.onAccent};text-decoration:none;border-radius:8px;`,
    dark: `color:${DARK.onAccent}`,
  },
  panel: {
    light: `margin:8px 0 20px;background-color:${LIGHT.panel};border-radius:8px;`,
    dark: `background-color:${DARK.panel}`,
  },
  code: {
    light: `${MONO}${BREAKABLE}margin:0;font-size:32px;line-height:40px;font-weight:700;letter-spacing:6px;text-align:center;color:${LIGHT.heading};`,
    dark: `color:${DARK.heading}`,
  },
  label: {
    light: `${SANS}margin:0;font-size:13px;line-height:20px;color:${LIGHT.muted};`,
    dark: `color:${DARK.muted}`,
  },
  value: {
    light: `${MONO}${BREAKABLE}margin:0;font-size:16px;line-height:24px;color:${LIGHT.heading};`,
    dark: `color:${DARK.heading}`,
  },
  columnHead: {
    light: `${SANS}padding:0 0 8px;font-size:13px;line-height:20px;font-weight:400;color:${LIGHT.muted};border-bottom:1px solid ${LIGHT.line};`,
    dark: `color:${DARK.muted};border-color:${DARK.line}`,
  },
  cell: {
    light: `${SANS}${BREAKABLE}padding:14px 0;font-size:16px;line-height:24px;vertical-align:top;color:${LIGHT.text};border-bottom:1px solid ${LIGHT.line};`,
    dark: `color:${DARK.text};border-color:${DARK.line}`,
  },
  total: {
    light: `${SANS}${BREAKABLE}padding:16px 0 0;font-size:18px;line-height:26px;font-weight:700;vertical-align:top;color:${LIGHT.heading};`,
    dark: `color:${DARK.heading}`,
  },
} satisfies Record<string, Look>;

/** Returns the class and style attributes of an element, followed by `extra` declarations. */
export function look(name: keyof typeof LOOKS, extra = ""): string {
  return `class="${name}" style="${LOOKS[name].light}${extra}"`;
}

/** The style sheet: the dark scheme, less padding on phones, and no auto-detected links. */
export const STYLE_SHEET = [
  ":root{color-scheme:light dark;supported-color-schemes:light dark}",
  "a[x-apple-data-detectors]{color:inherit!important;text-decoration:inherit!important}",
  "@media (max-width:480px){.card{padding:28px 20px 12px!important}.edge{padding-left:21px!important;padding-right:21px!important}.heading{font-size:23px!important;line-height:30px!important}.code{font-size:27px!important;letter-spacing:4px!important}}",
  `@media (prefers-color-scheme:dark){${Object.entries(LOOKS).map(darkRule).join("")}}`,
].join("\n");

function darkRule([name, { dark }]: [string, Look]): string {
  if (dark === "") return "";
  const declarations = dark.split(";").map((declaration) => `${declaration}!important`);
  return `.${name}{${declarations.join(";")}}`;
}
