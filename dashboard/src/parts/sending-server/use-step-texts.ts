import { defineText } from "../../text/define-text.ts";
import type { MessageTexts } from "../../text/messages.ts";

/** The English text of a remedy whose own text names a field of the API. */
const ENGLISH: MessageTexts = {
  use_covered_host:
    "Enter a host name that the certificate covers. Otherwise, the server needs a certificate for {host}.",
};

/** Returns the texts of steps and remedies by code; most English texts come from the service. */
export const useStepTexts = defineText(ENGLISH, () =>
  import("./steps.de.ts").then(({ GERMAN_STEPS: de }) => ({ de })),
);
