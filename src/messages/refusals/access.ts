import { entry } from "./entry.ts";

/** Refusals about accounts, sessions, roles, workspaces and their members. */
export const ACCESS = {
  session_over: entry(401, "session expired or invalid: sign in again", "Sign in again."),
  wrong_login: entry(
    401,
    "invalid email or password",
    "Check both, or reset the password with `POST /auth/forgot`.",
  ),
  address_not_confirmed: entry(
    403,
    "confirm your email address first",
    "Open the link in the confirmation email; `POST /auth/confirm/resend` sends another.",
  ),
  no_project_access: entry(
    403,
    "you have no access to this project",
    "Ask an owner of its workspace to add you.",
  ),
  no_workspace_access: entry(
    403,
    "you have no access to this workspace",
    "Ask an owner of the workspace to add you.",
  ),
  no_workspace: entry(403, "you belong to no workspace", "Create a workspace first."),
  role_lacks_capability: entry(
    403,
    "your role ({role}) lacks the capability {capability}",
    "Ask an owner of the workspace for another role.",
  ),
  capability_not_held: entry(
    403,
    "you lack the capability {capability}, so your keys cannot have it",
    "Request only capabilities that your role has.",
  ),
  no_longer_owner: entry(
    403,
    "you are no longer an owner of this workspace",
    "Ask an owner of the workspace.",
  ),
  operator_required: entry(
    403,
    "only the owner of the first account can do this",
    "Ask the owner of the first account.",
  ),
  project_settings_closed: entry(
    403,
    "you cannot change the settings of this project",
    "Choose a project whose settings your role can change.",
  ),
  registration_closed: entry(
    403,
    "registration is closed: ask an owner of this service for an account",
    "Ask an owner of this service.",
  ),
  setup_token_unset: entry(
    403,
    "registration is disabled: set SETUP_TOKEN to create the first account",
    "Set the secret SETUP_TOKEN of the service.",
  ),
  wrong_setup_token: entry(403, "setup_token is wrong", "Send the value of SETUP_TOKEN."),
  accounts_by_invitation: entry(
    403,
    "this service creates no accounts for other people: invite them instead",
    "Invite them with `POST /workspaces/{id}/invitations`.",
  ),
  invitation_of_other: entry(
    403,
    "this invitation is for {email}: sign in with that address",
    "Sign in with the invited address.",
  ),
  email_registered: entry(
    409,
    "email already registered",
    "Sign in with that account, or use another address.",
  ),
  has_account: entry(
    409,
    "this address has an account: sign in, and accept with the token alone",
    "Sign in, then accept without `name` and `password`.",
  ),
  address_confirmed_already: entry(409, "your address is already confirmed", "No action needed."),
  already_member: entry(
    409,
    "this person is already a member of the workspace",
    "Change the member's role instead.",
  ),
  already_invited: entry(
    409,
    "this address already has an invitation: resend it, or withdraw it first",
    "Resend the invitation, or withdraw it first.",
  ),
  too_many_access_tokens: entry(
    409,
    "you have {max} access tokens: end one first",
    "End an access token that is no longer used.",
  ),
  last_owner: entry(409, "cannot remove the last owner", "Make another member an owner first."),
  workspace_not_empty: entry(
    409,
    "workspace still has projects",
    "Delete the projects of the workspace first.",
  ),
  invitation_over: entry(
    400,
    "this invitation is no longer valid: ask the workspace for a new one",
    "Ask the workspace for a new invitation.",
  ),
  link_over: entry(
    400,
    "this link is no longer valid: request a new one",
    "Request a new link: each works once and expires soon.",
  ),
  user_code_over: entry(
    400,
    "this code is unknown or no longer valid: start the login again",
    "Start the login again for a new code: each works once and expires after 10 minutes.",
  ),
  authorization_pending: entry(
    400,
    "authorization_pending",
    "The person has not decided yet: poll again after `interval` seconds.",
  ),
  slow_down: entry(400, "slow_down", "Poll 5 seconds less often from now on."),
  access_denied: entry(400, "access_denied", "The person declined the login."),
  expired_token: entry(
    400,
    "expired_token",
    "The device code is unknown, used or older than 10 minutes: start the login again.",
  ),
} as const;
