import { isCommonPassword } from "../lib/common-passwords.ts";
import { wellFormedText } from "./fields.ts";
import { fault } from "./fault.ts";

/** The shortest password of a new user (API reference §4.2). */
const MIN_PASSWORD_CHARACTERS = 8;
/** The longest password: scrypt takes any length, and a login must not hash a megabyte. */
const MAX_PASSWORD_CHARACTERS = 1_000;

/** A password that somebody chooses. */
export const newPassword = wellFormedText
  .min(MIN_PASSWORD_CHARACTERS, fault("too_short", { min: MIN_PASSWORD_CHARACTERS }))
  .max(MAX_PASSWORD_CHARACTERS, fault("too_long", { max: MAX_PASSWORD_CHARACTERS }))
  .refine((password) => !isCommonPassword(password), fault("common_password"));

/** A password that somebody gives as proof. */
export const anyPassword = wellFormedText.max(MAX_PASSWORD_CHARACTERS);
