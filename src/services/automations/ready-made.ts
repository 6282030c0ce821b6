import type { Definition, SendStep, Step } from "../../lib/automation-definition.ts";
import type { Language } from "../../lib/languages.ts";
import { escapeHtml } from "../../mail/html/entities.ts";
import { branded, seriesMail } from "../../mail/system-templates/index.ts";
import type { ProjectRow } from "../access/index.ts";
import { audienceSettingsOf, mailSettingsOf } from "../projects/index.ts";
import { DE } from "./ready-made/de.ts";
import { EN } from "./ready-made/en.ts";
import type { MailWords, ReadyMadeWords } from "./ready-made/words.ts";

/** The languages of the ready-made automations. */
export const READY_MADE_LANGUAGES = ["en", "de"] as const;

const WORDS: Partial<Record<Language, ReadyMadeWords>> = { en: EN, de: DE };

/** A definition to begin with. */
export interface ReadyMade extends Definition {
  key: string;
  name: string;
  description: string;
}

/** A segment that no project has: its author chooses one before the start. */
const UNCHOSEN = "00000000-0000-0000-0000-000000000000";

/**
 * Returns the ready-made automations with complete mails in the look of a project, in a language or
 * that of the project; in English if there is no other.
 */
export function readyMade(project: ProjectRow, language?: Language): ReadyMade[] {
  const wanted = language ?? audienceSettingsOf(project).language;
  const words = WORDS[wanted] ?? EN;
  const { brand: look } = mailSettingsOf(project);
  const brand = (project.fromName ?? project.name).replaceAll(/[{}\\]/g, "");

  type Button = { variable: string; label: string };
  const mail = (id: string, said: MailWords, more: Partial<SendStep> = {}, button?: Button) => {
    const inHtml = (text: string) => text.replaceAll("{brand}", () => escapeHtml(brand));
    const htmlBody = seriesMail({
      language: words === EN ? "en" : wanted,
      heading: inHtml(said.heading),
      paragraphs: said.paragraphs.map(inHtml),
      button,
      reason: inHtml(words.reason),
    });
    const html_body = branded({ htmlBody, textBody: "" }, look).htmlBody;
    const subject = said.subject.replaceAll("{brand}", () => brand);
    return { id, type: "send", subject, html_body, ...more } satisfies SendStep;
  };
  const wait = (id: string, span: string): Step => ({ id, type: "wait", for: span });
  const morning = (id: string): Step => ({
    id,
    type: "wait",
    until: { time: "09:00", zone: "recipient" },
  });
  const toConfirm = { variable: "confirm_url", label: words.confirm };
  const toCart = { variable: "metadata.cart_url", label: words.toCart };

  const made = <Key extends Exclude<keyof ReadyMadeWords, "reason" | "confirm" | "toCart">>(
    key: Key,
    define: (mails: ReadyMadeWords[Key]["mails"]) => Definition,
  ): ReadyMade => {
    const { name, description, mails } = words[key];
    return { key, name, description, ...define(mails) };
  };

  return [
    made("welcome_series", ({ hello, tips, question }) => ({
      trigger: { type: "joined" },
      steps: [
        mail("hello", hello),
        wait("two-days", "2 days"),
        morning("morning"),
        mail("tips", tips),
        wait("five-days", "5 days"),
        mail("question", question),
      ],
      reentry: "never",
    })),
    made("opt_in_reminder", ({ first, last }) => ({
      trigger: { type: "joined", where: "status:pending" },
      steps: [
        wait("two-days", "2 days"),
        mail("first", first, { to: "pending" }, toConfirm),
        wait("five-days", "5 days"),
        mail("last", last, { to: "pending" }, toConfirm),
      ],
      goal: { where: "status:active" },
      reentry: { after_days: 90 },
    })),
    made("abandoned_cart", ({ first, last }) => ({
      trigger: { type: "event", event: "checkout_started" },
      steps: [
        wait("four-hours", "4 hours"),
        mail("first", first, {}, toCart),
        wait("two-days", "2 days"),
        mail("last", last, {}, toCart),
      ],
      goal: { event: "purchased" },
      reentry: { after_days: 7 },
    })),
    made("win_back", ({ "miss-you": missYou, last }) => ({
      trigger: { type: "segment", segment_id: UNCHOSEN },
      steps: [
        morning("morning"),
        mail("miss-you", missYou),
        wait("ten-days", "10 days"),
        {
          id: "reacted",
          type: "branch",
          ways: [{ where: "opened:10d", steps: [{ id: "back", type: "end" }] }],
          else: [mail("last", last)],
        },
      ],
      reentry: { after_days: 180 },
    })),
    made("birthday", ({ wishes }) => ({
      trigger: { type: "date", field: "birthday", yearly: true },
      steps: [morning("morning"), mail("wishes", wishes)],
      reentry: "always",
    })),
    made("trial_ends", ({ soon, tomorrow }) => ({
      trigger: { type: "date", field: "trial_ends", days: -3 },
      steps: [
        morning("morning"),
        mail("soon", soon),
        wait("two-days", "2 days"),
        mail("tomorrow", tomorrow),
      ],
      goal: { event: "subscribed" },
      reentry: "always",
    })),
    made("review_request", ({ ask, again }) => ({
      trigger: { type: "event", event: "order_delivered" },
      steps: [
        wait("a-week", "7 days"),
        morning("morning"),
        mail("ask", ask),
        wait("ten-days", "10 days"),
        mail("again", again),
      ],
      goal: { event: "reviewed" },
      reentry: { after_days: 30 },
    })),
    made("sunset", ({ stay, last }) => ({
      trigger: { type: "segment", segment_id: UNCHOSEN },
      steps: [
        mail("stay", stay),
        wait("two-weeks", "2 weeks"),
        {
          id: "reacted",
          type: "branch",
          ways: [{ where: "opened:14d", steps: [{ id: "stays", type: "end" }] }],
          else: [mail("last", last), { id: "inactive", type: "set", add_tags: ["inactive"] }],
        },
      ],
      reentry: { after_days: 365 },
    })),
  ];
}
