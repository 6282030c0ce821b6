const DOMAIN = /(?:[\w-]+\.)*xn--[\w-]+(?:\.[\w-]+)*/gi;

/** Labels of one script without letters that look like those of another. */
const CLEAR =
  /^(?:[-\da-zß-öø-İĲ-ž]+|[-\dー\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]+|[-\d\p{sc=Hang}]+|[-\d\p{sc=Arab}]+|[-\d\p{sc=Hebr}]+|[-\d\p{sc=Thai}]+|[-\d\p{sc=Deva}]+)$/u;

/** Labels of scripts that resemble Latin: clear only below an internationalized top-level domain. */
const CLEAR_AT_HOME = /^(?:[-\d\p{sc=Cyrl}]+|[-\d\p{sc=Grek}]+)$/u;

/**
 * Returns a text with its internationalized domains in Unicode, as in `ann@exämple.de`. Domains that
 * may imitate others stay in ASCII, as in browsers.
 */
export const readableDomains = (text: string): string =>
  text.replaceAll(DOMAIN, (domain) => {
    const labels = domain.toLowerCase().split(".");
    const isAtHome = labels.at(-1)?.startsWith("xn--") === true;
    try {
      const words = labels.map(decode);
      const isClear = words.every(
        (one) => CLEAR.test(one) || (isAtHome && CLEAR_AT_HOME.test(one)),
      );
      const unicode = words.join(".");
      return isClear && new URL(`http://${unicode}`).hostname === labels.join(".")
        ? unicode
        : domain;
    } catch {
      return domain; // it is not valid
    }
  });

/** Decodes a label of a domain (RFC 3492). Throws a RangeError if it is not valid. */
function decode(label: string): string {
  if (!label.startsWith("xn--")) return label;
  const end = Math.max(label.lastIndexOf("-"), 4);
  const points = Array.from(label.slice(4, end), (one) => one.codePointAt(0) ?? 0);
  let [point, bias, place] = [128, 72, 0];
  for (let at = end === 4 ? 4 : end + 1; at < label.length; points.splice(place++, 0, point)) {
    const before = place;
    for (let weight = 1, step = 36, value = 36, least = 0; value >= least; step += 36) {
      value = "abcdefghijklmnopqrstuvwxyz0123456789".indexOf(label.charAt(at) || "-");
      if (value < 0 || at++ > 63) throw new RangeError("not a label");
      place += value * weight;
      least = Math.min(Math.max(step - bias, 1), 26);
      weight *= 36 - least;
    }
    const count = points.length + 1;
    let delta = Math.floor((place - before) / (before === 0 ? 700 : 2));
    delta += Math.floor(delta / count);
    for (bias = 0; delta > 455; bias += 36) delta = Math.floor(delta / 35);
    bias += Math.floor((36 * delta) / (delta + 38));
    point += Math.floor(place / count);
    place %= count;
  }
  return String.fromCodePoint(...points);
}
