import { isCommonPassword } from "../lib/common-passwords.ts";
import { wellFormedText } from "./fields.ts";

/** The shortest password of a new user (API reference §4.2). */
const MIN_PASSWORD_CHARACTERS = 8;
/** The longest password: scrypt takes any length, and a login must not hash a megabyte. */
const MAX_PASSWORD_CHARACTERS = 1_000;

/** A password that somebody chooses. */
export const newPassword = wellFormedText
  .min(MIN_PASSWORD_CHARACTERS, `must have at least ${MIN_PASSWORD_CHARACTERS} characters`)
  .max(MAX_PASSWORD_CHARACTERS, `must have at most ${MAX_PASSWORD_CHARACTERS} characters`)
  .refine((password) => !isCommonPassword(password), "is one of the commonest passwords");

/** A password that somebody gives as proof. */
export const anyPassword = wellFormedText.max(MAX_PASSWORD_CHARACTERS);
