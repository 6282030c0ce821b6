/*
 * An account of its own for a test, without the hashing of a password: a hash costs 40 ms of CPU,
 * and the tests make some nine hundred accounts. The tests of registration register over HTTP.
 */
import { runBatch } from "../../src/db/client.ts";
import type { Ctx } from "../../src/context.ts";
import type { Deps } from "../../src/deps.ts";
import type { UserActor } from "../../src/services/access/index.ts";
import { insertUser, newSession } from "../../src/services/accounts/index.ts";
import { personalWorkspace } from "../../src/services/workspaces/new-workspace.ts";

/** Password of each account of the tests. */
export const PASSWORD = "correct horse";

/** That password as the service stores it, at the lowest cost: each login checks it. */
const PASSWORD_HASH =
  "scrypt$2$8$1$uL+NXB2fXc6HQfXSt5BfSQ==$h2ibZA8Nd15h0XFXNC2eTQNFNckTkePaYGg3Rr1vqbI=";

/** Name of the session cookie. */
const sessionName = ({ config }: Deps) =>
  config.baseUrl.startsWith("https:") ? "__Host-session" : "session";

/** Stores an account with a verified address, a workspace and a session. */
export async function newAccount(
  deps: Deps,
  email: string,
): Promise<{ cookie: string; actor: UserActor }> {
  const ctx: Ctx = {
    deps,
    actor: { kind: "anonymous" },
    requestId: deps.newId(),
    clientIp: "",
    userAgent: "",
  };
  const user = { id: deps.newId(), email, name: "Olive Owner" };
  const now = deps.now();
  const session = newSession(ctx, { id: user.id, passwordHash: PASSWORD_HASH });
  await runBatch(deps.db, [
    insertUser(deps.db, {
      ...user,
      passwordHash: PASSWORD_HASH,
      createdAt: now,
      updatedAt: now,
      verifiedAt: now,
    }),
    ...personalWorkspace(ctx, user),
    session.statement,
  ]);
  return {
    cookie: `${sessionName(deps)}=${session.token}`,
    actor: {
      kind: "user",
      userId: user.id,
      email,
      name: user.name,
      sessionHash: "",
      isProven: true,
    },
  };
}
