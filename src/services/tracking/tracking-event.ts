import type { Ctx } from "../../context.ts";
import { isUuid } from "../../lib/ids.ts";
import type { TrackingEvent } from "../../queues/messages.ts";

export type OpenEvent = Extract<TrackingEvent, { kind: "open" }>;
export type ClickEvent = Extract<TrackingEvent, { kind: "click" }>;

/** The attributes that an event takes from the request. */
export type Visitor = Pick<Ctx, "deps" | "userAgent" | "clientIp">;

function visitOf({ deps, userAgent, clientIp }: Visitor, logId: string) {
  return { id: deps.newUlid(), logId, at: deps.now(), userAgent, ipAddress: clientIp };
}

/** Returns the open event of a pixel request. */
export function openEvent(visitor: Visitor, logId: string): OpenEvent {
  return { kind: "open", ...visitOf(visitor, logId) };
}

/** Returns the click event of a tracked link request. */
export function clickEvent(
  visitor: Visitor,
  logId: string,
  { url, tag }: { url: string; tag?: string | undefined },
): ClickEvent {
  return { kind: "click", ...visitOf(visitor, logId), url, ...(tag === undefined ? {} : { tag }) };
}

/**
 * Returns true if a text can be the id of a log entry; other texts are not worth a queue message.
 */
export const isLogId = isUuid;
