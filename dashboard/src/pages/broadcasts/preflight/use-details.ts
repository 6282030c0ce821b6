import { defineText } from "../../../text/define-text.ts";
import type { MessageTexts } from "../../../text/messages.ts";

/** Returns the texts of problems by code; the English texts come from the service. */
export const useDetails = defineText<MessageTexts>({}, () =>
  import("./details.de.ts").then(({ GERMAN_PREFLIGHT: de }) => ({ de })),
);
