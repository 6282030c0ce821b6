import { defineText } from "../../text/define-text.ts";
import type { MessageTexts } from "../../text/messages.ts";

/** Returns the texts of steps and remedies by code; the English texts come from the service. */
export const useStepTexts = defineText<MessageTexts>({}, () =>
  import("./steps.de.ts").then(({ GERMAN_STEPS: de }) => ({ de })),
);
