/*
 * The German words of the dashboard for what the service says in English: they fit the words that
 * the service really has.
 */
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { germanDetail } from "../../dashboard/src/pages/broadcasts/preflight/german-details.ts";
import { germanStory } from "../../dashboard/src/pages/log/german-story.ts";
import { germanFault } from "../../dashboard/src/ui/german-faults.ts";
import { emailField, nameField, subjectField } from "../../src/http/fields.ts";
import { refusalOfIssues } from "../../src/http/issues.ts";
import { zoneField } from "../../src/http/project/draft-body.ts";
import { OUTCOME_UNKNOWN } from "../../src/services/email-log/outcome-unknown.ts";
import { explain } from "../../src/services/email-log/story/explain.ts";
import { REASON_WORDS } from "../../src/services/email-log/story/reason-words.ts";
import { findLinks, judgeLinks } from "../../src/services/preflight/check-links.ts";
import { judgeVariables } from "../../src/services/preflight/find-missing.ts";
import { judgeDailyLimit } from "../../src/services/preflight/judge-server.ts";

/** Returns the message that the service has for a value. */
function faultOf(schema: z.ZodType, value: unknown): string {
  const { error } = z.object({ field: schema }).safeParse({ field: value });
  return refusalOfIssues(error?.issues ?? []).message.replace(/^field: /, "");
}

const number = z.number().int().min(1).max(65_535);

describe("A fault of a field in German", () => {
  it.each([
    [nameField, "", "wird gebraucht"],
    [nameField, undefined, "wird gebraucht"],
    [nameField, "x".repeat(201), "darf höchstens 200 Zeichen haben"],
    [nameField, "\u{200b}", "braucht ein sichtbares Zeichen"],
    [nameField, "a\tb", "darf keine Steuerzeichen enthalten"],
    [subjectField, "a\nb", "muss auf eine Zeile passen"],
    [emailField, "ann.example.com", "ist keine E-Mail-Adresse: ihr fehlt das @"],
    [emailField, "@example.com", "ist keine E-Mail-Adresse: vor dem @ steht nichts"],
    [number, 0, "muss mindestens 1 sein"],
    [number, 70_000, "darf höchstens 65.535 sein"],
    [number, 1.5, "muss eine ganze Zahl sein"],
    [z.enum(["a", "b"]), "c", "muss eines davon sein: a, b"],
    [zoneField, "Europe/Nowhere", "ist keine Zeitzone wie Europe/Berlin"],
  ])("says what the service says: %#", (schema, value, german) => {
    expect(germanFault(faultOf(schema, value))).toBe(german);
  });

  it("stays in the service's words where it is not a frequent one", () => {
    expect(germanFault("is no return path: it lacks {token}")).toBe(
      "is no return path: it lacks {token}",
    );
  });
});

