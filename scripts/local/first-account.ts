import { randomBytes } from "node:crypto";
import { OperatorError } from "../command-line.ts";
import { readMemory, remember } from "./memory.ts";
import { createServiceClient, describeRefusal, type ServiceClient } from "./service-client.ts";

/** The owner's verified login, or the reason it was rejected. */
export type OwnerLogin =
  | { outcome: "logged_in"; email: string; password: string; sessionCookie: string }
  | { outcome: "refused"; email: string; reason: string };

interface Credentials {
  email: string;
  password: string;
}

const DEFAULT_OWNER_EMAIL = "owner@example.com";
const MADE_UP_PASSWORD_BYTES = 15;

/**
 * Logs in as the owner, and creates the first account if there is none. Generates a password unless
 * one is given. Throws OperatorError if the service rejects the email or password of a new account.
 */
export async function openFirstAccount(options: {
  address: string;
  stateDir: string;
  setupToken: string;
  ownerEmail: string | undefined;
  ownerPassword: string | undefined;
}): Promise<OwnerLogin> {
  const { address, stateDir, setupToken } = options;
  const call = createServiceClient(address);
  await noteTriedOwner(call, options);
  const owner = chooseCredentials(options);
  const known = await logIn(call, owner);
  if (known.outcome === "logged_in") {
    // Only for the stored password: a given one may belong to any account.
    if (!options.ownerPassword) remember(stateDir, { ownerEmail: owner.email });
    return known;
  }

  // Stores the password first, so that an interrupted start does not lose a generated one. The
  // email becomes the owner's once it has an account, so that the next start does not use a
  // mistyped one.
  const madeUp = options.ownerPassword ? {} : { madeUpPassword: owner.password };
  remember(stateDir, { ...madeUp, triedEmail: owner.email });
  const account = { ...owner, name: "Owner", setup_token: setupToken };
  const created = await call("POST", "/api/v1/auth/register", account);
  const isMade = created.status < 300;
  remember(stateDir, { triedEmail: undefined, ...(isMade ? { ownerEmail: owner.email } : {}) });
  // 403 and 409: accounts already exist, and this login belongs to none of them.
  if (created.status === 403 || created.status === 409) return known;
  if (!isMade) {
    throw new OperatorError(`the service refused the first account: ${describeRefusal(created)}`);
  }
  return logIn(call, owner);
}

/** Records the owner whose account an interrupted start created. */
async function noteTriedOwner(
  call: ServiceClient,
  { stateDir, ownerPassword }: { stateDir: string; ownerPassword: string | undefined },
): Promise<void> {
  const { ownerEmail, triedEmail, madeUpPassword } = readMemory(stateDir);
  const password = ownerPassword ?? madeUpPassword;
  if (ownerEmail || !triedEmail || !password) return;
  const { outcome } = await logIn(call, { email: triedEmail, password });
  if (outcome === "logged_in") remember(stateDir, { ownerEmail: triedEmail });
}

function chooseCredentials(options: {
  stateDir: string;
  ownerEmail: string | undefined;
  ownerPassword: string | undefined;
}): Credentials {
  const memory = readMemory(options.stateDir);
  return {
    email: options.ownerEmail ?? memory.ownerEmail ?? DEFAULT_OWNER_EMAIL,
    password:
      options.ownerPassword ??
      memory.madeUpPassword ??
      randomBytes(MADE_UP_PASSWORD_BYTES).toString("base64url"),
  };
}

async function logIn(call: ServiceClient, { email, password }: Credentials): Promise<OwnerLogin> {
  const answer = await call("POST", "/api/v1/auth/login", { email, password });
  const { sessionCookie } = answer;
  return answer.status === 200 && sessionCookie
    ? { outcome: "logged_in", email, password, sessionCookie }
    : { outcome: "refused", email, reason: describeRefusal(answer) };
}
