/* The German texts of messages, by code: each names the params of its English text, and no others. */
import { GERMAN_REASONS as GERMAN_WHY } from "../../dashboard/src/pages/broadcasts/reasons.de.ts";
import { BROADCAST_REASONS } from "../../src/messages/broadcast-reasons.ts";
import { expect, it } from "vitest";
import { GERMAN_AUTOMATION_PROBLEMS } from "../../dashboard/src/pages/automations/check/problems.de.ts";
import {
  GERMAN_DETAILS,
  GERMAN_PREFLIGHT,
  GERMAN_REASONS,
} from "../../dashboard/src/pages/broadcasts/preflight/details.de.ts";
import { AUTOMATION_PROBLEMS } from "../../src/messages/automation-problems.ts";
import { sayDetail } from "../../dashboard/src/pages/broadcasts/preflight/say-detail.ts";
import { GERMAN_TIMELINE } from "../../dashboard/src/pages/log/timeline.de.ts";
import { GERMAN_CONDITIONS } from "../../dashboard/src/parts/segments/conditions.de.ts";
import { GERMAN_FINDINGS } from "../../dashboard/src/parts/sending-server/findings.de.ts";
import { GERMAN_CONTENT } from "../../dashboard/src/parts/templates/content.de.ts";
import { GERMAN_STEPS } from "../../dashboard/src/parts/sending-server/steps.de.ts";
import { GERMAN_FAULTS } from "../../dashboard/src/text/faults.de.ts";
import "../../dashboard/src/text/messages.de.ts";
import { inGerman, sayMessage } from "../../dashboard/src/text/messages.ts";
import { GERMAN_ACCESS } from "../../dashboard/src/text/refusals/access.de.ts";
import { GERMAN_AUDIENCE } from "../../dashboard/src/text/refusals/audience.de.ts";
import { GERMAN_BROADCASTS } from "../../dashboard/src/text/refusals/broadcasts.de.ts";
import { GERMAN_IMAGES } from "../../dashboard/src/text/refusals/images.de.ts";
import { GERMAN_OPERATIONS } from "../../dashboard/src/text/refusals/operations.de.ts";
import { GERMAN_REPORTS } from "../../dashboard/src/text/refusals/reports.de.ts";
import { GERMAN_REQUEST } from "../../dashboard/src/text/refusals/request.de.ts";
import { GERMAN_SENDING } from "../../dashboard/src/text/refusals/sending.de.ts";
import { GERMAN_PROJECTS } from "../../dashboard/src/text/refusals/projects.de.ts";
import { inField, invalidField, reasonOf, refusal } from "../../src/errors.ts";
import { ADDRESS_FAULTS } from "../../src/messages/addresses.ts";
import { CONDITION_FAULTS, conditionFault } from "../../src/messages/conditions.ts";
import { FAULTS, faultOf } from "../../src/messages/faults.ts";
import { findingOf, FINDINGS } from "../../src/messages/findings.ts";
import { LISTS, listOf } from "../../src/messages/lists.ts";
import { REFUSALS } from "../../src/messages/refusals.ts";
import {
  ofVariant,
  PREFLIGHT_PROBLEMS,
  PREFLIGHT_REASONS,
  preflightProblem,
  preflightReason,
} from "../../src/messages/preflight.ts";
import {
  contentProblem,
  CONTENT_PROBLEMS,
  LINK_FAULTS,
  SAMPLES_LEFT,
  TEMPLATE_FAULTS,
} from "../../src/messages/templates.ts";
import { CONNECTIONS } from "../../src/messages/connections.ts";
import { REMEDIES } from "../../src/messages/remedies.ts";
import { TIMELINE, timelineMessage } from "../../src/messages/timeline.ts";
import { judgeLinks } from "../../src/services/preflight/links.ts";
import { renderPart } from "../../src/services/mailing/preview/render-part.ts";

const REFUSAL_TEXTS = Object.fromEntries(
  Object.entries(REFUSALS).map(([code, { text }]) => [code, text]),
);

const paramsOf = (text = ""): readonly string[] => text.match(/\{\w+\}/g) ?? [];

