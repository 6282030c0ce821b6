import { button, divider, footer, heading, text } from "./build.ts";
import { FIRST_LOOK } from "./model.ts";
import type { Draft } from "./new-mail.ts";

/** Texts of a starter mail, in the user's language. */
export interface StarterWords {
  heading: string;
  greeting: string;
  body: string;
  button: string;
  footer: string;
  view: string;
  leave: string;
}

/** Returns a starter mail: a heading, a text, a button and the footer. */
export const starterMail = (words: StarterWords): Draft => ({
  look: FIRST_LOOK,
  header: [],
  blocks: [heading(1, words.heading), text([words.greeting, words.body]), button(words.button)],
  footer: [divider, footer(words.footer, { view: words.view, leave: words.leave })],
});
