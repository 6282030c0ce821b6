import {
  APPLE_MAIL_PRIVACY,
  BOTS,
  IMAGE_PROXIES,
  PEOPLE,
  SECURITY_SCANNERS,
} from "./user-agents.ts";

/**
 * Who fetched a pixel or a link: a person, a privacy proxy that loads every image, a program that
 * checks or crawls links, or nobody can tell.
 */
export type VisitorClass = "human" | "prefetch" | "scanner" | "unknown";

/** What the user agent alone tells of a visitor; what time tells is decided as the visit is recorded. */
export function classifyUserAgent(userAgent: string): VisitorClass {
  const text = userAgent.trim().toLowerCase();
  if (text === APPLE_MAIL_PRIVACY || namesOneOf(text, IMAGE_PROXIES)) return "prefetch";
  if (namesOneOf(text, SECURITY_SCANNERS) || BOTS.test(text)) return "scanner";
  return PEOPLE.test(text) ? "human" : "unknown";
}

/** Whether a user agent is that of a known mail-security product. */
export function isSecurityScanner(userAgent: string): boolean {
  return namesOneOf(userAgent.toLowerCase(), SECURITY_SCANNERS);
}

function namesOneOf(text: string, names: string[]): boolean {
  return names.some((name) => text.includes(name));
}
