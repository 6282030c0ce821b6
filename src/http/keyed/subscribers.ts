import { listReads, pageOf, type SubscriberRow } from "../../services/subscribers/index.ts";
import { pageQuery } from "../fields.ts";
import { timestamp } from "../present.ts";
import { succeed } from "./envelope.ts";
import { keyedRoute } from "./keyed-route.ts";

/** The largest page (API reference §17.3). */
const MAX_PAGE = 100;

const listQuery = pageQuery.transform(({ limit, offset }) => ({
  limit: Math.min(limit, MAX_PAGE),
  offset,
}));

/** Presents a subscriber (API reference §5.4). */
function presentMember({ email, metadata, createdAt }: SubscriberRow) {
  return { email, metadata, createdAt: timestamp(createdAt) };
}

export const listRoute = keyedRoute({
  method: "GET",
  path: "/subscribers",
  auth: "secret",
  capability: "read",
  limit: "keyed_read",
  input: listQuery,
  reads: (_c, deps, projectId, page) => listReads(deps, projectId, undefined, page),
  handler: async ({ c, reads, input }) => {
    const { subscribers, total } = pageOf(reads);
    return succeed(c, {
      subscribers: subscribers.map(presentMember),
      pagination: { total, ...input },
    });
  },
});
