/**
 * The kinds of welcome that can follow a confirmation: none, one to a subscriber whose metadata the
 * project wrote itself, or one to a subscriber whose metadata anybody with a public key may have
 * written. Signed links hold the position in this list, so the order must not change.
 */
export const WELCOMES = ["none", "own", "public"] as const;

export type Welcome = (typeof WELCOMES)[number];

/** The template of a welcome: the project's, or the built-in one. */
export const WELCOME_TEMPLATE = "welcome";
