import type { MailTimeline } from "./mail-timeline.ts";
import type { en } from "./text.en.ts";

export interface TimelineEvent {
  key: string;
  /** Null if the time is unknown. */
  at: string | null;
  words: string;
  /** Text of a server, a URL, or a user agent. */
  detail?: string | null | undefined;
  tone: "good" | "bad" | "neutral";
}

/** Returns the events of a mail in chronological order, with those of unknown time last. */
export function eventsOf(mail: MailTimeline, text: typeof en): TimelineEvent[] {
  const events = [
    ...attempts(mail, text),
    ...visits(mail, text),
    ...reports(mail, text),
    ...deliveries(mail, text),
  ];
  return events.toSorted((one, other) => placeOf(one) - placeOf(other));
}

const placeOf = ({ at }: TimelineEvent) =>
  at === null ? Number.POSITIVE_INFINITY : Date.parse(at);

function attempts(
  { attempts: tries, server, status, sent_at, test }: MailTimeline,
  { events, ...text }: typeof en,
) {
  if (status === "suppressed" && tries.length === 0) {
    const words = events.suppressed;
    return [{ key: "suppressed", at: sent_at, words, tone: "bad" as const }];
  }
  return tries.map((one, place): TimelineEvent => {
    const theServer = test ? text.theSimulator : text.theServer;
    const name = one.via_fallback ? text.theFallback : (server ?? theServer);
    const words =
      one.status === "deferred"
        ? events.deferred(one.via_fallback)
        : one.status === "sent"
          ? events.sent(name)
          : one.status === "bounced"
            ? events.bounced(name)
            : events.failed(name);
    const tone = one.status === "sent" ? "good" : one.status === "deferred" ? "neutral" : "bad";
    return { key: `attempt-${place}`, at: one.at, words, detail: one.error, tone };
  });
}

function visits({ opens, clicks }: MailTimeline, { events }: typeof en): TimelineEvent[] {
  const openedBy: Record<string, string> = events.openedBy;
  const clickedBy: Record<string, string> = events.clickedBy;
  const toneOf = (visitor: string | null): TimelineEvent["tone"] =>
    visitor === "scanner" || visitor === "prefetch" ? "neutral" : "good";
  return [
    ...opens.map(({ at, class: visitor, user_agent }, place) => ({
      key: `open-${place}`,
      at,
      words: openedBy[visitor ?? ""] ?? events.opened,
      detail: user_agent,
      tone: toneOf(visitor),
    })),
    ...clicks.map(({ at, class: visitor, url }, place) => ({
      key: `click-${place}`,
      at,
      words: clickedBy[visitor ?? ""] ?? events.clicked,
      detail: url,
      tone: toneOf(visitor),
    })),
  ];
}

function reports(
  { bounce, complaint, suppression }: MailTimeline,
  { events }: typeof en,
): TimelineEvent[] {
  const isOwn = bounce && bounce.reported_by !== "smtp";
  const cameBack = events.cameBack[bounce?.reported_by ?? "ingest"];
  return [
    ...(isOwn
      ? [
          {
            key: "bounce",
            at: bounce.at,
            words: cameBack,
            detail: bounce.words,
            tone: "bad" as const,
          },
        ]
      : []),
    ...(complaint
      ? [{ key: "complaint", at: complaint.at, words: events.complained, tone: "bad" as const }]
      : []),
    ...(suppression
      ? [
          {
            key: "suppression",
            at: suppression.created_at,
            words: events.suppressedAt,
            detail: suppression.source,
            tone: "bad" as const,
          },
        ]
      : []),
  ];
}

const deliveries = (
  { webhook_deliveries: made }: MailTimeline,
  { events }: typeof en,
): TimelineEvent[] =>
  (made ?? []).map(({ id, event_type, status, created_at, last_error }) => ({
    key: id,
    at: created_at,
    words: events.webhook(event_type, status),
    detail: last_error,
    tone: status === "failed" ? "bad" : "neutral",
  }));
