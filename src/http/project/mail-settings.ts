import { z } from "zod";
import { decideTracking } from "../../lib/tracking-switches.ts";
import type { Utm } from "../../lib/utm.ts";
import { parseEmailAddress } from "../../mail/address.ts";
import { mailSettingsOf, saveMailSettings } from "../../services/projects/index.ts";
import { namedAnswer } from "../answer-fields.ts";
import { fault, refuse } from "../fault.ts";
import { listField } from "../given.ts";
import { changeOf } from "../in-code.ts";
import { presenterOf } from "../presenter.ts";
import { writtenAs } from "../route/written-as.ts";
import { importedBrand } from "./brand.ts";
import { headersField } from "./send-extras.ts";
import { trackingField, utmAnswer, utmField } from "./tracking-fields.ts";
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

const trackingText =
  "Whether emails track opens and clicks, unless a template, broadcast or email sets it.";
const utmText =
  "The parameters `utm_source`, `utm_medium` and `utm_campaign` that links get; `{}` for none.";

/** A change replaces the whole setting, so one that is left out is on again. */
const wholeTracking = trackingField.transform((given) => decideTracking(given));

/** A change replaces the whole setting: null removes what it leaves out. */
const wholeUtm = utmField.transform(
  ({ source = null, medium = null, campaign = null }) => ({ source, medium, campaign }) as Utm,
);

const settingsBody = changeOf(
  z.strictObject({
    senders: listField(senderField, MAX_SENDERS).describe(sendersText),
    send_headers: headersField.transform(Object.entries<string>).describe(sendHeadersText),
    broadcast_headers: headersField
      .transform(Object.entries<string>)
      .describe(broadcastHeadersText),
    tracking: wholeTracking.describe(trackingText),
    utm: wholeUtm.describe(utmText),
  }),
);

const storedHeaders = z
  .array(z.tuple([z.string(), z.string()]))
  .transform((pairs): unknown => Object.fromEntries(pairs))
  .pipe(headersField.transform(Object.entries<string>));

/** The settings in an import of a project, as stored. */
export const importedMailSettings = z
  .strictObject({
    senders: listField(senderField, MAX_SENDERS),
    sendHeaders: storedHeaders,
    broadcastHeaders: storedHeaders,
    tracking: trackingField,
    utm: utmField,
    brand: importedBrand,
  })
  .partial();

const headersAnswer = z.record(z.string(), z.string());

const settingsAnswer = namedAnswer("MailSettings", {
  senders: z.array(z.string()).describe(sendersText),
  send_headers: headersAnswer.describe(sendHeadersText),
  broadcast_headers: headersAnswer.describe(broadcastHeadersText),
  tracking: z.strictObject({ opens: z.boolean(), clicks: z.boolean() }).describe(trackingText),
  utm: utmAnswer.describe(utmText),
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
    const { senders, sendHeaders, broadcastHeaders, tracking, utm } = mailSettingsOf(project);
    return present({
      senders,
      sendHeaders: Object.fromEntries(sendHeaders),
      broadcastHeaders: Object.fromEntries(broadcastHeaders),
      tracking: decideTracking(tracking),
      utm,
    });
  },
  save: saveMailSettings,
});
