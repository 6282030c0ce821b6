import { z } from "zod";
import { endSession, selectSessionsOfSession } from "../../services/accounts/index.ts";
import { idAnswer, namedAnswer, timeAnswer } from "../answer-fields.ts";
import { auditPageAnswer, auditQuery, presentAuditPage } from "../project/audit-log.ts";
import { route } from "../route/route.ts";
import { presenterOf } from "../presenter.ts";

const sessionAnswer = namedAnswer("Session", {
  id: idAnswer,
  created_at: timeAnswer,
  last_seen_at: timeAnswer.describe("Written at most once an hour."),
  expires_at: timeAnswer,
  ip_address: z.string(),
  user_agent: z.string(),
  current: z.boolean().describe("Whether it is the session of the request."),
});

/** Presents a session to its user, without its token (API reference §7.2). */
const presentSession = presenterOf(sessionAnswer);

/** Routes for a user's own sessions and the audit trail of their account. */
export const sessionRoutes = [
  route({
    auth: "user",
    reach: "session",
    method: "GET",
    path: "/auth/sessions",
    operation: "auth.sessions.list",
    summary: "Lists the sessions of the person.",
    answer: z.strictObject({ sessions: z.array(sessionAnswer) }),
    reads: ({ deps, tokenHash }) => [selectSessionsOfSession(deps.db, tokenHash, deps.now())],
    handle: async ({ reads: [sessions] }) => ({ sessions: sessions.map(presentSession) }),
  }),
  route({
    auth: "user",
    reach: "session",
    method: "DELETE",
    path: "/auth/sessions/:sessionId",
    operation: "auth.sessions.end",
    summary: "Ends a session of the person.",
    handle: ({ ctx, actor, param }) =>
      endSession(ctx, actor, { id: param("sessionId"), kind: "session" }),
  }),
  route({
    auth: "user",
    method: "GET",
    path: "/auth/audit-log",
    operation: "auth.auditLog.list",
    summary: "Lists the audit entries of the account.",
    query: auditQuery,
    answer: auditPageAnswer,
    handle: ({ ctx, actor, query }) => presentAuditPage(ctx, actor.userId, query),
  }),
];
