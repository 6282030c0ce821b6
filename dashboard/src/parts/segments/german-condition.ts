import { addGermanFaults, germanNumber } from "../../ui/german-faults.ts";
import { sayInGerman, type GermanForms } from "../../ui/german-forms.ts";

/** The bounds of a condition. */
const BOUNDS: GermanForms = [
  [
    /^at most (\d+) characters( when written out)?$/,
    (most, whole = "") =>
      `höchstens ${germanNumber(most)} Zeichen${whole === "" ? "" : ", wenn sie ausgeschrieben ist"}`,
  ],
  [/^at most (\d+) comparisons$/, (most) => `höchstens ${most} Vergleiche`],
  [/^at most (\d+) values$/, (most) => `höchstens ${most} Werte`],
  [/^at most (\d+) levels$/, (most) => `höchstens ${most} Ebenen`],
];

/** The faults of a condition (API reference §12.9). Parts of its text stay as they are. */
const FAULTS: GermanForms = [
  ...BOUNDS,
  [
    /^at most (\d+) brackets and nots in each other$/,
    (most) => `höchstens ${most} Klammern und „not“ ineinander`,
  ],
  [
    /^expected "and", "or" or the end$/,
    () => "hier muss „and“ oder „or“ stehen, oder die Bedingung muss enden",
  ],
  [/^expected "and", "or" or "\)"$/, () => "hier muss „and“, „or“ oder „)“ stehen"],
  [
    /^expected an operator after ([^]+), as in tag:vip$/,
    (field) => `nach „${field}“ fehlt ein Operator, wie in tag:vip`,
  ],
  [/^expected a field, as in tag:vip$/, () => "hier muss ein Feld stehen, wie in tag:vip"],
  [/^expected a condition, as in tag:vip$/, () => "hier muss eine Bedingung stehen, wie tag:vip"],
  [/^expected a name of the metadata$/, () => "hier muss ein Name aus den Metadaten stehen"],
  [/^a backslash needs " or \\ after it$/, () => 'nach \\ muss " oder \\ stehen'],
  [/^the quote has no end$/, () => "das Anführungszeichen wird nicht geschlossen"],
  [
    /^write ([^]+); a text that begins with (\S+) needs double quotes$/,
    (meant, operator) =>
      `schreibe ${meant}; ein Text, der mit ${operator} beginnt, braucht Anführungszeichen`,
  ],
  [
    /^a text that begins with (\S+) needs double quotes$/,
    (operator) => `ein Text, der mit ${operator} beginnt, braucht Anführungszeichen`,
  ],
  [
    /^a \* stands at the beginning or the end of a value$/,
    () => "ein * steht am Anfang oder am Ende eines Werts",
  ],
  [/^a value is missing after "([^]+)"$/, (after) => `nach „${after}“ fehlt ein Wert`],
  [/^there is no field ([^]+)$/, (field) => `das Feld „${field}“ gibt es nicht`],
  [
    /^the name has characters that none may$/,
    () => "der Name enthält Zeichen, die nicht erlaubt sind",
  ],
  [
    /^(\S+) takes a span such as (\S+), or a day such as (\S+)$/,
    (field, span, day) => `${field} braucht eine Zeitspanne wie ${span} oder einen Tag wie ${day}`,
  ],
  [
    /^(\S+) takes a span of hours, days or weeks, such as 12h, 90d or 4w$/,
    (field) =>
      `${field} braucht eine Zeitspanne aus Stunden, Tagen oder Wochen wie 12h, 90d oder 4w`,
  ],
  [
    /^(\S+) takes a span such as (\S+)$/,
    (field, span) => `${field} braucht eine Zeitspanne wie ${span}`,
  ],
  [/^([^]+) takes no span of time$/, (field) => `${field} nimmt keine Zeitspanne`],
  [/^(\S+) takes only texts$/, (field) => `${field} nimmt nur Texte`],
  [
    /^(\S+) takes only whole values, as in (\S+):value$/,
    (field) => `${field} nimmt nur ganze Werte, wie in ${field}:wert`,
  ],
  [/^([^]+) takes no value here$/, (field) => `${field} nimmt hier keinen Wert`],
  [/^([^]+) needs one value$/, (field) => `${field} braucht genau einen Wert`],
  [
    /^a value has at most (\d+) characters, and no control characters$/,
    (most) => `ein Wert hat höchstens ${most} Zeichen und keine Steuerzeichen`,
  ],
  [
    /^a tag must have 1 to (\d+) characters, and no commas, quotes, backslashes or control characters$/,
    (most) =>
      `ein Schlagwort hat 1 bis ${most} Zeichen, ohne Kommas, Anführungszeichen, Backslashes oder Steuerzeichen`,
  ],
  [/^status is one of (.+)$/, (names) => `status ist eines davon: ${names}`],
  [
    /^([^]+) needs a value that is not empty$/,
    (field) => `${field} braucht einen Wert, der nicht leer ist`,
  ],
  [
    /^the longest span of (\S+) is (\S+)$/,
    (field, most) => `die längste Zeitspanne von ${field} ist ${most}`,
  ],
  [
    /^compare with (a number, )?a day such as 2026-01-31, or a timestamp$/,
    (number = "") =>
      `vergleiche mit ${number === "" ? "" : "einer Zahl, "}einem Tag wie 2026-01-31 oder einem Zeitstempel`,
  ],
];

/** The same with their places in the text, and those that have none. */
const PLACED: GermanForms = [
  [
    /^at character (\d+): ([^]+)$/,
    (place, fault) => `Zeichen ${place}: ${sayInGerman(FAULTS, fault) ?? fault}`,
  ],
  ...BOUNDS,
  [
    /^the project has no topic ("[^]*"): name one that it has, or add this one first$/,
    (name) =>
      `das Thema „${String(JSON.parse(name))}“ gibt es im Projekt nicht: Nimm ein anderes, oder lege es zuerst an`,
  ],
];

addGermanFaults(PLACED);

/** Returns a fault of a condition in German; undefined for other words. */
export const germanCondition = (fault: string): string | undefined => sayInGerman(PLACED, fault);
