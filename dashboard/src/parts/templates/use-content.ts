import { defineText } from "../../text/define-text.ts";
import type { MessageTexts } from "../../text/messages.ts";

/** Returns the texts about templates by code; the service itself says them in English. */
export const useContent = defineText<MessageTexts>({}, () =>
  import("./content.de.ts").then(({ GERMAN_CONTENT: de }) => ({ de })),
);
