/**
 * The welcome that follows a confirmation: none, or one to a subscriber whose metadata the project
 * wrote itself, or anybody with a public key. Signed links hold the position, so the order stays.
 */
export const WELCOMES = ["none", "own", "public"] as const;

export type Welcome = (typeof WELCOMES)[number];

/** The template of a welcome: the project's, or the built-in one (decision D40). */
export const WELCOME_TEMPLATE = "welcome";
