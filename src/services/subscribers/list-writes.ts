import { sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import type { Deps } from "../../deps.ts";
import type { Statement } from "../../db/client.ts";
import type { EmailAddress } from "../../mail/address.ts";
import { noteAdded } from "../storage/index.ts";
import {
  isErased,
  suppressStatements,
  withHashes,
  type NewSuppression,
} from "../suppressions/index.ts";
import { importConsents } from "../topics/index.ts";
import { changesOf } from "./change-many.ts";
import { noteImported } from "./manage-imports.ts";
import { statusOf, type ListRow, type Outcome } from "./list-row.ts";
import { insertSubscribers } from "./queries.ts";
import { filledFields } from "./subscribers.ts";

/** An address of a list with its outcome. */
export interface Arrival {
  email: EmailAddress;
  outcome: Outcome;
  row: ListRow;
}

/** The number of addresses by outcome. Each address counts once. */
export interface ArrivalCounts {
  imported: number;
  /** Existing subscribers who become unsubscribed. */
  unsubscribed: number;
  suppressed: number;
}

const REASONS: Partial<Record<Outcome, NewSuppression["reason"]>> = {
  opted_out: "unsubscribed",
  bounced: "hard_bounce",
  complained: "manual",
  blocked: "manual",
};

/** The source of a suppression after a complaint, as for complaint reports (API reference §14). */
const COMPLAINT = "complaint";

/** Returns true if the outcome unsubscribes an existing subscriber. */
const endsSubscription = (outcome: Outcome) =>
  outcome === "unsubscribed" || outcome === "opted_out";

/**
 * Returns the query that counts the effects of writing these addresses: one row. An erased address
 * is not counted.
 */
export function countArrivals({ db, config }: Deps, projectId: string, arrivals: Arrival[]) {
  const list = JSON.stringify(
    arrivals.map(({ email, outcome }) =>
      withHashes(config, {
        email,
        joins: statusOf(outcome) !== undefined,
        ends: endsSubscription(outcome),
        shuts: REASONS[outcome] !== undefined,
      }),
    ),
  );
  return db.all<ArrivalCounts>(
    sql`select count(*) filter (where joins and status is null) as imported,
        count(*) filter (where ends and not is_new and status <> 'unsubscribed') as unsubscribed,
        count(*) filter (where is_new) as suppressed
      from (select value ->> 'joins' as joins, value ->> 'ends' as ends,
          (select status from subscribers where project_id = ${projectId} and email = value ->> 'email') as status,
          value ->> 'shuts' and not exists (
            select 1 from suppressions where project_id = ${projectId} and email = value ->> 'email') as is_new
        from json_each(${list}) where not ${isErased(config, projectId)})`,
  );
}

/**
 * Returns the statements that write up to 1,000 distinct addresses. Idempotent, and no status
 * becomes active again. `origin` is the source of suppressions. New subscribers who may be mailed
 * consent to the topics.
 */
export function writeArrivals(
  ctx: Ctx,
  projectId: string,
  arrivals: Arrival[],
  {
    origin,
    topics,
    importId,
  }: { origin: string; topics: readonly string[] | undefined; importId: string | undefined },
): Statement[] {
  const { deps } = ctx;
  const leaving = arrivals.filter(({ outcome }) => endsSubscription(outcome));
  const added = arrivals.flatMap(({ email, outcome, row }) => {
    const status = statusOf(outcome);
    const own = importId === undefined ? {} : { importId };
    return status ? [{ id: deps.newId(), ...filledFields(row), ...own, email, status }] : [];
  });
  const ids = added.map(({ id }) => id);
  const topicsOf = new Map(arrivals.map(({ email, row }) => [email, row.topics]));
  const consenting = added
    .filter(({ status }) => status !== "unsubscribed")
    .map(({ id, email }) => ({ id, topics: topicsOf.get(email) }));
  const shut = arrivals.flatMap(({ email, outcome }) => {
    const reason = REASONS[outcome];
    return reason ? [{ email, reason, source: outcome === "complained" ? COMPLAINT : origin }] : [];
  });
  return [
    ...(leaving.length > 0 ? endSubscriptions(ctx, projectId, leaving) : []),
    ...(added.length > 0 ? insertSubscribers(deps, projectId, added, deps.now()) : []),
    ...importConsents(deps, projectId, topics, consenting),
    ...noteImported(deps.db, projectId, importId, {
      ids,
      emails: arrivals.map(({ email }) => email),
    }),
    ...(added.length > 0 ? noteAdded(deps, projectId, ids) : []),
    ...suppressStatements(deps, projectId, shut),
  ];
}

function endSubscriptions(ctx: Ctx, projectId: string, leaving: Arrival[]): Statement[] {
  const emails = JSON.stringify(leaving.map(({ email }) => email));
  const ids = sql`select id from subscribers where project_id = ${projectId}
    and email in (select value from json_each(${emails})) and +status <> 'unsubscribed'`;
  const [before, change] = changesOf(ctx, projectId, ids, "unsubscribed");
  return [...before, change];
}
