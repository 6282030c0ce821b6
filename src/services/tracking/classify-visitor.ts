import {
  APPLE_MAIL_PRIVACY,
  BOTS,
  IMAGE_PROXIES,
  PEOPLE,
  SECURITY_SCANNERS,
} from "./user-agents.ts";

/**
 * The client that fetches a pixel or link: a person, a privacy proxy that loads every image, a
 * program that checks or crawls links, or unknown.
 */
export type VisitorClass = "human" | "prefetch" | "scanner" | "unknown";

/** Classifies a visitor by user agent only; recording the visit also considers its timing. */
export function classifyUserAgent(userAgent: string): VisitorClass {
  const text = userAgent.trim().toLowerCase();
  if (text === APPLE_MAIL_PRIVACY || namesOneOf(text, IMAGE_PROXIES)) return "prefetch";
  if (namesOneOf(text, SECURITY_SCANNERS) || BOTS.test(text)) return "scanner";
  return PEOPLE.test(text) ? "human" : "unknown";
}

/**
 * Returns true if a user agent identifies a program that visits links without a reader's action.
 */
export function isProgram(userAgent: string): boolean {
  return ["prefetch", "scanner"].includes(classifyUserAgent(userAgent));
}

function namesOneOf(text: string, names: string[]): boolean {
  return names.some((name) => text.includes(name));
}
