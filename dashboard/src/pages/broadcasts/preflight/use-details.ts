import { defineText } from "../../../text/define-text.ts";
import type { MessageTexts } from "../../../text/messages.ts";

/** Returns the texts about problems by code; the service itself says them in English. */
export const useDetails = defineText<MessageTexts>({}, () =>
  import("./details.de.ts").then(({ GERMAN_PREFLIGHT: de }) => ({ de })),
);
