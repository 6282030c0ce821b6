import { sayInGerman, type GermanForms } from "./german-forms.ts";

const numbers = new Intl.NumberFormat("de");

/** Writes a number of the service as Germans do. */
export const germanNumber = (digits: string | undefined): string => numbers.format(Number(digits));

/** The reasons why a text is not an address. */
const ADDRESS_FAULTS: Record<string, string> = {
  "the address is empty": "sie ist leer",
  "the address is too long": "sie ist zu lang",
  "the address has no @": "ihr fehlt das @",
  "the address has nothing before the @": "vor dem @ steht nichts",
  "the address has spaces, control or invisible characters":
    "sie enthält Leerzeichen oder unsichtbare Zeichen",
  "the part before the @ is too long": "der Teil vor dem @ ist zu lang",
  "the part before the @ has a misplaced dot or character":
    "vor dem @ steht ein Punkt oder Zeichen am falschen Platz",
};

/** The frequent faults of a field, as the service words them, and what they are in German. */
const FAULTS: GermanForms[number][] = [
  [/^is required$/, () => "wird gebraucht"],
  [/^is required with the others$/, () => "wird zusammen mit den anderen gebraucht"],
  [/^must not be empty$/, () => "darf nicht leer sein"],
  [
    /^must have at most (\d+) characters$/,
    (n) => `darf höchstens ${germanNumber(n)} Zeichen haben`,
  ],
  [
    /^must have at least (\d+) characters?$/,
    (n) => `muss mindestens ${germanNumber(n)} Zeichen haben`,
  ],
  [
    /^must have at most (\d+) (?:entries|addresses|tags|ids)$/,
    (n) => `darf höchstens ${germanNumber(n)} Einträge haben`,
  ],
  [
    /^must have at least (\d+) entries$/,
    (n) => `muss mindestens ${germanNumber(n)} Einträge haben`,
  ],
  [/^must be at least (-?[\d.]+)$/, (n) => `muss mindestens ${germanNumber(n)} sein`],
  [/^must be at most (-?[\d.]+)$/, (n) => `darf höchstens ${germanNumber(n)} sein`],
  [/^must be a number$/, () => "muss eine Zahl sein"],
  [/^must be a whole number$/, () => "muss eine ganze Zahl sein"],
  [/^must be a whole number or below 1$/, () => "muss eine ganze Zahl oder kleiner als 1 sein"],
  [/^must be one of ([^]+)$/, (names) => `muss eines davon sein: ${names}`],
  [/^must be one line$/, () => "muss auf eine Zeile passen"],
  [/^must have a visible character$/, () => "braucht ein sichtbares Zeichen"],
  [/^must not contain control characters$/, () => "darf keine Steuerzeichen enthalten"],
  [
    /^is not an email address: ([^]+)$/,
    (why = "") =>
      `ist keine E-Mail-Adresse: ${Object.hasOwn(ADDRESS_FAULTS, why) ? ADDRESS_FAULTS[why] : why}`,
  ],
  [/^is no time zone\b/, () => "ist keine Zeitzone wie Europe/Berlin"],
  [/^has passed$/, () => "ist schon vorbei"],
  [/^is not valid JSON$/, () => "ist kein gültiges JSON"],
  [/^needs (\d) to (\d) variants$/, (from, to) => `braucht ${from} bis ${to} Varianten`],
];

/** Adds the faults that only some pages have, so that the others do not load them. */
export const addGermanFaults = (forms: GermanForms): void => void FAULTS.push(...forms);

/** Returns a fault of a field in German; one that is not known stays in the service's words. */
export const germanFault = (fault: string): string => sayInGerman(FAULTS, fault) ?? fault;
