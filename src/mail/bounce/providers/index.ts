/** Providers that post events, each by the name in its URL. */
import type { IngestEntry } from "../ingest-entry.ts";
import type { JsonObject } from "../json-values.ts";
import { elasticEmail } from "./elastic-email.ts";
import { readGeneric } from "./generic.ts";
import { lettermint } from "./lettermint.ts";
import { mailgun } from "./mailgun.ts";
import { postal } from "./postal.ts";
import { postmark } from "./postmark.ts";
import type { Provider } from "./provider.ts";
import { resend } from "./resend.ts";
import { scaleway } from "./scaleway.ts";
import { sendgrid } from "./sendgrid.ts";
import { ses } from "./ses.ts";
import { smtp2go } from "./smtp2go.ts";
import { sparkpost } from "./sparkpost.ts";
import { zeptomail } from "./zeptomail.ts";

/** Their events have the form that scripts use, so none is told from those. */
const unmarked = (title: string): Provider => ({ title, isEvent: () => false, read: readGeneric });

/** An event belongs to the first provider whose format it has. */
export const PROVIDERS = {
  ses,
  mailgun,
  sparkpost,
  postmark,
  resend,
  postal,
  smtp2go,
  zeptomail,
  scaleway,
  elasticemail: elasticEmail,
  lettermint,
  sendgrid,
  brevo: unmarked("Brevo"),
  mailjet: unmarked("Mailjet"),
} satisfies Record<string, Provider>;

export type ProviderName = keyof typeof PROVIDERS;

const ALL: Provider[] = Object.values(PROVIDERS);

/** Reads a posted object, of a known provider or a script. */
export const readPosted = (item: JsonObject): IngestEntry[] =>
  (ALL.find(({ isEvent }) => isEvent(item))?.read ?? readGeneric)(item);

export { isSendgridKey } from "./sendgrid.ts";
export type { Post, Provider } from "./provider.ts";
