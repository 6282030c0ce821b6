import { defineText } from "../../text/define-text.ts";
import type { MessageTexts } from "../../text/messages.ts";

/** Returns the texts of a broadcast's reasons by code; the English texts come from the service. */
export const useReasonTexts = defineText<MessageTexts>({}, () =>
  import("./reasons.de.ts").then(({ GERMAN_BROADCAST_REASONS: de }) => ({ de })),
);
