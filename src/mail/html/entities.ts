/**
 * Character references of HTML (WHATWG HTML section 13.2.5.72 to 13.2.5.80): all numeric ones, the
 * names of HTML 4 and every name of an ASCII character. The other names, some two thousand that
 * mail does not use, stay undecoded; `hasUnknownName` detects them where it matters.
 */

/** Names of U+00A0 to U+00FF in order; each is also valid without its semicolon. */
const LATIN_1_NAMES =
  "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn " +
  "sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave " +
  "Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml " +
  "ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN " +
  "szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute " +
  "icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml " +
  "yacute thorn yuml";

/** ASCII names that are also valid without their semicolon. */
const LEGACY_ASCII_NAMES = 'amp & AMP & lt < LT < gt > GT > quot " QUOT " COPY © REG ®';

/** Alternating names and characters; these names need their semicolon. */
const OTHER_NAMES =
  "excl ! num # dollar $ percnt % apos ' lpar ( rpar ) ast * midast * plus + comma , period . " +
  "sol / colon : semi ; equals = quest ? commat @ lsqb [ lbrack [ bsol \\ rsqb ] rbrack ] Hat ^ " +
  "lowbar _ UnderBar _ grave ` DiacriticalGrave ` lcub { lbrace { verbar | vert | VerticalLine | " +
  "rcub } rbrace } fnof ƒ Alpha Α Beta Β Gamma Γ Delta Δ Epsilon Ε Zeta Ζ Eta Η Theta Θ Iota Ι " +
  "Kappa Κ Lambda Λ Mu Μ Nu Ν Xi Ξ Omicron Ο Pi Π Rho Ρ Sigma Σ Tau Τ Upsilon Υ Phi Φ Chi Χ Psi Ψ " +
  "Omega Ω alpha α beta β gamma γ delta δ epsilon ε zeta ζ eta η theta θ iota ι kappa κ lambda λ " +
  "mu μ nu ν xi ξ omicron ο pi π rho ρ sigmaf ς sigma σ tau τ upsilon υ phi φ chi χ psi ψ omega ω " +
  "thetasym ϑ upsih ϒ piv ϖ bull • hellip … prime ′ Prime ″ oline ‾ frasl ⁄ weierp ℘ image ℑ " +
  "real ℜ trade ™ alefsym ℵ larr ← uarr ↑ rarr → darr ↓ harr ↔ crarr ↵ lArr ⇐ uArr ⇑ rArr ⇒ " +
  "dArr ⇓ hArr ⇔ forall ∀ part ∂ exist ∃ empty ∅ nabla ∇ isin ∈ notin ∉ ni ∋ prod ∏ sum ∑ " +
  "minus − lowast ∗ radic √ prop ∝ infin ∞ ang ∠ and ∧ or ∨ cap ∩ cup ∪ int ∫ there4 ∴ sim ∼ " +
  "cong ≅ asymp ≈ ne ≠ equiv ≡ le ≤ ge ≥ sub ⊂ sup ⊃ nsub ⊄ sube ⊆ supe ⊇ oplus ⊕ otimes ⊗ " +
  "perp ⊥ sdot ⋅ lceil ⌈ rceil ⌉ lfloor ⌊ rfloor ⌋ lang ⟨ rang ⟩ loz ◊ spades ♠ clubs ♣ " +
  "hearts ♥ diams ♦ OElig Œ oelig œ Scaron Š scaron š Yuml Ÿ circ ˆ tilde ˜ ndash – mdash — " +
  "lsquo ‘ rsquo ’ sbquo ‚ ldquo “ rdquo ” bdquo „ dagger † Dagger ‡ permil ‰ lsaquo ‹ rsaquo › " +
  "euro € check ✓ star ☆ starf ★ phone ☎ hyphen ‐ dash ‐ horbar ― rightarrow → leftarrow ←";

/** Names of characters that would be invisible in a list. */
const INVISIBLE_NAMES: readonly (readonly [string, string])[] = [
  ["Tab", "\t"],
  ["NewLine", "\n"],
  ["ensp", "\u2002"],
  ["emsp", "\u2003"],
  ["thinsp", "\u2009"],
  ["hairsp", "\u200a"],
  ["zwnj", "\u200c"],
  ["zwj", "\u200d"],
  ["lrm", "\u200e"],
  ["rlm", "\u200f"],
  ["ZeroWidthSpace", "\u200b"],
  ["NoBreak", "\u2060"],
  ["NonBreakingSpace", "\u00a0"],
];

function pairs(list: string): [string, string][] {
  return [...list.matchAll(/(\S+) (\S+)/g)].map(([, name = "", text = ""]) => [name, text]);
}

const LEGACY_NAMES = new Map([
  ...pairs(LEGACY_ASCII_NAMES),
  ...LATIN_1_NAMES.split(" ").map((name, index): [string, string] => [
    name,
    String.fromCharCode(0xa0 + index),
  ]),
]);
const NAMES = new Map([...LEGACY_NAMES, ...pairs(OTHER_NAMES), ...INVISIBLE_NAMES]);

/** Characters for the numbers 0x80 to 0x9f: windows-1252, not C1 controls. */
const WINDOWS_1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

const REFERENCE = /&(?:#(?:[xX]([0-9a-fA-F]+)|([0-9]+));?|([A-Za-z][A-Za-z0-9]*)(;?)(=?))/g;

/**
 * Decodes the character references of a text. In an attribute value, a name without its semicolon
 * stays as it is before `=`, so that `?a=1&copy=2` remains a query. Linear in the length of `text`.
 */
export function decodeEntities(text: string, place: "text" | "attribute"): string {
  if (!text.includes("&")) return text;
  return text.replace(
    REFERENCE,
    (reference, hex?: string, decimal?: string, name = "", semicolon = "", equals = "") => {
      if (hex !== undefined) return characterOf(Number.parseInt(hex, 16));
      if (decimal !== undefined) return characterOf(Number.parseInt(decimal, 10));
      if (semicolon !== "") return withTail(NAMES.get(name), equals, reference);
      if (equals !== "" && place === "attribute") return reference;
      return withTail(LEGACY_NAMES.get(name), equals, reference);
    },
  );
}

/** Returns true for an attribute value that has `&name;` with a name missing from this table. */
export function hasUnknownName(value: string): boolean {
  return [...value.matchAll(/&([A-Za-z][A-Za-z0-9]*);/g)].some(([, name = ""]) => !NAMES.has(name));
}

/**
 * Escapes text for an attribute value, so that a browser decodes it back; callers handle quotes.
 */
export function escapeAmpersands(text: string): string {
  return text.replaceAll("&", "&amp;");
}

/** Escapes text for display in HTML content and in quoted attributes. */
export function escapeHtml(text: string): string {
  return escapeAmpersands(text)
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

const withTail = (character: string | undefined, tail: string, reference: string) =>
  character === undefined ? reference : character + tail;

function characterOf(codePoint: number): string {
  if (codePoint >= 0x80 && codePoint <= 0x9f) return WINDOWS_1252[codePoint - 0x80] ?? "\ufffd";
  const isCharacter = codePoint > 0 && codePoint <= 0x10ffff;
  return isCharacter ? String.fromCodePoint(codePoint).toWellFormed() : "\ufffd";
}
