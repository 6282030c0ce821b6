import {
  APPLE_MAIL_PRIVACY,
  BOTS,
  IMAGE_PROXIES,
  PEOPLE,
  SECURITY_SCANNERS,
} from "./user-agents.ts";

/**
 * The fetcher of a pixel or a link: a person, a privacy proxy that loads every image, a program
 * that checks or crawls links, or an unknown one.
 */
export type VisitorClass = "human" | "prefetch" | "scanner" | "unknown";

/**
 * Classifies a visitor by the user agent alone; the record of the visit adds the judgement by time.
 */
export function classifyUserAgent(userAgent: string): VisitorClass {
  const text = userAgent.trim().toLowerCase();
  if (text === APPLE_MAIL_PRIVACY || namesOneOf(text, IMAGE_PROXIES)) return "prefetch";
  if (namesOneOf(text, SECURITY_SCANNERS) || BOTS.test(text)) return "scanner";
  return PEOPLE.test(text) ? "human" : "unknown";
}

/** Tells whether a user agent names a program that visits links for no reader's decision. */
export function isProgram(userAgent: string): boolean {
  return ["prefetch", "scanner"].includes(classifyUserAgent(userAgent));
}

function namesOneOf(text: string, names: string[]): boolean {
  return names.some((name) => text.includes(name));
}
