import type { Deps } from "../deps.ts";
import { errorText, logLine } from "../lib/log-line.ts";
import { continueStops, purgeAutomations } from "../services/automations/index.ts";
import { enqueuePolls, forgetUnverified } from "../services/bounces/index.ts";
import { sweepAutomations } from "../services/automations/index.ts";
import { sweepBroadcasts } from "../services/broadcasts/index.ts";
import { DAY_MS } from "../lib/durations.ts";
import {
  deleteExpiredDeviceLogins,
  deleteExpiredSessions,
  deleteExpiredTokens,
} from "../services/accounts/index.ts";
import { forgetBatches, forgetOperations, sweepAbandoned } from "../services/mailing/index.ts";
import {
  correctClasses,
  emptyAddresses,
  forgetVisits,
  pruneLog,
} from "../services/email-log/index.ts";
import { removeOldImages } from "../services/images/index.ts";
import { deleteOldInvitations } from "../services/identity/index.ts";
import { continuePurges } from "../services/project-removal/index.ts";
import {
  continueWebhookPurges,
  forgetOldDeliveries,
  sweepWebhooks,
} from "../services/webhooks/index.ts";
import { forgetAnswers } from "../services/idempotency/index.ts";
import { forgetOldLetters } from "../services/dead-letters/index.ts";
import { forgetOldNotices } from "../services/service-mail/index.ts";
import { forgetEvents } from "../services/events/index.ts";
import { forgetMailings } from "../services/segments/index.ts";
import { measureStorage, measureWorkspaces } from "../services/storage/index.ts";
import { forgetOldSoftBounces } from "../services/suppressions/index.ts";
import { purgeTopics } from "../services/topics/index.ts";
import { continueErasures } from "../services/privacy/index.ts";
import { expireRequests, sweepPendingMails } from "../services/subscribers/index.ts";

/** Schedules; must match `triggers` in wrangler.toml. */
const EVERY_MINUTE = "* * * * *";
const EVERY_FIVE_MINUTES = "*/5 * * * *";
const EVERY_NIGHT = "17 3 * * *";

/** How long an expired invitation stays visible and can be resent. */
const INVITATION_GRACE_MS = 30 * DAY_MS;

type Job = (deps: Deps) => Promise<unknown>;

const JOBS: Record<string, Record<string, Job>> = {
  [EVERY_MINUTE]: {
    abandoned_sends: sweepAbandoned,
    automations: sweepAutomations,
    broadcasts: sweepBroadcasts,
    erasures: continueErasures,
    pending_mails: sweepPendingMails,
    project_purges: continuePurges,
    storage: measureStorage,
    topic_purges: purgeTopics,
    webhooks: sweepWebhooks,
    webhook_purges: continueWebhookPurges,
  },
  [EVERY_FIVE_MINUTES]: {
    bounce_polls: enqueuePolls,
    old_log_entries: pruneLog,
    old_addresses: emptyAddresses,
    old_deliveries: forgetOldDeliveries,
    old_requests: expireRequests,
    stopped_automations: continueStops,
    stored_by_workspaces: measureWorkspaces,
  },
  [EVERY_NIGHT]: {
    old_automations: purgeAutomations,
    old_batches: forgetBatches,
    click_classes: correctClasses,
    old_links: forgetVisits,
    old_images: removeOldImages,
    old_mailings: forgetMailings,
    old_events: forgetEvents,
    expired_sessions: (deps) => deleteExpiredSessions(deps.db, deps.now()),
    old_answers: forgetAnswers,
    expired_tokens: ({ db, now }) => deleteExpiredTokens(db, now()),
    expired_device_logins: ({ db, now }) => deleteExpiredDeviceLogins(db, now()),
    old_invitations: ({ db, now }) => deleteOldInvitations(db, now() - INVITATION_GRACE_MS),
    old_dead_letters: forgetOldLetters,
    old_notices: ({ db, now }) => forgetOldNotices(db, now()),
    old_operations: forgetOperations,
    old_soft_bounces: forgetOldSoftBounces,
    old_unverified_reports: forgetUnverified,
  },
};

/** Runs the jobs of one schedule. A failed job is logged and does not stop the others. */
export async function runScheduled(deps: Deps, cron: string): Promise<void> {
  for (const [job, run] of Object.entries(JOBS[cron] ?? {})) {
    try {
      await run(deps);
    } catch (error) {
      logLine("error", "job_failed", { job, cron, error: errorText(error) });
    }
  }
}
