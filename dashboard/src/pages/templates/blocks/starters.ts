import { PLACEHOLDER_URL } from "../../../../../src/lib/placeholders.ts";
import { copyOf } from "./operations.ts";
import { FIRST_LOOK, type Block, type Mail, type Paragraph } from "./model.ts";

/** Texts of a starter mail, in the user's language. */
export interface StarterWords {
  heading: string;
  greeting: string;
  body: string;
  button: string;
  footer: string;
  leave: string;
}

const paragraph = (text: string): Paragraph => ({ kind: "plain", runs: [{ text }] });

/** Returns a starter mail: a heading, a text, a button and the footer. */
export function starterMail(words: StarterWords): Mail {
  const blocks: Block[] = [
    { type: "heading", id: "", level: 1, align: "left", text: words.heading },
    {
      type: "text",
      id: "",
      align: "left",
      paragraphs: [paragraph(words.greeting), paragraph(words.body)],
    },
    { type: "button", id: "", align: "left", label: words.button, url: PLACEHOLDER_URL },
    { type: "divider", id: "" },
    { type: "footer", id: "", text: words.footer, leave: words.leave },
  ];
  return { look: FIRST_LOOK, blocks: blocks.map(copyOf) };
}
