import { defineText } from "../../text/define-text.ts";
import type { MessageTexts } from "../../text/messages.ts";

/** Returns the texts of template problems by code; the English texts come from the service. */
export const useContent = defineText<MessageTexts>({}, () =>
  import("./content.de.ts").then(({ GERMAN_CONTENT: de }) => ({ de })),
);
