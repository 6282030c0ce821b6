import { defineText } from "../../text/define-text.ts";
import type { MessageTexts } from "../../text/messages.ts";

/** Returns the texts of findings about a sender by code; the service itself says them in English. */
export const useFindings = defineText<MessageTexts>({}, () =>
  import("./findings.de.ts").then(({ GERMAN_FINDINGS: de }) => ({ de })),
);