describe("A problem of the pre-flight in German", () => {
  const say = (problem: Parameters<typeof germanDetail>[0] | undefined) =>
    problem && germanDetail(problem, (at) => at.slice(0, 10));

  it("has the numbers and names of the service's message", () => {
    const limits = { maxPerDay: 2_000 } as Parameters<typeof judgeDailyLimit>[0];
    const [daily] = judgeDailyLimit(limits, { lastDay: 500, lastHour: 0 }, 10_000);
    expect(say(daily)).toMatch(/^Von 10\.000 Mails gehen heute [\d.]+ hinaus.* 2\.000 am Tag\.$/);
    const variables = { personal: [["metadata", "city"]], unknown: ["shop"] };
    const rows = [
      { n: -1, people: 1_000, named: null },
      { n: 0, people: 7, named: '["ann@example.com"]' },
    ];
    expect(judgeVariables(variables, rows).map(say)).toEqual([
      "{{shop}} ist für alle leer: Nichts gibt ihr einen Wert.",
      "{{metadata.city}} ist bei 7 von 1.000 geprüften Empfängern leer, zum Beispiel bei ann@example.com.",
    ]);
  });

  it.each([
    [
      "unknown_topic",
      'the condition names a topic that the project does not have: "A \\"b\\"". Nobody is subscribed to it, and `not` means everybody',
      /^Die Bedingung nennt „A "b"“\. Niemand hat dieses Thema abonniert/,
    ],
    [
      "identical_variants",
      "the variants A, C and E are the same mail, so chance alone decides between them",
      /^Die Varianten A, C und E sind dieselbe Mail/,
    ],
    ["wrong_start_time", "send_at: has passed", /^Die Zeit ist vorbei\.$/],
    ["wrong_start_time", "time_zone: needs send_at", /^Zur Zeitzone fehlt die Zeit\.$/],
  ])("says what the audience, the trial or the time lacks: %s", (code, message, german) => {
    expect(say({ code, message })).toMatch(german);
  });

  it("lists links with what is wrong with them", () => {
    const links = findLinks(['<a href="">x</a><a href="page">y</a>'], {
      config: { allowPrivateTargets: true },
    } as Parameters<typeof findLinks>[1]);
    expect(judgeLinks(links).map(say)).toEqual([
      "2 Links: ein leerer Link, page (der Link ist relativ)",
    ]);
    const message = "a link is broken: https://a.example/ (its server answers 404)";
    expect(say({ code: "broken_link", message })).toBe(
      "1 Link: https://a.example/ (ihr Server antwortet mit 404)",
    );
  });

  it("names the variant of a trial, and leaves alone what it does not know", () => {
    const code = "missing_variable";
    const message = "variant B: {{shop}} is empty for everybody: nothing gives it a value";
    expect(say({ code, message })).toMatch(/^Variante B: \{\{shop\}\} ist für alle leer/);
    expect(say({ code: "no_sender", message: "no SMTP settings" })).toBeUndefined();
    expect(say({ code: "constructor", message: "unheard" })).toBeUndefined();
  });
});

describe("What became of a mail, in German", () => {
  const said = (facts: object) => {
    const entry = { error: null, reason: null, openedAt: null, clickedAt: null, openedClass: null };
    const { whatHappened, whatToDo } = explain({
      clicks: [],
      suppression: undefined,
      origin: { bounce: null, complaint: null },
      ...facts,
      entry: { ...entry, ...("entry" in facts ? (facts.entry as object) : {}) },
    } as unknown as Parameters<typeof explain>[0]);
    return [whatHappened, whatToDo];
  };

  it.each(Object.keys(REASON_WORDS))("has words for a mail that was refused for %s", (reason) => {
    for (const by of ["smtp", "ingest"]) {
      const entry = { status: "bounced", error: "550 no", reason };
      for (const sentence of said({ entry, origin: { bounce: { at: 1, by }, complaint: null } }))
        expect(germanStory(sentence)).not.toBe(sentence);
    }
  });

  const mails: object[] = [
    { entry: { status: "sent" } },
    { entry: { status: "sent", openedAt: 1 } },
    { entry: { status: "sent", openedAt: 1, openedClass: "human" } },
    { entry: { status: "sent", clickedAt: 1 } },
    { entry: { status: "sent", clickedAt: 1 }, clicks: [{ class: "human" }] },
    { entry: { status: "sent" }, origin: { bounce: null, complaint: { at: 1 } } },
    { entry: { status: "suppressed" } },
    ...["hard_bounce", "unsubscribed", "manual"].map((reason) => ({
      entry: { status: "suppressed" },
      suppression: { reason },
    })),
    { entry: { status: "bounced", error: "550 no" } },
    { entry: { status: "failed", error: "550 no" } },
    { entry: { status: "failed", error: OUTCOME_UNKNOWN } },
  ];
  it.each(mails)("has words for a mail that is %o", (facts) => {
    for (const sentence of said(facts)) expect(germanStory(sentence)).not.toBe(sentence);
  });
});
