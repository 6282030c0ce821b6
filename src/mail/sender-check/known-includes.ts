/** SPF includes that providers of known SMTP servers require. */
const INCLUDES: [host: RegExp, include: string][] = [
  [/^smtp(?:-relay)?\.(?:gmail|googlemail)\.com$/, "_spf.google.com"],
  [/^smtp\.office365\.com$/, "spf.protection.outlook.com"],
  [/^email-smtp(?:-fips)?\.[a-z0-9-]+\.amazonaws\.com$/, "amazonses.com"],
  [/^smtp(?:\.eu)?\.mailgun\.org$/, "mailgun.org"],
  [/^smtp\.sendgrid\.net$/, "sendgrid.net"],
  [/^smtp\.postmarkapp\.com$/, "spf.mtasv.net"],
];

/** Returns the domain to include for a server; undefined for an unknown one. */
export function knownInclude(host: string): string | undefined {
  return INCLUDES.find(([pattern]) => pattern.test(host.toLowerCase()))?.[1];
}
