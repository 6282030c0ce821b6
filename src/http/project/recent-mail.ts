import { z } from "zod";
import { LOG_STATUSES } from "../../db/schema/index.ts";
import type { LogRow } from "../../services/email-log/index.ts";
import { idAnswer, namedAnswer, timeAnswer } from "../answer-fields.ts";
import { presenterOf } from "../presenter.ts";

export const recentMailAnswer = namedAnswer("RecentMail", {
  id: idAnswer,
  template_id: idAnswer.nullable(),
  broadcast_id: idAnswer.nullable(),
  automation_id: idAnswer.nullable(),
  step_id: z.string().nullable(),
  subject: z.string(),
  status: z.enum(LOG_STATUSES),
  error: z.string().nullable(),
  reason: z.string().nullable(),
  sent_at: timeAnswer,
  opened_at: timeAnswer.nullable(),
  clicked_at: timeAnswer.nullable(),
});

const present = presenterOf(recentMailAnswer);

/** Presents a mail to a subscriber (API reference §12.1) with fields from its log entry. */
export const presentRecentMail = (mail: LogRow) =>
  present({ ...mail, broadcastId: mail.automationId === null ? mail.broadcastId : null });
