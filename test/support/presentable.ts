import { EXAMPLE_IDS } from "../../src/http/route/words.ts";

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const UUIDS = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** The values of tests that documents show as those of a reader. */
const SHOWN: [RegExp, string][] = [
  [/https:\/\/mail\.postrider\.test/g, "https://mail.example.com"],
  [/http:\/\/127\.0\.0\.1:9\/hook/g, "https://shop.example.com/hooks/mail"],
  [/127\.0\.0\.1(?::\d+)?/g, "smtp.example.com"],
  [/[\w.-]+@(?:people|postrider|any)\.test/g, "ann@example.com"],
  [/\b(?:t|b|s|failed|invited|owner|hook)-[0-9a-f]{12}\b/g, "ann"],
  [/^Olive Owner/, "Ann"],
  [/\b(sk|pk|sdk)_\w{43}\b/g, "$1_7Vq0…"],
  [/\b[0-9a-f]{64}\b/g, "5f2c…"],
  [/token=[\w-]{20,}/g, "token=4f0a…"],
];

/**
 * Returns an answer as a document shows it: with fixed ids and times, without secrets and names of
 * tests, and with one entry of each list.
 */
export function presentable(answer: unknown, projectId: string): unknown {
  const ids = new Map([[projectId, EXAMPLE_IDS.project as string]]);
  const idFor = (id: string) => {
    const known =
      ids.get(id) ?? `0199b1de-0000-7000-8000-${String(ids.size + 10).padStart(12, "0")}`;
    ids.set(id, known);
    return known;
  };
  const textFor = (text: string) => {
    if (TIME.test(text)) return "2026-11-22T09:30:00.000Z";
    if (ULID.test(text)) return "01KAM4V8G0000000000000000A";
    const shown = SHOWN.reduce((line, [old, next]) => line.replace(old, next), text);
    return shown.replace(UUIDS, idFor);
  };
  const visit = (value: unknown, name = ""): unknown => {
    if (typeof value === "string") return textFor(value);
    if (name === "ms") return 12;
    if (Array.isArray(value)) return value.slice(0, 1).map((one) => visit(one));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, visit(one, key)]));
  };
  return visit(answer);
}
