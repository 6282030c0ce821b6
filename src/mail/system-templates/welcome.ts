import type { Language } from "../../lib/languages.ts";
import { fillWords, wordsOf } from "../words/index.ts";
import {
  button,
  either,
  eitherLines,
  BRAND,
  heading,
  optional,
  paragraph,
  urlNames,
  urlVariables,
} from "./blocks.ts";
import { htmlLayout, SHARED_VARIABLES, textLayout } from "./layout.ts";
import type { SystemTemplate } from "./system-template.ts";

const ACTION_URL = urlNames("action");

/**
 * Returns the template that greets a new subscriber, in a language. Does not use `metadata`, which
 * anyone with a public key can write, so a stranger could inject text into a project's mail.
 */
export function welcomeTemplate(language: Language): SystemTemplate {
  const words = wordsOf(language).mails.welcome;
  const withBrand = (text: string) => either(BRAND, (tag) => fillWords(text, { project: tag }));
  const title = fillWords(words.title, { to: withBrand(words.to) });
  const greeting = `{{#if name}}${fillWords(words.greeting, { name: "{{name}}" })}{{else}}${words.hello}{{/if}}`;
  const email = `{{#if email}}{{email}}{{else}}${words.thisAddress}{{/if}}`;
  const label = `{{#if action_label}}{{action_label}}{{else}}${words.button}{{/if}}`;
  const parts = {
    language,
    title,
    preheader: words.thanks,
    html: [
      heading(title),
      paragraph(greeting),
      paragraph(words.thanks),
      paragraph(words.next),
      button(ACTION_URL, label, "alone"),
    ].join("\n"),
    text: `${greeting}

${words.thanks}

${words.next}
${eitherLines(ACTION_URL, (url) => `\n${label}:\n${url}`)}
`,
    reason: fillWords(words.reason, { email, for: withBrand(words.for) }),
  };
  return {
    name: "welcome",
    subject: title,
    htmlBody: htmlLayout(parts),
    textBody: textLayout(parts),
    variables: [
      optional("name", "the recipient's name; automatic in emails to subscribers"),
      optional("email", "the recipient's address; automatic in emails to subscribers"),
      ...urlVariables("action", "target of the button; no button without it"),
      optional("action_label", "text of the button, `Get started` by default"),
      ...SHARED_VARIABLES,
    ],
  };
}
