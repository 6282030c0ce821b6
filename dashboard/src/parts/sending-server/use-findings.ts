import { defineText } from "../../text/define-text.ts";
import type { MessageTexts } from "../../text/messages.ts";

/** Returns the texts of sender check findings by code; the English texts come from the service. */
export const useFindings = defineText<MessageTexts>({}, () =>
  import("./findings.de.ts").then(({ GERMAN_FINDINGS: de }) => ({ de })),
);
