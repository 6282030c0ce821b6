import { DEFAULT_LIMITS, type SendingLimits } from "../../lib/rates/sending-limits.ts";

/**
 * The published limits of a known server. A preset is a suggestion; nothing applies it
 * automatically.
 */
export interface Preset {
  name: string;
  limits: SendingLimits;
  /** The facts that the limits cannot express. */
  note: string | null;
  /** The page where the provider publishes its limits. */
  source: string;
}

interface KnownServer {
  name: string | ((host: string) => string);
  host: RegExp;
  /** The logins to which the entry applies; without it, any login. */
  user?: RegExp;
  limits: Partial<SendingLimits>;
  note?: string;
  source: string;
}

/** The first entry that fits counts. docs/sending.md shows the table. */
const KNOWN_SERVERS: KnownServer[] = [
  {
    name: "Gmail",
    host: /^smtp\.(?:gmail|googlemail)\.com$/,
    user: /@(?:gmail|googlemail)\.com$/i,
    limits: { maxPerDay: 500 },
    source: "https://support.google.com/mail/answer/22839",
  },
  {
    name: "Google Workspace",
    host: /^smtp\.(?:gmail|googlemail)\.com$/,
    limits: { maxPerDay: 2_000 },
    note: "500 per day for trial accounts",
    source: "https://support.google.com/a/answer/166852",
  },
  {
    name: "Microsoft 365",
    host: /^smtp\.office365\.com$/,
    limits: { maxConnections: 3, maxPerSecond: 0.5, maxPerDay: 10_000 },
    note: "30 emails per minute, set as one every two seconds",
    source:
      "https://learn.microsoft.com/office365/servicedescriptions/exchange-online-service-description/exchange-online-limits#sending-limits-1",
  },
  {
    name: (host) => `Amazon SES in ${host.split(".")[1] ?? ""}, sandbox`,
    host: /^email-smtp(?:-fips)?\.[a-z0-9-]+\.amazonaws\.com$/,
    limits: { maxPerSecond: 1, maxPerDay: 200 },
    note: "outside the sandbox, each region has its own quota, shown in the SES console",
    source: "https://docs.aws.amazon.com/ses/latest/dg/quotas.html",
  },
  {
    name: "Zoho Mail",
    host: /^smtp(?:pro)?\.zoho\.(?:com|eu|in|com\.au|jp|sa|com\.cn)$/,
    limits: { maxPerHour: 50 },
    note: "50 to 500 per hour, depending on the reputation of the sender",
    source: "https://www.zoho.com/mail/help/adminconsole/rates-and-limits.html",
  },
  {
    name: "Brevo",
    host: /^smtp-relay\.(?:brevo|sendinblue)\.com$/,
    limits: { maxPerDay: 300 },
    note: "free plan; paid plans have no daily limit",
    source: "https://help.brevo.com/hc/en-us/articles/8292912279954",
  },
  {
    name: "Mailgun",
    host: /^smtp(?:\.eu)?\.mailgun\.org$/,
    limits: { maxPerDay: 100 },
    note: "free plan; paid plans have a monthly limit",
    source: "https://help.mailgun.com/hc/en-us/articles/203068914-What-does-the-Free-plan-offer",
  },
  {
    name: "Resend",
    host: /^smtp\.resend\.com$/,
    limits: { maxPerDay: 100 },
    note: "free plan; paid plans have no daily limit",
    source: "https://resend.com/docs/knowledge-base/account-quotas-and-limits",
  },
  {
    name: "Postmark",
    host: /^smtp(?:-broadcasts)?\.postmarkapp\.com$/,
    limits: {},
    note: "10 connections recommended; Postmark publishes no numeric limit",
    source: "https://postmarkapp.com/support/article/do-we-have-rate-limits-for-smtp",
  },
  {
    name: "iCloud Mail",
    host: /^smtp\.mail\.me\.com$/,
    limits: { maxPerDay: 1_000 },
    source: "https://support.apple.com/102198",
  },
  {
    name: "IONOS",
    host: /^smtp\.ionos\.(?:com|de|co\.uk|es|fr|it|mx)$/,
    limits: { maxPerHour: 500 },
    note: "50 per hour in the first week of a contract, 100 in the second, 400 in the first month",
    source: "https://www.ionos.com/help/email/general-topics/what-are-the-mass-mailing-limits",
  },
  {
    name: "SocketLabs",
    host: /^smtp\.socketlabs\.com$/,
    limits: {},
    note: "10 connections",
    source: "https://help.socketlabs.com/docs/smtp-server-restrictions",
  },
  {
    name: "SMTP2GO",
    host: /^mail(?:-[a-z]+)?\.smtp2go\.com$/,
    limits: { maxPerDay: 1_000 },
    note: "new paid accounts, until they are reviewed",
    source: "https://developers.smtp2go.com/docs/rate-limiting",
  },
  {
    name: "Emailit",
    host: /^smtp\.emailit\.com$/,
    limits: { maxPerSecond: 2, maxPerDay: 5_000 },
    note: "new workspaces",
    source: "https://emailit.com/docs/limits",
  },
];

/** Returns the published limits of a server, or undefined for one that is not known. */
export function presetFor(host: string | null, user: string | null): Preset | undefined {
  const name = (host ?? "").toLowerCase().replace(/\.$/, "");
  const known = KNOWN_SERVERS.find(
    (server) => server.host.test(name) && (server.user?.test(user ?? "") ?? true),
  );
  if (!known) return undefined;
  return {
    name: typeof known.name === "string" ? known.name : known.name(name),
    limits: { ...DEFAULT_LIMITS, ...known.limits },
    note: known.note ?? null,
    source: known.source,
  };
}
