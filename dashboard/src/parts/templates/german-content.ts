import { germanNumber } from "../../ui/german-faults.ts";
import { sayInGerman, type GermanForms } from "../../ui/german-forms.ts";

/**
 * The parts that a template has in a place, or should have there. The others are signs such as
 * `}}`.
 */
const TOKENS: Record<string, string> = {
  "the end of the template": "das Ende der Vorlage",
  text: "Text",
  "a tag": "ein Tag",
  "a closing tag": "ein schließendes Tag",
  "a value": "ein Wert",
  "a name": "ein Name",
  "a path separator": "ein Punkt oder Schrägstrich",
};

const sayToken = (token: string): string =>
  (Object.hasOwn(TOKENS, token) && TOKENS[token]) || token;

/** The reasons why a template does not parse or render. */
const FAULTS: GermanForms = [
  [
    /^expected (.+), found (the end of the template|".*")$/,
    (expected, found) =>
      `Hier muss ${expected.split(" or ").map(sayToken).join(" oder ")} stehen, nicht ${sayToken(found)}`,
  ],
  [/^(.+) doesn't match (.+)$/, (open, close) => `{{#${open}}} endet mit {{/${close}}}`],
  [/^this block is not closed$/, () => "Dieser Block wird nicht geschlossen"],
  [/^(".*") without a block$/, (found) => `${found} ohne einen Block`],
  [
    /^a comment or raw block is not closed$/,
    () => "Ein Kommentar oder ein Block mit vier Klammern wird nicht geschlossen",
  ],
  [
    /^(the end of the template|".*") is not allowed here, or its tag is not closed$/,
    (found) => `Hier ist ${sayToken(found)} nicht erlaubt, oder das Tag wird nicht geschlossen`,
  ],
  [
    /^the partial (".*") is not defined in this template$/,
    (name) => `Das Partial ${name} ist in dieser Vorlage nicht definiert`,
  ],
  [
    /^(".*") is not a decorator; there is only "inline"$/,
    (name) => `${name} ist kein Decorator; es gibt nur "inline"`,
  ],
  [/^(".*") is reserved$/, (name) => `${name} ist reserviert`],
  [/^there is no helper (".*")$/, (name) => `Einen Helfer ${name} gibt es nicht`],
  [/^(".*") needs a block: (.+)$/, (name, form) => `${name} braucht einen Block: ${form}`],
  [
    /^(".*") takes exactly one argument, not (\d+)$/,
    (name, count) => `${name} braucht genau ein Argument, nicht ${count}`,
  ],
  [
    /^nested more than (\d+) levels deep$/,
    (most) => `Das ist mehr als ${most} Ebenen tief verschachtelt`,
  ],
  [
    /^more than (\d+) else branches in one place$/,
    (most) => `An einer Stelle stehen mehr als ${most} Zweige mit else`,
  ],
  [
    /^more than (\d+) block parameters in one tag$/,
    (most) => `Ein Tag hat mehr als ${most} Block-Parameter`,
  ],
  [/^too many tags$/, () => "Es gibt zu viele Tags"],
  [/^the template is too complex$/, () => "Die Vorlage ist zu komplex"],
  [
    /^the template is longer than (\d+) KiB$/,
    (most) => `Die Vorlage ist größer als ${germanNumber(most)} KiB`,
  ],
  [/^the template contains a NUL character$/, () => "Die Vorlage enthält ein NUL-Zeichen"],
  [/^it takes too many steps$/, () => "Es braucht zu viele Schritte"],
  [/^its output is too long$/, () => "Die Ausgabe wird zu lang"],
  [/^it nests too deeply$/, () => "Es ist zu tief verschachtelt"],
  [/^a tag uses a value of the wrong type$/, () => "Ein Tag verwendet einen Wert der falschen Art"],
  [/^(".*") is not a helper$/, (name) => `${name} ist kein Helfer`],
];

const say = (fault: string): string => sayInGerman(FAULTS, fault) ?? fault;

/** The sentences of the service about the content of a mail. */
const SENTENCES: GermanForms = [
  [
    /^template syntax error at line (\d+), column (\d+): (.+)$/,
    (line, column, fault) => `Zeile ${line}, Spalte ${column}: ${say(fault)}.`,
  ],
  [/^template syntax error at line (\d+): (.+)$/, (line, fault) => `Zeile ${line}: ${say(fault)}.`],
  [/^template (?:syntax error|could not be rendered): (.+)$/, (fault) => `${say(fault)}.`],
  [/^no recipient has the variable "(.+)"$/, (name) => `Sie heißt „${name}“.`],
  [/^the link is empty$/, () => "Er ist leer."],
  [
    /^the link is relative, and a mail has no page of its own$/,
    () => "Er ist relativ, und eine Mail hat keine eigene Seite.",
  ],
  [/^mail programs block links of this kind$/, () => "Mailprogramme sperren solche Links."],
  [/^the link does not parse as a URL$/, () => "Er ist keine URL."],
  [/^the image has no alt text$/, () => "Das Attribut alt fehlt."],
  [
    /^the HTML has (\d+) bytes as it is sent, and Gmail cuts it off at (\d+)$/,
    (bytes, most) =>
      `Gesendet hat es ${germanNumber(bytes)} Bytes, und Gmail zeigt ${germanNumber(most)}.`,
  ],
  [
    /^the HTML has (\d+) bytes as it is sent, and more than (\d+) do not arrive$/,
    (bytes, most) =>
      `Gesendet hat es ${germanNumber(bytes)} Bytes, und mehr als ${germanNumber(most)} kommen nicht an.`,
  ],
];

/** Returns in German what is wrong with the content of a mail; undefined for unknown words. */
export function germanContent(sentence: string): string | undefined {
  const [, first = sentence, more] = /^([^]+), and (\d+) more like it$/.exec(sentence) ?? [];
  const german = sayInGerman(SENTENCES, first);
  return german === undefined || more === undefined ? german : `${german} Noch ${more} davon.`;
}
