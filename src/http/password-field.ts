import { isCommonPassword } from "../lib/common-passwords.ts";
import { wellFormedText } from "./fields.ts";
import { fault } from "./fault.ts";

/** Minimum length of a new password (API reference §4.2). */
const MIN_PASSWORD_CHARACTERS = 8;
/** Maximum length: scrypt accepts any, but a login must not hash a megabyte. */
const MAX_PASSWORD_CHARACTERS = 1_000;

/** A password that a user sets. */
export const newPassword = wellFormedText
  .min(MIN_PASSWORD_CHARACTERS, fault("too_short", { min: MIN_PASSWORD_CHARACTERS }))
  .max(MAX_PASSWORD_CHARACTERS, fault("too_long", { max: MAX_PASSWORD_CHARACTERS }))
  .refine((password) => !isCommonPassword(password), fault("common_password"));

/** A password that a user enters to authenticate. */
export const anyPassword = wellFormedText.max(MAX_PASSWORD_CHARACTERS);
