import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { createClient, type TokenClient } from "../../client/src/index.ts";
import { Failure, UsageError } from "./failure.ts";

/** A login, as it is stored. */
export interface Credentials {
  url: string;
  token: string;
  /** The name or id of the project that commands use by default. */
  project?: string;
}

const credentialsFile = () =>
  join(
    process.env["XDG_CONFIG_HOME"] || join(homedir(), ".config"),
    "postrider",
    "credentials.json",
  );

/** Reads the stored login, if there is one. */
export function readCredentials(): Credentials | undefined {
  const file = credentialsFile();
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Credentials;
  } catch (error) {
    if (error instanceof SyntaxError) throw new Failure(`${file} is damaged: log in again`);
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Stores the login for this user alone, whole or not at all. */
export function storeCredentials(credentials: Credentials): void {
  const file = credentialsFile();
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600, flag: "wx" });
  renameSync(draft, file);
}

export const forgetCredentials = (): void => rmSync(credentialsFile(), { force: true });

/** Returns the origin of a service. Throws for plain HTTP to another machine. */
export function originOf(text: string): string {
  const whole = text.includes("://") ? text : `https://${text}`;
  const url = URL.canParse(whole) ? new URL(whole) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw new UsageError(`"${text}" is no URL`);
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  if (url.protocol === "http:" && !isLocal)
    throw new UsageError(`${url.origin} would get your credentials unencrypted: use https://`);
  return url.origin;
}

export interface Session extends Credentials {
  client: TokenClient;
}

/** Opens the service with the credentials of the environment or of the login. */
export function openSession(): Session {
  const env = process.env;
  const { POSTRIDER_URL: url = "", POSTRIDER_TOKEN: token = "" } = env;
  if (token !== "" && url === "") throw new UsageError("set POSTRIDER_URL with POSTRIDER_TOKEN");
  const stored = token === "" ? readCredentials() : { url, token };
  if (!stored) throw new Failure("you are not logged in: run `postrider login`", "not_logged_in");
  if (url !== "" && originOf(url) !== originOf(stored.url))
    throw new Failure(`you are logged in to ${stored.url}, not ${url}`, "not_logged_in");
  const project = env["POSTRIDER_PROJECT"] || stored.project;
  const baseUrl = originOf(stored.url);
  return {
    url: baseUrl,
    token: stored.token,
    ...(project === undefined ? {} : { project }),
    client: createClient({ baseUrl, token: stored.token }),
  };
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns the id of the project to use: the given one, the default, or the only one. */
export async function projectOf(
  { client, project }: Session,
  given: string | undefined,
): Promise<string> {
  const wanted = given ?? project;
  if (wanted !== undefined && ID.test(wanted)) return wanted;
  const projects = await client.projects.list({ scope: "all" });
  const found = projects.filter(({ name }) => wanted === undefined || name === wanted);
  const [only] = found;
  if (only && found.length === 1) return only.id;
  const names = projects.map(({ id, name }) => `  ${id}  ${name}`).join("\n");
  const problem = wanted === undefined ? "choose a project" : `"${wanted}" is not one project`;
  throw new Failure(`${problem}, with --project or POSTRIDER_PROJECT:\n${names}`, "no_project");
}
