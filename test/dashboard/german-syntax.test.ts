/*
 * The German words of the dashboard for the syntax of templates and conditions: every fault that
 * the service finds has some.
 */
import { describe, expect, it } from "vitest";
import { germanDetail } from "../../dashboard/src/pages/broadcasts/preflight/german-details.ts";
import { germanReason } from "../../dashboard/src/pages/broadcasts/german-reasons.ts";
import { germanContent } from "../../dashboard/src/parts/templates/german-content.ts";
import { compileTemplate, renderTemplate } from "../../src/mail/template/index.ts";
import { complainedWords } from "../../src/services/broadcasts/complained-broadcasts.ts";
import { firstOf, largeWords } from "../../src/services/preflight/judge-content.ts";
import { judgeSettings } from "../../src/services/preflight/judge-server.ts";
import { judgePaused } from "../../src/services/preflight/run-preflight.ts";
import { sizeOfHtml } from "../../src/services/mailing/preview/inspect-html.ts";
import { findUnknown } from "../../src/services/mailing/preview/render-part.ts";
import { faultOfLink } from "../../src/mail/html/judge-link.ts";

/** Words that no German text has. */
const ENGLISH = /\b(?:the|it|its|has|is|are|than|your|for|which|more|does|found|expected)\b/;

/** Returns the words with which something is refused. */
function wordsOf(refused: () => unknown): string {
  try {
    refused();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error("it was not refused");
}

describe("A fault of a template in German", () => {
  const refusalOf = (source: string, data = {}) =>
    wordsOf(() => renderTemplate(compileTemplate(source, { escape: true }), data));
  const deep = (open: string, close: string, times: number) =>
    open.repeat(times) + close.repeat(times);

  it.each([
    ["{{#if a}}\n  b", "Zeile 1, Spalte 1: Dieser Block wird nicht geschlossen."],
    ["{{", "Spalte 3: Hier muss ein Name oder ein Wert stehen, nicht das Ende der Vorlage."],
    ["x {{/if}}", 'Zeile 1, Spalte 3: "{{/" ohne einen Block.'],
    ["{{#if a}}{{/each}}", "Zeile 1, Spalte 4: {{#if}} endet mit {{/each}}."],
    ["{{shout name}}", 'Zeile 1, Spalte 1: Einen Helfer "shout" gibt es nicht.'],
    ["{{if a}}", 'Zeile 1, Spalte 1: "if" braucht einen Block: {{#if …}}…{{/if}}.'],
    ["{{#if a b}}{{/if}}", '"if" braucht genau ein Argument, nicht 2.'],
    ["{{> footer}}", 'Das Partial "footer" ist in dieser Vorlage nicht definiert.'],
    ['{{#*other "a"}}{{/other}}', '"other" ist kein Decorator; es gibt nur "inline".'],
    ["{{helperMissing a}}", '"helperMissing" ist reserviert.'],
    ["{{!-- a", "Ein Kommentar oder ein Block mit vier Klammern wird nicht geschlossen."],
    ["{{a ~ b}}", "nicht erlaubt, oder das Tag wird nicht geschlossen."],
    [deep("{{#if a}}", "{{/if}}", 70), "mehr als 64 Ebenen tief verschachtelt."],
    [`{{#if a}}${"{{else if b}}".repeat(300)}{{/if}}`, "mehr als 256 Zweige mit else."],
    [`{{#each a as |${"b ".repeat(20)}|}}{{/each}}`, "mehr als 16 Block-Parameter."],
    ["x".repeat(600_000), "Die Vorlage ist größer als 512 KiB."],
    ["a\0b", "Die Vorlage enthält ein NUL-Zeichen."],
  ])("has the place and the names of the service's message: %#", (source, german) => {
    const said = germanContent(refusalOf(source));
    expect(said).toContain(german);
    expect(said).not.toMatch(ENGLISH);
  });

  it.each(["{{a b=}}", "{{(a", "{{{a}}", "{{#each a as |}}", "{{> }}", "{{#if a}} {{/}}"])(
    "has words for what a place should have: %s",
    (source) => {
      const said = germanContent(refusalOf(source));
      expect(said).toMatch(/Hier muss .* stehen, nicht /);
      expect(said).not.toMatch(ENGLISH);
    },
  );

  it("has words for a template that does not render", () => {
    const data = { a: Array.from({ length: 1_000 }, () => ({ b: 1 })), wrong: { toString: 1 } };
    const loops = "{{#each a}}{{#each ../a}}{{#each ../../a}}x{{/each}}{{/each}}{{/each}}";
    const said = [
      refusalOf(loops, data),
      refusalOf(`{{#each a}}${"x".repeat(9_000)}{{/each}}`, data),
      refusalOf('{{#*inline "p"}}{{> p}}{{/inline}}{{> p}}'),
    ];
    for (const message of said) {
      expect(message).toMatch(/^template could not be rendered: /);
      expect(germanContent(message)).not.toMatch(ENGLISH);
      expect(germanContent(message)).toMatch(/\.$/);
    }
  });

  it("is the detail of a problem of the pre-flight, and a reason of a pause", () => {
    const message = refusalOf("{{#if a}}");
    const detail = (code: string, said: string) =>
      germanDetail({ code, message: said }, (at) => at);
    expect(detail("broken_content", message)).toBe(
      "Zeile 1, Spalte 1: Dieser Block wird nicht geschlossen.",
    );
    expect(detail("broken_content", "the moon is full")).toBeUndefined();
    expect(germanReason(message)).toBe(germanContent(message));
  });
});

describe("The content and the sender in German", () => {
  const detail = (problem: { code: string; message: string } | undefined) =>
    problem && germanDetail(problem, (at) => at);

  it("has words for links, variables and images that are wrong", () => {
    const links = ["", "page", "javascript:x", "https:a"].map((url) => faultOfLink(url) ?? "");
    for (const fault of links) expect(germanContent(fault)).toMatch(/\.$/);
    const [unknown] = findUnknown("html_body", "{{shop}}", {});
    expect(germanContent(unknown?.message ?? "")).toBe("Sie heißt „shop“.");
  });

  it("has the size of a mail that is too large", async () => {
    const deps = { newId: () => "1" } as Parameters<typeof sizeOfHtml>[0];
    const unsubscribe = { url: "", isRequired: false, isSubscribers: false };
    const mail = { html: "x".repeat(110_000), text: "x" };
    const { problems } = await sizeOfHtml(deps, mail, unsubscribe);
    const [clipped] = problems;
    expect(detail(clipped && { ...clipped, code: "clipped" })).toBe(
      "Gesendet hat es 110.000 Bytes, und Gmail zeigt 104.448.",
    );
    expect(detail({ code: "too_large", message: largeWords(600_000) })).toMatch(
      /^Gesendet hat es 600\.000 Bytes, und mehr als [\d.]+ kommen nicht an\.$/,
    );
  });

  it("counts problems of one kind", () => {
    const message = firstOf("the image has no alt text", 3);
    expect(detail({ code: "image_without_alt", message })).toBe(
      "Das Attribut alt fehlt. Noch 3 davon.",
    );
  });

  it("says why nothing can be sent, and why another broadcast waits", async () => {
    type Judged = Parameters<typeof judgeSettings>;
    const [problem] = await judgeSettings({} as Judged[0], { smtpHost: null } as Judged[1]);
    expect(detail(problem)).toMatch(/^Das Projekt hat keinen Mailserver:/);
    const error = complainedWords(3, 900);
    const [paused] = judgePaused([{ id: "1", subject: "News", error }]);
    expect(detail(paused)).toBe("„News“: 3 von 900 Empfängern haben sich beschwert.");
  });
});
