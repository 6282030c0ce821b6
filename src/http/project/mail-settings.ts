import { z } from "zod";
import { parseEmailAddress } from "../../mail/address.ts";
import { mailSettingsOf, saveMailSettings } from "../../services/projects/index.ts";
import { namedAnswer } from "../answer-fields.ts";
import { fault, refuse } from "../fault.ts";
import { listField } from "../given.ts";
import { changeOf } from "../in-code.ts";
import { presenterOf } from "../presenter.ts";
import { writtenAs } from "../route/written-as.ts";
import { headersField } from "./send-extras.ts";
import { settingsRoutes } from "./settings-routes.ts";

const MAX_SENDERS = 100;

/** An address, or a whole domain such as `@acme.example`. */
const senderField = writtenAs(
  z.string().transform((text, context): string => {
    const given = text.trim();
    const isDomain = given.startsWith("@");
    const parsed = parseEmailAddress(isDomain ? `all${given}` : given);
    if (!parsed.ok) return refuse(context, fault("invalid_address", { reason: parsed.fault }));
    return isDomain ? parsed.address.slice("all".length) : parsed.address;
  }),
  z.string(),
);

const sendersText =
  "What `from` of an email may be besides `from_email`: addresses, and domains such as `@acme.example`.";

const headersText = (mail: string) => `Headers of every ${mail}, unless it sets them itself.`;
const sendHeadersText = headersText("single email and email of a batch");
const broadcastHeadersText = headersText("email of a broadcast");

const settingsBody = changeOf(
  z.strictObject({
    senders: listField(senderField, MAX_SENDERS).describe(sendersText),
    send_headers: headersField.transform(Object.entries<string>).describe(sendHeadersText),
    broadcast_headers: headersField
      .transform(Object.entries<string>)
      .describe(broadcastHeadersText),
  }),
);

const headersAnswer = z.record(z.string(), z.string());

const settingsAnswer = namedAnswer("MailSettings", {
  senders: z.array(z.string()).describe(sendersText),
  send_headers: headersAnswer.describe(sendHeadersText),
  broadcast_headers: headersAnswer.describe(broadcastHeadersText),
});

const present = presenterOf(settingsAnswer);

/** Routes of the mail settings (API reference §9.10). */
export const mailSettingsRoutes = settingsRoutes({
  path: "/projects/:id/mail-settings",
  operation: "projects.mailSettings",
  name: "mail settings of a project",
  example: {
    body: {
      senders: ["ann@example.com", "@acme.example"],
      broadcast_headers: { "X-PM-Message-Stream": "broadcast" },
    },
  },
  body: settingsBody,
  answer: settingsAnswer,
  present: (project) => {
    const { senders, sendHeaders, broadcastHeaders } = mailSettingsOf(project);
    return present({
      senders,
      sendHeaders: Object.fromEntries(sendHeaders),
      broadcastHeaders: Object.fromEntries(broadcastHeaders),
    });
  },
  save: saveMailSettings,
});
