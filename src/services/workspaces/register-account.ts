import { sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { isNotNullViolation, isUniqueViolation } from "../../db/constraint-violation.ts";
import { refusal } from "../../errors.ts";
import { secretsEqual } from "../../lib/hash.ts";
import { hashPassword } from "../../lib/password-hash.ts";
import {
  insertUser,
  newSession,
  selectVerificationOf,
  type PublicUser,
} from "../accounts/index.ts";
import { takeMailTo } from "../limits/index.ts";
import { addServiceMail, wakeServiceMail } from "../service-mail/index.ts";
import { personalWorkspace } from "./new-workspace.ts";

export interface Registration {
  email: string;
  name: string;
  password: string;
  setupToken: string;
}

const isTaken = () => refusal("email_registered", {});

/**
 * Creates an account with its own workspace and logs it in; returns the token for the cookie.
 * Self-hosted: creates only the first account, and only with SETUP_TOKEN; otherwise throws
 * forbidden. Cloud: anyone may register. Only SETUP_TOKEN marks the address as verified. Other
 * users are sent a confirmation mail if the service has a sender. Throws 409 for an email with an
 * account.
 */
export async function registerAccount(
  ctx: Ctx,
  input: Registration,
): Promise<{ user: PublicUser; token: string }> {
  const { deps } = ctx;
  const { deploymentMode, setupToken } = deps.config;
  const firstOnly = deploymentMode === "self_hosted";
  if (firstOnly) requireSetupToken(setupToken, input.setupToken);
  // Only the operator has the token, which vouches for the address.
  const isOperator = setupToken !== "" && secretsEqual(setupToken, input.setupToken);
  // Before the hash and the mail limit, which a rejected registration must not use up.
  if (!firstOnly && (await selectVerificationOf(deps.db, input.email)).length > 0) throw isTaken();
  const now = deps.now();
  const user = { id: deps.newId(), email: input.email, name: input.name };
  const passwordHash = await hashPassword(input.password);
  const session = newSession(ctx, { id: user.id, passwordHash });
  // The check is part of the SQL: of two concurrent first registrations, one finds a user and fails
  // as a whole.
  const id = firstOnly ? sql<string>`iif(exists (select 1 from users), null, ${user.id})` : user.id;
  const mayMail = !isOperator && (await takeMailTo(ctx, "confirm", user.email)).allowed;
  const confirmation = mayMail
    ? addServiceMail(deps, "confirm", { to: user.email, userId: user.id })
    : undefined;
  try {
    await runBatch(deps.db, [
      insertUser(deps.db, {
        ...user,
        id,
        passwordHash,
        createdAt: now,
        updatedAt: now,
        verifiedAt: isOperator ? now : null,
      }),
      ...personalWorkspace(ctx, user),
      session.statement,
      ...(confirmation ? [confirmation.statement] : []),
    ]);
  } catch (error) {
    if (isNotNullViolation(error, "users.id")) throw refusal("registration_closed", {});
    if (isUniqueViolation(error, "users.email")) throw isTaken();
    throw error;
  }
  if (confirmation) deps.waitUntil(wakeServiceMail(deps));
  return { user, token: session.token };
}

function requireSetupToken(expected: string, given: string): void {
  if (expected === "") throw refusal("setup_token_unset", {});
  if (!secretsEqual(expected, given)) throw refusal("wrong_setup_token", {});
}
