/**
 * The kinds of welcome mail that can follow a confirmation: none, one to a subscriber whose
 * metadata the project wrote, or one to a subscriber whose metadata may come from unauthenticated
 * callers. Signed links contain the position in this list, so the order must not change.
 */
export const WELCOMES = ["none", "own", "public"] as const;

export type Welcome = (typeof WELCOMES)[number];

/** The template of a welcome mail: the project's, or the built-in one. */
export const WELCOME_TEMPLATE = "welcome";
