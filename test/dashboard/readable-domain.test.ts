/* Internationalized domains, as the dashboard shows them to people. */
import { expect, it } from "vitest";
import { readableDomains } from "../../dashboard/src/lib/readable-domain.ts";

it.each([
  ["ann@xn--exmple-cua.de", "ann@exämple.de"],
  ["https://www.xn--mller-strae-46a18a.de/xn", "https://www.müller-straße.de/xn"],
  ["ann@xn--r8jz45g.jp", "ann@例え.jp"],
  ["ann@xn--e1afmkfd.xn--p1ai", "ann@пример.рф"],
])("are in Unicode: %s", (ascii, unicode) => {
  expect(readableDomains(ascii)).toBe(unicode);
});

it.each([
  ["Cyrillic that looks like apple.com", "ann@xn--80ak6aa92e.com"],
  ["a Cyrillic letter in a Latin word", "ann@xn--pple-43d.com"],
  ["a Latin letter that looks like another", "ann@xn--oogle-qmc.com"],
  ["no valid encoding", "ann@xn--zzzzzzzzz.com"],
  ["no encoding", "ann@xn--.de"],
  ["an ASCII domain", "ann@example.com"],
])("stay as they are: %s", (_name, address) => {
  expect(readableDomains(address)).toBe(address);
});
