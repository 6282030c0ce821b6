/*
 * The whole service inside a test: real D1 with the real migrations, real sockets, no mocks.
 *
 *   const service = createService();
 *   const owner = await service.newOwner();
 *   const project = await owner.newProject({ smtpPort: ports.smtp });
 *   const answer = await owner.post(`/projects/${project.id}/send`, { to, subject, html_body });
 *
 * `service.d1` counts round trips and rows; `faults` makes the database fail at a chosen write.
 * Every JSON answer is held to the schema of its route (answers.ts).
 */
import { createExecutionContext, env, waitOnExecutionContext } from "cloudflare:test";
import { buildDeps, type Deps, type Runtime } from "../../src/deps.ts";
import type { Bindings } from "../../src/config.ts";
import { createServer } from "../../src/http/server.ts";
import { runtime as platform } from "../../src/runtime.ts";
import type { UserActor } from "../../src/services/access/index.ts";
import { requireKnownAnswer } from "./answers.ts";
import { countingD1, type D1Count } from "./counting-d1.ts";
import { newAccount } from "./new-account.ts";
import { storeProject, type ProjectOptions } from "./new-project.ts";
import { ports } from "./ports.ts";
import { objectsIn } from "./project-objects.ts";
import { TEST_SETTINGS } from "./settings.ts";

/** An answer with its body parsed. */
export interface Answer<T = Record<string, unknown>> {
  status: number;
  headers: Headers;
  body: T;
}

export interface Service {
  env: Bindings;
  d1: D1Count;
  runtime: Runtime;
  fetch: (path: string, init?: RequestInit) => Promise<Response>;
  deps: () => Promise<Deps>;
  newOwner: () => Promise<Client>;
  /** Client with this `Authorization`. */
  withKey: (key: string) => Client;
  anonymous: Client;
}

/** Sends JSON to `/api/v1` as one person or key. */
export interface Client {
  email: string;
  cookie: string;
  request: <T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<Answer<T>>;
  get: <T = Record<string, unknown>>(path: string) => Promise<Answer<T>>;
  post: <T = Record<string, unknown>>(
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<Answer<T>>;
  put: <T = Record<string, unknown>>(path: string, body: unknown) => Promise<Answer<T>>;
  delete: (path: string) => Promise<Answer>;
  /** Makes a project of the account. */
  newProject: (options?: ProjectOptions) => Promise<{ id: string; key: string }>;
}

/**
 * Makes a word that no other test uses, for addresses, names and keys. Files that run side by side
 * share the servers of global-setup.ts, so the word is random.
 */
export const unique = (word: string) =>
  `${word}-${crypto.randomUUID().replaceAll("-", "").slice(0, 12)}`;

export function createService(
  settings: Partial<Bindings> = {},
  runtime: Partial<Runtime> = {},
): Service {
  const d1 = countingD1(env.DB);
  const build = (): Promise<Deps> => buildDeps(bindings, () => undefined, world);
  const bindings: Bindings = {
    ...env,
    ...TEST_SETTINGS,
    DB: d1.database,
    PROJECT_SENDER: objectsIn(env.PROJECT_SENDER, build),
    ...settings,
  };
  const world: Runtime = { ...platform, ...runtime };
  const server = createServer(world);

  const fetch = async (path: string, init: RequestInit = {}) => {
    const context = createExecutionContext();
    const request = new Request(new URL(path, bindings.BASE_URL), { redirect: "manual", ...init });
    const response = await server.fetch(request, bindings, context);
    // a streamed answer ends before its work does
    const body = response.body && (await response.arrayBuffer());
    await waitOnExecutionContext(context);
    requireKnownAnswer(request, response, new TextDecoder().decode(body ?? new Uint8Array()));
    return new Response(body, response);
  };

  const service: Service = {
    env: bindings,
    d1,
    runtime: world,
    fetch,
    deps: build,
    anonymous: client(fetch, "", {}),
    withKey: (key) => client(fetch, "", { Authorization: `Bearer ${key}` }),
    newOwner: async () => {
      const email = `${unique("owner")}@people.test`;
      const { cookie, actor } = await newAccount(await build(), email);
      return client(fetch, email, { Cookie: cookie }, { build, actor });
    },
  };
  return service;
}

function client(
  fetch: Service["fetch"],
  email: string,
  identity: Record<string, string>,
  owner?: { build: () => Promise<Deps>; actor: UserActor },
): Client {
  const request: Client["request"] = async (method, path, body, headers = {}) => {
    const init: RequestInit = { method, headers: { ...identity, ...headers } };
    if (body !== undefined) {
      const isReady =
        typeof body === "string" || body instanceof ReadableStream || body instanceof Uint8Array;
      init.body = isReady ? body : JSON.stringify(body);
      init.headers = { "Content-Type": "application/json", ...identity, ...headers };
    }
    const response = await fetch(`/api/v1${path}`, init);
    const text = await response.text();
    const isFile = response.headers.get("Content-Type") === "application/gzip";
    const parsed = text === "" || isFile ? {} : JSON.parse(text);
    return { status: response.status, headers: response.headers, body: parsed };
  };
  const self: Client = {
    email,
    cookie: identity["Cookie"] ?? "",
    request,
    get: (path) => request("GET", path),
    post: (path, body, headers) => request("POST", path, body, headers),
    put: (path, body) => request("PUT", path, body),
    delete: (path) => request("DELETE", path),
    newProject: async (options) => {
      if (!owner) throw new Error("this client has no account of its own");
      return storeProject(await owner.build(), owner.actor, options);
    },
  };
  return self;
}

/** The settings of the capturing server with STARTTLS. */
export const CAPTURING = { smtpPort: ports.smtp };
