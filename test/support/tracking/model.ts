import type { TrackingEvent } from "../../../src/queues/messages.ts";
import { classifyUserAgent, type VisitorClass } from "../../../src/services/tracking/index.ts";
import { DAY_MS, HOUR_MS, SENT_AT } from "./mails.ts";

/** Expected `trackedState` after batches of events, computed one event at a time. */
export function trackingModel(logIds: string[], batches: TrackingEvent[][]) {
  const mails = logIds.toSorted().map((id) => ({
    id,
    opened_at: null as number | null,
    clicked_at: null as number | null,
    opened_class: null as string | null,
    opened_user_agent: null as string | null,
    opened_ip: null as string | null,
  }));
  type Click = { log_id: string; id: string; url: string; class: string; clicked_at: number };
  const clicks: Click[] = [];
  const counted = new Map<string, { opened: number; clicked: number; opens: number }>();
  const count = (at: number, what: "opened" | "clicked" | "opens") => {
    for (const key of bucketsOf(at)) {
      const bucket = counted.get(key) ?? { opened: 0, clicked: 0, opens: 0 };
      bucket[what] += 1;
      counted.set(key, bucket);
    }
  };
  const classOf = ({ userAgent, at }: TrackingEvent): VisitorClass => {
    const named = classifyUserAgent(userAgent);
    const tooSoon = at < SENT_AT + 5_000;
    return tooSoon && named !== "prefetch" ? "scanner" : named;
  };
  count(SENT_AT, "opened");
  for (const bucket of counted.values()) bucket.opened = 0;

  const isHurried = (one: TrackingEvent, batch: TrackingEvent[]) =>
    one.kind === "click" &&
    batch.some(
      (other) =>
        other.kind === "click" &&
        other.logId === one.logId &&
        other.url !== one.url &&
        Math.abs(other.at - one.at) <= 2_000,
    );

  for (const [event, batch] of batches.flatMap((all) =>
    all.toSorted((a, b) => a.at - b.at).map((one) => [one, all] as const),
  )) {
    const mail = mails.find(({ id }) => id === event.logId);
    if (!mail) continue;
    if (event.kind === "open") {
      if (mail.opened_at !== null) continue;
      mail.opened_at = event.at;
      mail.opened_class = classOf(event);
      mail.opened_user_agent = event.userAgent;
      mail.opened_ip = event.ipAddress;
      count(SENT_AT, "opened");
      count(event.at, "opens");
      continue;
    }
    if (mail.clicked_at === null) {
      mail.clicked_at = event.at;
      count(SENT_AT, "clicked");
    }
    const { id, logId, url, at } = event;
    const clickClass = isHurried(event, batch) ? "scanner" : classOf(event);
    if (!clicks.some((click) => click.id === id))
      clicks.push({ log_id: logId, id, url, class: clickClass, clicked_at: at });
  }
  const links = Map.groupBy(
    clicks.flatMap(({ url, clicked_at }) =>
      bucketsOf(clicked_at).map((bucket) => `${bucket} ${url}`),
    ),
    (key) => key,
  );
  return {
    mails,
    clicks: clicks.toSorted((a, b) => compare(a.log_id + a.id, b.log_id + b.id)),
    totals: {
      opened: mails.filter(({ opened_at }) => opened_at !== null).length,
      clicked: mails.filter(({ clicked_at }) => clicked_at !== null).length,
    },
    rollups: [...counted]
      .map(([key, bucket]) => {
        const [grain = "", at] = key.split(" ");
        return { grain, bucket_at: Number(at), ...bucket };
      })
      .toSorted((a, b) => compare(a.grain, b.grain) || a.bucket_at - b.bucket_at),
    links: [...links]
      .map(([key, members]) => {
        const [grain = "", at, label = ""] = key.split(" ");
        return { grain, bucket_at: Number(at), label, clicks: members.length };
      })
      .toSorted(
        (a, b) =>
          compare(a.grain, b.grain) || a.bucket_at - b.bucket_at || compare(a.label, b.label),
      ),
  };
}

/** Day and hour of a time. */
const bucketsOf = (at: number) => [`day ${at - (at % DAY_MS)}`, `hour ${at - (at % HOUR_MS)}`];

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