it.each<[string, Record<string, string>, Record<string, string>]>([
  ["faults", { ...FAULTS, ...ADDRESS_FAULTS }, GERMAN_FAULTS],
  ["findings about a sender", FINDINGS, GERMAN_FINDINGS],
  ["conditions", { ...REFUSAL_TEXTS, ...CONDITION_FAULTS }, GERMAN_CONDITIONS],
  [
    "templates",
    { ...TEMPLATE_FAULTS, ...LINK_FAULTS, ...SAMPLES_LEFT, ...CONTENT_PROBLEMS, ...REFUSAL_TEXTS },
    GERMAN_CONTENT,
  ],
  ["steps of a test", { ...CONNECTIONS, ...REMEDIES }, GERMAN_STEPS],
  ["the timeline", TIMELINE, GERMAN_TIMELINE],
  ["refusals of people and lists", REFUSAL_TEXTS, GERMAN_AUDIENCE],
  ["refusals of broadcasts", REFUSAL_TEXTS, GERMAN_BROADCASTS],
  ["refusals of the deployment", REFUSAL_TEXTS, GERMAN_OPERATIONS],
  ["refusals of reports and webhooks", REFUSAL_TEXTS, GERMAN_REPORTS],
  ["refusals of requests", REFUSAL_TEXTS, GERMAN_REQUEST],
  ["refusals of mails", REFUSAL_TEXTS, GERMAN_SENDING],
  ["refusals of accounts and access", REFUSAL_TEXTS, GERMAN_ACCESS],
  ["refusals of projects", REFUSAL_TEXTS, GERMAN_PROJECTS],
  ["refusals of images", REFUSAL_TEXTS, GERMAN_IMAGES],
  ["problems of the pre-flight", PREFLIGHT_PROBLEMS, GERMAN_DETAILS],
  ["problems of an automation", AUTOMATION_PROBLEMS, GERMAN_AUTOMATION_PROBLEMS],
  ["reasons of broadcasts", BROADCAST_REASONS, GERMAN_WHY],
  ["parts of them", { ...PREFLIGHT_REASONS, ...LISTS }, GERMAN_REASONS],
])("name no params that the service does not give: %s", (_name, english, german) => {
  const unknown = Object.entries(german).filter(
    ([code, text]) => !paramsOf(text).every((name) => paramsOf(english[code]).includes(name)),
  );
  expect(unknown).toEqual([]);
});

it("are filled with messages by their own codes", () => {
  const refused = timelineMessage("refused", { reason: timelineMessage("mailbox_full") });
  expect(sayMessage(GERMAN_TIMELINE, refused)).toBe(
    "Die E-Mail wurde abgewiesen: Das Postfach ist voll.",
  );
  expect(sayMessage({}, refused)).toBe("The email was rejected: the mailbox is full.");
});

it("are filled with lists", () => {
  const { code, params, message } = refusal("topic_in_use", { names: listOf(['"May"'], 3) });
  expect(inGerman({ code, params, message })).toMatch(/nutzen das Thema: "May" und 2 weitere$/);
});

it("say where a template is wrong, and what should be there", () => {
  const [problem] = renderPart("html_body", "x {{/if}} {{", {}).problems;
  const [other] = renderPart("html_body", "{{", {}).problems;
  const say = (one: typeof problem) => one && sayMessage(GERMAN_CONTENT, one);
  expect(say(problem)).toBe('Zeile 1, Spalte 3: "{{/" ohne einen Block.');
  expect(say(other)).toBe("Zeile 1, Spalte 3: Ein Tag wird nicht geschlossen.");
});

it("are filled with the field and the fault of a refusal within another", () => {
  const reason = reasonOf(inField("subject", invalidField("name", faultOf("required"))));
  const { code, params, message } = refusal("draft_not_sendable", { reason });
  expect(message).toBe("the draft cannot be sent: subject: name: is required");
  expect(inGerman({ code, params, message })).toBe(
    "Der Entwurf lässt sich nicht senden: subject: name: ist erforderlich",
  );
});

it("say a problem of the pre-flight with the reasons and the variant in it", () => {
  const say = (problem: Parameters<typeof sayDetail>[1]) => sayDetail(GERMAN_PREFLIGHT, problem);
  const image = contentProblem("image_without_alt");
  const reason = preflightReason("more_like_it", { reason: image, count: 1_200 });
  const problem = preflightProblem("image_without_alt", { reason });
  expect(say(problem)).toBe("Ein Bild hat keinen Alternativtext. Noch 1.200 davon.");
  expect(say(ofVariant(problem, "B"))).toBe(
    "Variante B: Ein Bild hat keinen Alternativtext. Noch 1.200 davon.",
  );
  expect(judgeLinks(["", "page"]).map(say)).toEqual([
    'Diese Links sind ungültig: "" (der Link ist leer), page (der Link ist relativ, und eine E-Mail hat keine eigene Seite).',
  ]);
  const condition = reasonOf(
    refusal("invalid_condition", { reason: conditionFault("end_expected") }),
  );
  expect(say(preflightProblem("broken_audience", { reason: condition }))).toMatch(
    /^hier muss „and“ oder „or“ stehen/,
  );
  expect(sayDetail({}, problem)).toBe(problem.message);
});

it("are those of all parts that the page has loaded", () => {
  const fault = conditionFault("tag_unreadable", { reason: faultOf("invalid_tag", { max: 64 }) });
  expect(inGerman(conditionFault("at_character", { position: 1_005, fault }))).toMatch(
    /^Zeichen 1\.005: ein Schlagwort muss 1 bis 64 Zeichen haben/,
  );
});

it("have days and numbers as Germans write them", () => {
  const mail = { day: "2026-01-31", time: "09:05", domain: "shop.example", selector: "s1" };
  const key = findingOf("dkim_key_found", { bits: 2_048 });
  expect(sayMessage(GERMAN_FINDINGS, findingOf("mail_signed", { ...mail, key }))).toBe(
    "Die E-Mail, die am 31.01.2026 um 09:05 UTC zurückkam, ist für shop.example mit dem Selektor s1 signiert. Der RSA-Schlüssel hat 2.048 Bit.",
  );
});
