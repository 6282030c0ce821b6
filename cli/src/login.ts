import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { createClient, PostriderError } from "../../client/src/index.ts";
import { Failure, UsageError } from "./failure.ts";
import { note, print } from "./output.ts";
import {
  forgetCredentials,
  originOf,
  projectOf,
  readCredentials,
  storeCredentials,
  type Credentials,
} from "./session.ts";

interface LoginOptions {
  url?: string | undefined;
  project?: string | undefined;
  json: boolean;
}

/** Logs in by a code that the person confirms in the dashboard, and stores the access token. */
export async function logIn({ url, project, json }: LoginOptions): Promise<void> {
  const before = readCredentials();
  const given = url ?? process.env["POSTRIDER_URL"] ?? before?.url;
  if (given === undefined) throw new UsageError("login needs --url https://mail.example.com");
  const baseUrl = originOf(given);
  const { auth } = createClient({ baseUrl });
  const begun = await auth.device.begin({ body: { name: `CLI on ${hostname()}`.slice(0, 100) } });
  note(`Open ${begun.verification_uri_complete}\nand confirm the code ${begun.user_code}`);
  const token = await waitForToken(auth.device.poll, begun);
  const client = createClient({ baseUrl, token });
  const login = { url: baseUrl, token };
  storeCredentials(login);
  if (before) await endFormer(before);
  const { user } = await client.auth.me();
  if (project !== undefined) {
    const id = await projectOf({ ...login, client }, project);
    storeCredentials({ ...login, project: id });
  }
  print(json, { url: baseUrl, email: user.email }, `Logged in to ${baseUrl} as ${user.email}.`);
}

type Device = ReturnType<typeof createClient>["auth"]["device"];

/** Polls until the person has decided (RFC 8628 §3.5). A lost connection is a poll without answer. */
async function waitForToken(
  poll: Device["poll"],
  { device_code, interval }: Awaited<ReturnType<Device["begin"]>>,
): Promise<string> {
  for (let seconds = interval; ;) {
    await delay(seconds * 1_000);
    try {
      return (await poll({ body: { device_code } })).access_token;
    } catch (error) {
      if (!(error instanceof PostriderError)) throw error;
      if (error.code === "access_denied") throw new Failure("the login was declined", error.code);
      if (error.code === "expired_token") throw new Failure("the code has expired", error.code);
      if (error.code === "slow_down") seconds += 5;
      else if (error.code !== "authorization_pending" && error.code !== "network") throw error;
    }
  }
}

/** Ends the access token and forgets it. */
export async function logOut({ json }: { json: boolean }): Promise<void> {
  const stored = readCredentials();
  if (stored) await endToken(stored);
  forgetCredentials();
  print(json, { logged_out: stored !== undefined }, stored ? "Logged out." : "You are logged out.");
}

/** Ends the access token of the login before; a service that is gone does not stop the new one. */
async function endFormer(before: Credentials): Promise<void> {
  try {
    await endToken(before);
  } catch (error) {
    if (!(error instanceof PostriderError)) throw error;
    note(`Your access token at ${before.url} was not ended: ${error.message}`);
  }
}

/** Ends an access token, unless it has ended already. */
async function endToken({ url, token }: Credentials): Promise<void> {
  try {
    await createClient({ baseUrl: originOf(url), token }).auth.logout();
  } catch (error) {
    if (!(error instanceof PostriderError) || error.status !== 401) throw error;
  }
}
