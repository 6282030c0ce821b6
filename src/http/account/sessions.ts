import {
  endSession,
  selectSessionsOfSession,
  type SessionFacts,
} from "../../services/accounts/index.ts";
import { auditQuery, presentAuditPage } from "../project/audit-log.ts";
import { timestamp } from "../present.ts";
import { userRoute } from "../routes.ts";

/** Presents a session to its person, without its token (API reference §7.5). */
const presentSession = (session: SessionFacts) => ({
  id: session.id,
  created_at: timestamp(session.createdAt),
  last_seen_at: timestamp(session.lastSeenAt),
  expires_at: timestamp(session.expiresAt),
  ip_address: session.ipAddress,
  user_agent: session.userAgent,
  current: session.isCurrent === 1,
});

/** Routes of the person's own sessions, and of the audit trail of their account. */
export const sessionRoutes = [
  userRoute({
    method: "GET",
    path: "/auth/sessions",
    reads: (_c, { db, now }, tokenHash) => [selectSessionsOfSession(db, tokenHash, now())],
    handler: async ({ c, reads: [sessions] }) => c.json({ sessions: sessions.map(presentSession) }),
  }),
  userRoute({
    method: "DELETE",
    path: "/auth/sessions/:sessionId",
    handler: async ({ c, ctx, actor }) => {
      await endSession(ctx, actor, c.req.param("sessionId") ?? "");
      return c.body(null, 204);
    },
  }),
  userRoute({
    method: "GET",
    path: "/auth/audit-log",
    query: auditQuery,
    handler: async ({ c, ctx, actor, query }) =>
      c.json(await presentAuditPage(ctx, actor.userId, query)),
  }),
];
