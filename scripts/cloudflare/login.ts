import { OperatorError } from "../command-line.ts";
import type { Environment } from "../local/settings.ts";
import {
  API_ADDRESS,
  openAccountApi,
  type AccountApi,
  type Credentials,
  type Fetch,
} from "./api.ts";
import { outputOf, type RunTool, type ToolRun } from "./run-tool.ts";

/** An account that the login can access. */
export interface Account {
  id: string;
  name: string;
}

/**
 * Opens the API of the chosen account with wrangler's login, and passes the same account to later
 * wrangler runs. Throws OperatorError.
 */
export async function logIn(
  { env, runWrangler, fetch }: { env: Environment; runWrangler: RunTool; fetch: Fetch },
  wish: string | undefined,
): Promise<{ account: Account; api: AccountApi }> {
  const account = chooseAccount(await readLogin(runWrangler), wish);
  const credentials = await readCredentials(runWrangler);
  env["CLOUDFLARE_ACCOUNT_ID"] = account.id;
  const address = env["CLOUDFLARE_API_BASE_URL"] || API_ADDRESS;
  const advice = adviceFor(env);
  const api = openAccountApi({ fetch, address, credentials, accountId: account.id, advice });
  return { account, api };
}

/** Returns proxy advice: wrangler uses a proxy automatically, but Node only if configured. */
function adviceFor(env: Environment): string {
  const isNamed = env["HTTPS_PROXY"] || env["https_proxy"];
  if (!isNamed || env["NODE_USE_ENV_PROXY"] === "1") return "";
  return "Behind a proxy, set NODE_USE_ENV_PROXY=1 besides HTTPS_PROXY";
}

/** Returns the accounts of wrangler's login. Throws OperatorError if no one is logged in. */
async function readLogin(runWrangler: RunTool): Promise<Account[]> {
  const run = await runWrangler(["whoami", "--json"]);
  const answer = parseObject(run.stdout);
  if (answer?.["loggedIn"] === false) {
    throw new OperatorError("not logged in: run `npx wrangler login`, then run this command again");
  }
  const accounts = answer?.["accounts"];
  if (run.status !== 0 || !Array.isArray(accounts)) throw unexpected("whoami", run);
  if (accounts.length === 0) {
    throw new OperatorError("this login has no access to an account: log in as a member of one");
  }
  return accounts.map(({ id, name }: Account) => ({ id, name }));
}

/** Selects the account by id or name; without a selection there must be exactly one. */
function chooseAccount(accounts: Account[], wish: string | undefined): Account {
  const fitting = wish ? accounts.filter(({ id, name }) => id === wish || name === wish) : accounts;
  const [only] = fitting;
  if (only && fitting.length === 1) return only;
  const known = accounts.map(({ id, name }) => `  ${id}  ${name}`).join("\n");
  throw new OperatorError(
    wish
      ? `this login has no access to account "${wish}", only to:\n${known}`
      : `this login has access to several accounts; choose one with --account ID:\n${known}`,
  );
}

/** Returns the credentials of wrangler's login, for calls to Cloudflare's API. */
async function readCredentials(runWrangler: RunTool): Promise<Credentials> {
  const run = await runWrangler(["auth", "token", "--json"]);
  const answer = parseObject(run.stdout) ?? {};
  const { type, token, key, email } = answer;
  if (run.status !== 0) throw unexpected("auth token", run);
  if ((type === "oauth" || type === "api_token") && typeof token === "string") {
    return { type, token };
  }
  if (type === "api_key" && typeof key === "string" && typeof email === "string") {
    return { type, key, email };
  }
  // The output may contain a token, so the message does not include it.
  throw new OperatorError("`wrangler auth token --json` printed no credentials of a known type");
}

function unexpected(command: string, run: ToolRun): OperatorError {
  return new OperatorError(`\`wrangler ${command}\` failed:\n${outputOf(run)}`);
}

/** Parses the JSON object in wrangler's output, ignoring surrounding lines. */
function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1)) as Record<
      string,
      unknown
    >;
  } catch {
    // No JSON: the caller reports the whole output.
    return undefined;
  }
}
