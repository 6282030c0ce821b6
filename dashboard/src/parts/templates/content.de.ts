import type {
  ContentProblemCode,
  LinkFaultCode,
  SampleLeftCode,
  TemplateFaultCode,
} from "../../../../src/messages/templates.ts";
import { addGerman } from "../../text/messages.ts";

/** German texts of template errors (src/messages). */
const TEMPLATES: Record<
  TemplateFaultCode | "template_syntax_error" | "template_render_error",
  string
> = {
  template_syntax_error: "{place}{reason}.",
  template_render_error: "{reason}.",
  at_column: "Zeile {line}, Spalte {column}: ",
  tag_not_closed: "Ein Tag wird nicht geschlossen",
  block_not_closed: "Dieser Block wird nicht geschlossen",
  comment_not_closed: "Ein Kommentar oder ein Block mit vier Klammern wird nicht geschlossen",
  token_not_allowed: "Hier ist {found} nicht erlaubt, oder das Tag wird nicht geschlossen",
  token_outside_block: "{found} ohne einen Block",
  other_block_closed: "{{#{open}}} endet mit {{/{close}}}",
  unknown_partial: 'Das Partial "{name}" ist in dieser Vorlage nicht definiert',
  unknown_decorator: '"{name}" ist kein Decorator; es gibt nur "{only}"',
  unknown_helper: 'Einen Helfer "{name}" gibt es nicht',
  block_needed: '"{name}" braucht ein Argument und einen Block: {form}',
  one_context_needed: "Ein Partial nimmt höchstens einen Kontext",
  too_many_template_levels:
    "Das ist mehr als {max} Ebenen tief verschachtelt; jeder Zweig mit else zählt als Ebene",
  too_many_tags: "Es gibt zu viele Tags",
  template_too_long: "Die Vorlage ist größer als {max} KiB",
  nul_in_template: "Die Vorlage enthält ein NUL-Zeichen",
  too_many_steps: "Es braucht zu viele Schritte",
  output_too_long: "Die Ausgabe wird zu lang",
  nests_too_deeply: "Es ist zu tief verschachtelt",
  wrong_value: "Ein Tag verwendet einen Wert der falschen Art",
  not_a_helper: '"{name}" ist kein Helfer',
  not_a_decorator: '"{name}" ist kein Decorator',
  handlebars: "{reason}",
};

addGerman(TEMPLATES);

/** German texts of link errors in mails. */
export const GERMAN_LINKS: Record<LinkFaultCode, string> = {
  link_empty: "der Link ist leer",
  link_relative: "der Link ist relativ, und eine E-Mail hat keine eigene Seite",
  link_blocked: "E-Mail-Programme sperren solche Links",
  link_unreadable: "der Link ist keine URL",
};

const SAMPLES: Record<SampleLeftCode, string> = {
  sample_text: "Hier steht noch der Beispieltext „{text}“.",
  sample_link: "Hier ist noch ein Beispiellink: {url}",
  sample_picture: "Hier ist noch ein Beispielbild.",
};

const PROBLEMS: Record<ContentProblemCode, string> = {
  syntax: "{reason}",
  render: "{reason}",
  empty: "Die E-Mail ist leer: Sie hat weder HTML noch Text.",
  unknown_variable: "Kein Empfänger hat die Variable „{name}“.",
  broadcasts_only:
    "Nur Aussendungen haben die Variable „{name}“; in anderen E-Mails bleibt sie leer.",
  no_unsubscribe_link:
    "Die E-Mail zeigt keinen Abmeldelink und bekommt deshalb eine kleine Fußzeile damit.",
  link: "{reason}",
  image_without_alt: "Ein Bild hat keinen Alternativtext.",
  placeholder: "{reason}",
  too_large: "Das HTML hat {bytes} Bytes, und Gmail schneidet es nach {max} ab.",
  no_text_part: "Der Textteil fehlt und wird aus dem HTML erzeugt.",
  no_subject: "Die E-Mail hat keinen Betreff.",
};

/** German texts of template problems. */
export const GERMAN_CONTENT = { ...TEMPLATES, ...GERMAN_LINKS, ...SAMPLES, ...PROBLEMS };
