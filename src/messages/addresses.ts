import { messageFrom, type Message, type Params } from "./message.ts";

/** Why a text is not an email address, or not one with a name. */
export const ADDRESS_FAULTS = {
  address_empty: "the address is empty",
  address_too_long: "the address is too long",
  address_without_at: "the address has no @",
  address_invisible: "the address contains spaces, control characters or invisible characters",
  local_part_empty: "the address has nothing before the @",
  local_part_too_long: "the part before the @ is too long",
  local_part_quoted: "quoted local parts are not supported",
  local_part_invalid: "the part before the @ has a misplaced dot or character",
  address_literal: "address literals are not supported",
  domain_invalid: "the domain is not valid",
  mailbox_too_long: "the mailbox is too long",
  mailbox_unopened: "the address has no opening <",
  mailbox_name_invalid: "the display name is malformed or contains control characters",
  return_path_line_break: "the address contains a line break",
  return_path_token: "{token} must appear exactly once before the @",
  return_path_not_ascii: "the part before the @ must be ASCII",
  return_path_with_token: "with a token of {characters} characters, {reason}",
} as const;

export type AddressFaultCode = keyof typeof ADDRESS_FAULTS;

export const addressFault = (code: AddressFaultCode, params?: Params): Message =>
  messageFrom(ADDRESS_FAULTS, code, params);
