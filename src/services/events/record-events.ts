import { sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatchAfter } from "../../db/client.ts";
import { invalidField, refusal } from "../../errors.ts";
import { DAY_MS, MINUTE_MS } from "../../lib/durations.ts";
import type { EmailAddress } from "../../mail/address.ts";
import { faultOf } from "../../messages/faults.ts";
import type { ProjectRow } from "../access/index.ts";
import { wakeSenders } from "../projects/index.ts";
import { hasRoom, noteStored, requireRoom, selectRoom } from "../storage/index.ts";
import { addUnknown, type Unknown } from "../subscribers/index.ts";
import { hasDueWork, insertEvents, isNew, KEPT_DAYS, LAST_BYTES } from "./event-queries.ts";

/** What happens to an event of an address that the project does not know. */
export const CREATE = ["active", "pending", "none"] as const;

/** An event of a subscriber, by id or address. */
export interface NewEvent {
  name: string;
  whom: { subscriberId: string } | { email: EmailAddress };
  data: Record<string, unknown>;
  /** Now, by default. */
  occurredAt: number | undefined;
  create: (typeof CREATE)[number];
}

/** How many events were stored, and how many name nobody in the project. */
export interface RecordedEvents {
  accepted: number;
  unknown: number;
}

/** The tolerated difference between the clocks of the caller and the service; our own choice. */
const AHEAD_MS = 5 * MINUTE_MS;

/**
 * The largest JSON of a call: D1 accepts values up to 2 MB (documented). It may be longer than the
 * body, as 1e20 gets all its digits.
 */
const MOST_BYTES = 1_900_000;

/**
 * Stores events of people, in their order. Each writes two rows, and starts and moves runs of
 * automations in the same transaction (the triggers of the migration). Suppressed and unsubscribed
 * people may have events. Takes one D1 round trip. The route checks `events:write`. `pathOf` names
 * the field of the event at an index. With `once`, an event that is stored already counts as
 * unknown. Throws 400 for an event of the future or of more than 90 days
 * ago, payload_too_large, unavailable while the storage is full, and 403 while the workspace has used up its quota.
 * Nothing changes then.
 */
export async function recordEvents(
  ctx: Ctx,
  project: ProjectRow,
  events: readonly NewEvent[],
  pathOf: (index: number, field: string) => string,
  { once = false }: { once?: boolean } = {},
): Promise<RecordedEvents> {
  const { deps } = ctx;
  const { db, config } = deps;
  const now = deps.now();
  for (const [index, { occurredAt = now }] of events.entries()) {
    const path = pathOf(index, "occurred_at");
    if (occurredAt > now + AHEAD_MS) throw invalidField(path, faultOf("in_future"));
    if (occurredAt < now - KEPT_DAYS * DAY_MS)
      throw invalidField(path, faultOf("too_long_ago", { days: KEPT_DAYS }));
  }
  const rows = JSON.stringify(
    events.map(({ name, whom, data, occurredAt = now }) => ({
      name,
      ...whom,
      data,
      at: occurredAt,
    })),
  );
  if (Buffer.byteLength(rows) > MOST_BYTES) throw refusal("payload_too_large", { limit: "1.9 MB" });
  const room = hasRoom(project.id, now, config.workspaceStorageBytes);
  const [stored, [storage], [due]] = await runBatchAfter(
    db,
    addUnknown(ctx, project.id, unknownIn(events)),
    [
      insertEvents(db, project.id, rows, now, once ? sql`${room} and ${isNew(project.id)}` : room),
      selectRoom(deps, project.id),
      hasDueWork(db, project.id, now),
      ...noteStored(deps, project.id, LAST_BYTES),
    ],
  );
  if (stored.length === 0) requireRoom(deps, storage);
  if (due) deps.waitUntil(wakeSenders(deps, [project.id]));
  return { accepted: stored.length, unknown: events.length - stored.length };
}

/** Returns the addresses that may join, each as its first event says. */
function unknownIn(events: readonly NewEvent[]): Unknown[] {
  const found = new Map<EmailAddress, Unknown["status"]>();
  for (const { whom, create } of events)
    if ("email" in whom && create !== "none" && !found.has(whom.email))
      found.set(whom.email, create);
  return [...found].map(([email, status]) => ({ email, status }));
}
