import type { Ctx } from "../../context.ts";
import { refusal } from "../../errors.ts";
import { openDnsSession } from "../../lib/dns-session.ts";
import { domainOf, parseEmailAddress } from "../../mail/address.ts";
import {
  type CheckItem,
  type CheckVerdict,
  checkSender,
  type SeenMail,
} from "../../mail/sender-check/index.ts";
import type { ProjectRow } from "../access/index.ts";
import { bounceSettingsOf } from "../projects/index.ts";

/** The bounds of one check. Workers open at most six connections at once. */
const DNS_BOUNDS = { maxQuestions: 40, maxAtOnce: 6, maxMs: 5_000 };

/** The verdicts from the worst on. */
const WORST_FIRST = ["problem", "warning", "unknown"] as const;

/** The findings of the DNS about the sender of a project. */
export interface SenderReport {
  domain: string;
  /** The domain of the envelope sender, to which bounces go. */
  envelopeDomain: string;
  /** The worst verdict of the items. */
  verdict: CheckVerdict;
  items: CheckItem[];
  /** The questions that the resolver was asked. */
  questions: number;
}

/**
 * Asks the DNS about the sender of a project (API reference §9.6). Reads nothing else, connects to
 * nothing that the DNS names, and changes nothing. `seenMail` is the newest mail that came back.
 * Throws smtp_not_configured and no_from_address.
 */
export async function checkProjectSender(
  { deps }: Ctx,
  project: ProjectRow,
  dkimSelector: string | undefined,
  seenMail: SeenMail | undefined,
): Promise<SenderReport> {
  const { smtpHost, fallbackHost, smtpUser, fromEmail } = project;
  if (smtpHost === null) throw refusal("smtp_not_configured", {});
  const from = parseEmailAddress(fromEmail ?? smtpUser ?? "");
  if (!from.ok) throw refusal("no_from_address", {});
  const domain = domainOf(from.address).toLowerCase();
  const { returnPath } = bounceSettingsOf(project);
  const envelopeDomain = returnPath?.slice(returnPath.lastIndexOf("@") + 1) ?? domain;
  const session = openDnsSession({ fetch: deps.fetch, url: deps.config.dohUrl }, DNS_BOUNDS);
  const smtpHosts = fallbackHost === null ? [smtpHost] : [smtpHost, fallbackHost];
  const sender = { domain, envelopeDomain, smtpHosts, dkimSelector, seenMail };
  const items = await checkSender(session, sender);
  const verdict = WORST_FIRST.find((worst) => items.some((item) => item.verdict === worst)) ?? "ok";
  return { domain, envelopeDomain, verdict, items, questions: session.asked() };
}
