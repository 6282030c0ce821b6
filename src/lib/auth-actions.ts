/** The emails of an authentication service that have a built-in template, by their action. */
export const AUTH_ACTIONS = [
  "signup",
  "invite",
  "magiclink",
  "recovery",
  "email_change",
  "reauthentication",
] as const;

export type AuthAction = (typeof AUTH_ACTIONS)[number];
