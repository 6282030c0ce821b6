import { randomBytes } from "node:crypto";
import { OperatorError } from "../command-line.ts";
import { readMemory, remember } from "./memory.ts";
import { createServiceClient, describeRefusal, type ServiceClient } from "./service-client.ts";

/** The owner's verified login, or the reason for its refusal. */
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
 * Logs in as the owner and creates the first account if there is none. It generates a password
 * unless one is given. Throws OperatorError when the service refuses a new account's email or
 * password.
 */
export async function openFirstAccount(options: {
  address: string;
  stateDir: string;
  setupToken: string;
  ownerEmail: string | undefined;
  ownerPassword: string | undefined;
}): Promise<OwnerLogin> {
  const { address, stateDir, setupToken } = options;
  const owner = chooseCredentials(options);
  const call = createServiceClient(address);
  const known = await logIn(call, owner);
  if (known.outcome === "logged_in") {
    // Belongs to the stored password: a given one logs in as anybody.
    if (!options.ownerPassword) remember(stateDir, { ownerEmail: owner.email });
    return known;
  }

  // Stores the password first: an interrupted start must not lose a generated one. The email comes
  // when it has an account: the next start must not use a mistyped one.
  if (!options.ownerPassword) remember(stateDir, { madeUpPassword: owner.password });
  const account = { ...owner, name: "Owner", setup_token: setupToken };
  const created = await call("POST", "/api/v1/auth/register", account);
  // 403 and 409: accounts exist already, and this login belongs to none of them.
  if (created.status === 403 || created.status === 409) return known;
  if (created.status >= 300) {
    throw new OperatorError(`the service refused the first account: ${describeRefusal(created)}`);
  }
  remember(stateDir, { ownerEmail: owner.email });
  return logIn(call, owner);
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
