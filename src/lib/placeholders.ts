/** Texts of a new template that somebody has to replace, by language. The dashboard writes them. */
export const PLACEHOLDERS: Record<"en" | "de", { body: string; footer: string }> = {
  en: { body: "Write here what is new.", footer: "Your company, your address" },
  de: { body: "Schreibe hier, was es Neues gibt.", footer: "Dein Unternehmen, deine Anschrift" },
};

/** The address of the button of a new template. */
export const PLACEHOLDER_URL = "https://example.com";

/** Paths of the pictures of layouts, which the service has. */
export const PLACEHOLDER_PICTURES = {
  wide: "/dashboard/assets/placeholder-wide.png",
  small: "/dashboard/assets/placeholder-small.png",
};

/** The placeholders, and the HTML by which each is found. */
const FOUND = [
  ...Object.values(PLACEHOLDERS)
    .flatMap((texts) => Object.values(texts))
    .map((text) => ({ kind: "text" as const, text, html: text })),
  { kind: "link" as const, text: PLACEHOLDER_URL, html: `href="${PLACEHOLDER_URL}"` },
  ...Object.values(PLACEHOLDER_PICTURES).map((path) => ({
    kind: "picture" as const,
    text: path,
    html: path,
  })),
];

/** Returns the placeholders that are still in the HTML of a mail. */
export const placeholdersIn = (mail: string) => FOUND.filter(({ html }) => mail.includes(html));
