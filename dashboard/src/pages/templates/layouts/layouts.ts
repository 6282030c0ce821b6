/* The layouts of the gallery: mails of blocks with sample texts. */
import { PLACEHOLDER_PICTURES } from "../../../../../src/lib/placeholders.ts";
import { divider, footer, heading, space, text } from "../blocks/build.ts";
import { FIRST_LOOK, type Block, type Look } from "../blocks/model.ts";
import type { Draft } from "../blocks/new-mail.ts";
import { announcement, digest, letter, newsletter, productNews } from "./news.ts";
import { invitation, offer, receipt, survey, welcome } from "./occasions.ts";
import type { en } from "./text.en.ts";

const BLOCKS = {
  newsletter,
  product_news: productNews,
  invitation,
  digest,
  receipt,
  welcome,
  announcement,
  offer,
  letter,
  survey,
};

export type LayoutName = keyof typeof BLOCKS;
export const LAYOUTS = Object.keys(BLOCKS) as LayoutName[]; // a record has no other keys

const lookOf = (accent: string, background: string, font: Look["font"] = "sans"): Look => ({
  ...FIRST_LOOK,
  accent,
  background,
  font,
});

export const LAYOUT_LOOKS: Record<LayoutName, Look> = {
  newsletter: lookOf("#0f766e", "#eef4f3"),
  product_news: lookOf("#4338ca", "#f1f1f8"),
  invitation: lookOf("#9d174d", "#f7f2f4", "serif"),
  digest: lookOf("#1d4ed8", "#f1f4f9"),
  receipt: lookOf("#166534", "#f3f5f3"),
  welcome: lookOf("#1d4ed8", "#f1f4f9"),
  announcement: lookOf("#92400e", "#f8f5f0", "serif"),
  offer: lookOf("#be123c", "#f8f2f3"),
  letter: lookOf("#1d4ed8", "#ffffff", "serif"),
  survey: lookOf("#6d28d9", "#f4f2f9"),
};

/** Mails about one order, which nobody unsubscribes from. */
const TRANSACTIONAL: readonly LayoutName[] = ["receipt"];
/** Layouts without a title that names the sender. */
const UNNAMED: readonly LayoutName[] = ["letter"];

interface Sender {
  /** Name of the project, or of who sends its mails. */
  name: string;
  /** Origin of this service, which has the pictures. */
  origin: string;
  /** Text of the footer. */
  address: string;
}

/** Returns the mail of a layout, filled with its sample texts. */
export function layoutMail(
  layout: LayoutName,
  words: typeof en,
  { name, origin, address }: Sender,
): Draft {
  const { wide, small } = PLACEHOLDER_PICTURES;
  const pictures = { wide: `${origin}${wide}`, small: `${origin}${small}` };
  const end: Block[] = TRANSACTIONAL.includes(layout)
    ? [divider, text([address], { size: "small", align: "center" })]
    : [footer(address, { view: words.view, leave: words.leave })];
  return {
    look: LAYOUT_LOOKS[layout],
    header: UNNAMED.includes(layout) ? [] : [heading(3, name), space(8)],
    blocks: BLOCKS[layout]({ words, pictures }),
    footer: end,
  };
}
