import { z } from "zod";
import { LOG_STATUSES } from "../../db/schema/index.ts";
import type { LogRow } from "../../services/email-log/index.ts";
import { idAnswer, namedAnswer, timeAnswer, timestamp, timestampOrNull } from "../answer-fields.ts";

export const recentMailAnswer = namedAnswer("RecentMail", {
  id: idAnswer,
  template_id: idAnswer.nullable(),
  broadcast_id: idAnswer.nullable(),
  subject: z.string(),
  status: z.enum(LOG_STATUSES),
  error: z.string().nullable(),
  reason: z.string().nullable(),
  sent_at: timeAnswer,
  opened_at: timeAnswer.nullable(),
  clicked_at: timeAnswer.nullable(),
});

/** Presents a mail to a subscriber (API reference §12.1) with fields from its log entry. */
export const presentRecentMail = (mail: LogRow): z.input<typeof recentMailAnswer> => ({
  id: mail.id,
  template_id: mail.templateId,
  broadcast_id: mail.broadcastId,
  subject: mail.subject,
  status: mail.status,
  error: mail.error,
  reason: mail.reason,
  sent_at: timestamp(mail.sentAt),
  opened_at: timestampOrNull(mail.openedAt),
  clicked_at: timestampOrNull(mail.clickedAt),
});
