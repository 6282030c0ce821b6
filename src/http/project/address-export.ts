import { z } from "zod";
import {
  exportAddress,
  type AddressExport,
  type ExportPlace,
} from "../../services/privacy/index.ts";
import { DAY_MS } from "../../lib/durations.ts";
import { countAnswer, namedAnswer, timeAnswer, timestamp } from "../answer-fields.ts";
import { emailField } from "../fields.ts";
import { pagesOf } from "../paging.ts";
import { presenterOf } from "../presenter.ts";
import { route } from "../route/route.ts";
import { runAnswer } from "./automation-runs.ts";
import { eventAnswer, presentEvent } from "./events.ts";
import { logEntryAnswer, presentLogEntry } from "./logs.ts";
import { presentSubscriber, subscriberAnswer } from "./subscriber-answer.ts";
import { consentsAnswer, presentConsents } from "./subscriber-topics.ts";
import { presentSuppression, suppressionAnswer } from "./suppressions.ts";

const mailPlace = z.union([
  z.tuple([z.literal("mail"), z.number(), z.string()]),
  z.tuple([z.literal("broadcast"), z.string()]),
]);

const place = z.union([
  mailPlace,
  z.tuple([z.literal("clicks"), z.string(), z.string(), mailPlace]),
]) satisfies z.ZodType<ExportPlace>;

const pages = pagesOf("address export", place, (key: ExportPlace) => key);

const visitAnswer = {
  at: timeAnswer,
  class: z.string().nullable(),
  user_agent: z.string().nullable(),
  ip_address: z.string().nullable(),
};

const exportedRunAnswer = runAnswer
  .pick({
    automation_id: true,
    automation_name: true,
    entered_at: true,
    ended_at: true,
    outcome: true,
    step: true,
  })
  .extend({
    data: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe("The data of the event that started it; null for other triggers."),
    mails: z.array(z.strictObject({ step: z.string(), at: timeAnswer })),
  });

const presentRun = presenterOf(exportedRunAnswer);

const exportAnswer = namedAnswer("AddressExport", {
  email: z.string().nullable(),
  subscriber: subscriberAnswer.nullable(),
  consents: consentsAnswer.nullable(),
  suppression: suppressionAnswer.nullable(),
  soft_bounces: z
    .strictObject({ days: countAnswer, first_day: timeAnswer, last_day: timeAnswer })
    .nullable(),
  unverified_report: z
    .strictObject({
      kind: z.string(),
      reason: z.string(),
      words: z.string(),
      last_seen_at: timeAnswer,
    })
    .nullable(),
  events: z.array(eventAnswer).nullable(),
  automation_runs: z.array(exportedRunAnswer).nullable(),
  mails: z.array(
    logEntryAnswer.extend({
      opens: z.array(z.strictObject(visitAnswer)),
      clicks: z.array(z.strictObject({ url: z.string(), ...visitAnswer })),
    }),
  ),
  next: z.string().nullable(),
});

const dayOf = (day: number) => timestamp(day * DAY_MS);

/** Presents a page of an export (API reference §12.12). */
export function presentExport({ about, mails, next }: AddressExport): z.input<typeof exportAnswer> {
  const { email, subscriber, consents, suppression, soft, unverified, events, runs } = about ?? {};
  return {
    email: email ?? null,
    subscriber: subscriber ? presentSubscriber(subscriber) : null,
    consents: consents ? presentConsents(consents) : null,
    suppression: suppression ? presentSuppression(suppression) : null,
    soft_bounces: soft
      ? { days: soft.days, first_day: dayOf(soft.firstDay), last_day: dayOf(soft.lastDay) }
      : null,
    unverified_report: unverified
      ? {
          kind: unverified.kind,
          reason: unverified.reason,
          words: unverified.words,
          last_seen_at: timestamp(unverified.lastSeenAt),
        }
      : null,
    events: events ? events.map(presentEvent) : null,
    automation_runs: runs ? runs.map(presentRun) : null,
    mails: mails.map(presentMail),
    next: pages.cursorOf(next),
  };
}

function presentMail(mail: AddressExport["mails"][number]) {
  const { openedAt, openedClass, openedUserAgent, openedIp, clicks } = mail;
  return {
    ...presentLogEntry(mail),
    opens:
      openedAt === null
        ? []
        : [
            {
              at: timestamp(openedAt),
              class: openedClass,
              user_agent: openedUserAgent,
              ip_address: openedIp,
            },
          ],
    clicks: clicks.map((click) => ({
      at: timestamp(click.at),
      url: click.url,
      class: click.class,
      user_agent: click.userAgent,
      ip_address: click.ipAddress === "" ? null : click.ipAddress,
    })),
  };
}

const pageOf = ({ after, limit }: { after?: ExportPlace | null | undefined; limit: number }) => ({
  after: after ?? null,
  limit,
});

/**
 * Routes of the address export (API reference §12.12). They need `subscribers:write`, because the
 * export contains IP addresses.
 */
export const addressExportRoutes = [
  route({
    auth: "cookie",
    method: "GET",
    path: "/projects/:id/subscribers/:subscriberId/export",
    operation: "projects.subscribers.export",
    summary: "Returns everything that a project stores about a subscriber, in pages.",
    capability: "subscribers:write",
    query: pages.queryAfter({}),
    answer: exportAnswer,
    handle: async ({ ctx, project, query, param }) => {
      const whom = { subscriberId: param("subscriberId") };
      return presentExport(await exportAddress(ctx, project, whom, pageOf(query)));
    },
  }),
  route({
    auth: "cookie",
    method: "GET",
    path: "/projects/:id/address-export",
    operation: "projects.exportAddress",
    summary: "Returns everything that a project stores about an address, in pages.",
    example: { query: { email: "ann@example.com" } },
    capability: "subscribers:write",
    query: pages.queryAfter({ email: emailField }),
    answer: exportAnswer,
    handle: async ({ ctx, project, query }) => {
      const { email } = query;
      return presentExport(await exportAddress(ctx, project, { email }, pageOf(query)));
    },
  }),
];
