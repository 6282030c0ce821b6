/*
 * Promises of the routes of the cookie surface. The table of all routes must declare the rules of
 * the contract for each route, so a new route fails here until the contract lists it; the checks
 * behind the rules, which the routes share, are tried on one route of each group that has them.
 */
import { env, evictDurableObject, runInDurableObject } from "cloudflare:test";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { ROLES } from "../../src/db/schema/index.ts";
import { HOLDERS } from "../support/capability-matrix.ts";
import type { Route } from "../../src/http/route/declaration.ts";
import { ALL_ROUTES, API_ROUTES } from "../../src/http/routes.ts";
import { createServer } from "../../src/http/server.ts";
import { capabilitiesOf } from "../../src/services/access/index.ts";
import { testLicense } from "../support/license.ts";
import { LICENSED } from "../support/licensed-routes.ts";
import { CONTRACT, LARGE_BODIES, ONCE, RATES } from "../support/route-contract.ts";
import { createService, unique, type Answer, type Client } from "../support/service.ts";
import { refusal } from "../support/refusals.ts";

type Role = (typeof ROLES)[number];

/** Routes of the server outside every table: the public surface, which has tests of its own. */
const OUTSIDE_THE_TABLE = [
  /^GET \/health$/,
  /^GET \/t\//,
  /^GET \/c\//,
  /^GET \/images\//,
  /^GET \/archive\//,
  /^(?:GET|POST) \/(?:unsubscribe|preferences|confirm|view|f)\//,
  /^[A-Z]+ \/(?:resend|hooks)\//,
];

/** The credentials that a route takes, as its 401 names them. */
const wantedBy = ({ auth, reach }: Route) => {
  if (auth === "cookie_or_key") return `a project key (sk_), ${PERSON}`;
  return reach === "session" ? "a login session" : PERSON;
};
const PERSON = "an access token (pat_) or a login session";
const MALFORMED = '{"name": ';
/**
 * Invalid JSON, longer than the part of a body that is read before its caller is known (64 KiB).
 */
const LARGE = `{"name": ${"[".repeat(70_000)}`;
/** Stands for a body that is longer than any route accepts. */
const OVERSIZE = Symbol("oversize");
const MEBIBYTE = new Uint8Array(1_048_576).fill(0x20);

/** A body of 17 MiB, made while it is read: the import accepts 16. */
function oversize(): ReadableStream {
  let left = 17;
  return new ReadableStream({
    pull(controller) {
      if (left-- > 0) controller.enqueue(MEBIBYTE);
      else controller.close();
    },
  });
}

const service = createService(await testLicense("team"));
const nameOf = ({ method, path }: { method: string; path: string }) =>
  `${method} ${path.replaceAll(/:\w+(?:\{[^}]*\})?/g, ":x")}`;
const hasBody = ({ method }: Route) => /^(?:POST|PUT|PATCH)$/.test(method);

const isPublic = ({ auth }: Route) => auth === "public";
const closed = API_ROUTES.filter((route) => !isPublic(route));
/** Routes of one project or workspace. */
const ofPlaces = API_ROUTES.filter(({ capability }) => capability !== undefined);
const isForKeys = ({ auth }: Route) => auth === "cookie_or_key";
const forKeys = ofPlaces.filter(isForKeys);
const forCookies = ofPlaces.filter(({ auth }) => auth === "cookie" || auth === "workspace");

/** Accepted callers and the required capability, in the notation of the contract. */
function ruleOf({ auth, capability, selfParam, reach }: Route): string {
  if (capability === undefined) return reach === undefined ? auth : `${auth} ${reach}`;
  return `${auth} ${capability}${selfParam === undefined ? "" : " or self"}`;
}

const limitsOf = ({ limit, maxBytes, license, takesIdempotencyKey }: Route) => ({
  limit,
  maxBytes,
  license,
  isOnce: takesIdempotencyKey === true,
});

/** The routes that the same code lets in: those with and without a body of each kind of caller. */
const wayOf = (route: Route) =>
  `${route.auth} ${route.reach ?? ""} ${hasBody(route) ? "with a body" : "without a body"}`;

/** Returns one route of each group, after the group's and its own name. */
function eachOf(routes: Route[], groupOf: (route: Route) => string): [string, string, Route][] {
  const first = new Map(routes.toReversed().map((route) => [groupOf(route), route]));
  return [...first].map(([group, route]) => [group, nameOf(route), route]);
}

/** A project and its workspace for a call; a string is the id of both where neither exists. */
type Place = string | { id: string; workspaceId: string };

/** Path of the route within a project or workspace; the ids of things in it do not exist. */
function pathIn({ path, auth }: Route, place: Place): string {
  const { id, workspaceId } = typeof place === "string" ? { id: place, workspaceId: place } : place;
  return path
    .replace(":id", auth === "workspace" ? workspaceId : id)
    .replaceAll(/:\w+/g, () => crypto.randomUUID());
}

/** Calls a route, with invalid JSON where it has a body: access is checked before the body. */
function call(
  client: Client,
  route: Route,
  place: Place,
  body: unknown = MALFORMED,
  headers: Record<string, string> = {},
) {
  const sent = body === OVERSIZE ? oversize() : body;
  const path = pathIn(route, place);
  return client.request(route.method, path, hasBody(route) ? sent : undefined, headers);
}

let owner: Client;
let foreigner: Client;
let project: { id: string; key: string; workspaceId: string };
let neighbour: { id: string; key: string };
const otherKeys = { pk: "", sdk: "" };
const members = new Map<Role, Client>();

/** Adds a person to a workspace. */
async function join(workspaceId: unknown, { email }: Client, role: Role): Promise<void> {
  await env.DB.prepare(
    "insert into workspace_members (workspace_id, user_id, role, joined_at) select ?, id, ?, 0 from users where email = ?",
  )
    .bind(workspaceId, role, email)
    .run();
}

/** A project and an empty workspace, in both of which the member has the role. */
async function newPlace(member: Client, role: Role): Promise<Place> {
  const { id } = await owner.newProject(); // in the workspace of all members
  const { body } = await owner.post("/workspaces", { name: "Place" });
  await join(body["id"], member, role);
  return { id, workspaceId: String(body["id"]) };
}

beforeAll(async () => {
  owner = await service.newOwner();
  foreigner = await service.newOwner();
  const { body } = await owner.get<{ workspaces: { id: string }[] }>("/auth/me");
  const workspaceId = body.workspaces[0]?.id ?? "";
  project = { ...(await owner.newProject()), workspaceId };
  neighbour = await owner.newProject();
  for (const type of ["pk", "sdk"] as const) {
    const { body: made } = await owner.post(`/projects/${project.id}/api-keys`, {
      name: type,
      type,
    });
    otherKeys[type] = String(made["key"]);
  }
  for (const role of ROLES) {
    const member = await service.newOwner();
    await join(workspaceId, member, role);
    members.set(role, member);
  }
});

describe("the table of all routes", () => {
  it("lists the kinds of caller and the capability of the contract for each route", () => {
    const served = API_ROUTES.map((route) => [nameOf(route), ruleOf(route)]);
    const promised = served.map(([name = ""]) => [name, CONTRACT[name]]);
    expect(served).toEqual(promised);
    expect(new Set(served.map(([name]) => name)).size).toBe(served.length);
  });

  it("serves every route of the contract", () => {
    const served = new Set(API_ROUTES.map(nameOf));
    const promised = [...Object.keys(CONTRACT), ...Object.keys(LICENSED)];
    expect(promised.filter((name) => !served.has(name))).toEqual([]);
  });

  it("lists every route of the server", () => {
    const listed = new Set(ALL_ROUTES.map(({ method, path }) => `${method} ${path}`));
    const unlisted = createServer(service.runtime)
      .routes.filter(({ method }) => method !== "ALL") // middleware
      .map(({ method, path }) => `${method} ${path}`)
      .filter((route) => !listed.has(route))
      .filter((route) => !OUTSIDE_THE_TABLE.some((pattern) => pattern.test(route)));
    expect(unlisted).toEqual([]);
  });

  it("lists the rate limit, the body limit, the license and the idempotency of the contract", () => {
    const served = API_ROUTES.map((route) => [nameOf(route), limitsOf(route)] as const);
    const promised = served.map(([name]) => [
      name,
      {
        limit: RATES[name],
        maxBytes: LARGE_BODIES[name] ?? (CONTRACT[name] === "public" ? 65_536 : 1_048_576),
        license: LICENSED[name],
        isOnce: ONCE.has(name),
      },
    ]);
    expect(served).toEqual(promised);
  });

  it("gives each role the capabilities of the matrix", () => {
    for (const role of ROLES) {
      const held = Object.keys(HOLDERS).filter((capability) => HOLDERS[capability]?.includes(role));
      expect(capabilitiesOf(role)).toEqual(held);
    }
  });

  it("answers 404 to other paths with the error envelope", async () => {
    for (const path of ["", "/", "/nothing", `/projects/${project.id}/nothing`])
      expect(await owner.get(path)).toEqual(refusal(404));
  });
});

describe.each(eachOf(closed, wayOf))("%s: %s", (_way, _name, route) => {
  it("answers 401 without a login before any other check", async () => {
    for (const place of [project, crypto.randomUUID()])
      for (const body of [MALFORMED, LARGE])
        expect(await call(service.anonymous, route, place, body)).toEqual(refusal(401));
  });

  it("says in the 401 which credentials it takes, and how to pass a key or token", async () => {
    const headers = [{}, { Authorization: project.key }, { "X-Api-Key": project.key }];
    const error =
      route.reach === "session"
        ? "a login session is required"
        : `authentication required: this endpoint takes ${wantedBy(route)}; send a key or token in the header \`Authorization: Bearer …\``;
    for (const one of headers)
      expect(await call(service.anonymous, route, project, MALFORMED, one)).toEqual(
        refusal(401, error),
      );
  });

  it("answers 401 to an invalid key and to an invalid cookie", async () => {
    for (const key of [
      "garbage",
      `sk_${"0".repeat(43)}`,
      `${project.key}0`,
      "sk_' or 1=1 --",
      "pat_0",
    ])
      expect(await call(service.withKey(key), route, project)).toEqual(refusal(401));
    const body = hasBody(route) ? MALFORMED : undefined;
    const headers = { Cookie: `__Host-session=${"0".repeat(43)}` };
    const path = pathIn(route, project);
    expect(await service.anonymous.request(route.method, path, body, headers)).toEqual(
      refusal(401),
    );
  });

  it("answers 403 to a pk_ key of the project and 401 to an sdk_ key, naming both kinds", async () => {
    const message = (kind: string) => ({
      error: `this is ${kind}: this endpoint needs ${wantedBy(route)}`,
    });
    expect(await call(service.withKey(otherKeys.pk), route, project)).toMatchObject({
      status: 403,
      body: message("a public key (pk_)"),
    });
    expect(await call(service.withKey(otherKeys.sdk), route, project)).toMatchObject({
      status: 401,
      body: message("a secret key (sdk_) of the key-based API"),
    });
  });
});

/** Routes with ids that this service made. */
const withIds = API_ROUTES.filter(({ path }) => /:(?!letterId)/.test(path));

describe.each(eachOf(withIds, wayOf))("%s: %s", (_way, _name, route) => {
  it("answers 400 to each malformed id in its path, and 401 before that to an anonymous caller", async () => {
    const spots = route.path.match(/:\w+/g) ?? [];
    for (const spot of spots)
      for (const malformed of ["1' or 1=1", "%00", "unknown"]) {
        const path = pathIn({ ...route, path: route.path.replace(spot, malformed) }, project);
        const body = hasBody(route) ? MALFORMED : undefined;
        const { status, body: answer } = await owner.request(route.method, path, body);
        expect([status, answer["error"]]).toEqual([400, `${spot.slice(1)}: is not an ID`]);
        const nobody = await service.anonymous.request(route.method, path, body);
        expect(nobody.status).toBe(isPublic(route) ? 400 : 401);
      }
  });
});

describe.each(eachOf(ofPlaces, wayOf))("%s: %s", (_way, _name, route) => {
  it("answers 404 to an unknown project or workspace, even with a body that is too large", async () => {
    for (const body of [MALFORMED, LARGE, OVERSIZE])
      expect(await call(owner, route, crypto.randomUUID(), body)).toEqual(refusal(404));
  });

  it("answers 403 to a user outside its workspace, and changes nothing", async () => {
    service.d1.reset();
    for (const body of [MALFORMED, LARGE])
      expect(await call(foreigner, route, project, body)).toEqual(refusal(403));
    expect(service.d1.rowsWritten).toBe(0);
  });
});

describe.each([...ROLES])("the role %s", (role) => {
  it("may call exactly the routes of its capabilities, with each authentication method", async () => {
    const member = members.get(role) ?? foreigner;
    for (const [rule, name, route] of eachOf(ofPlaces, ruleOf)) {
      const { capability = "" } = route;
      if (HOLDERS[capability]?.includes(role)) {
        // some of these calls succeed, a deletion among them
        const own = await newPlace(member, role);
        const { status } = await call(member, route, own, {});
        expect([rule, name, [200, 201, 202, 204, 400, 404, 409, 422].includes(status)]).toEqual([
          rule,
          name,
          true,
        ]);
        continue;
      }
      service.d1.reset();
      for (const body of [MALFORMED, LARGE]) {
        const answer = await call(member, route, project, body);
        expect([rule, answer]).toEqual([rule, refusal(403)]);
        expect(answer.body["error"]).toContain(capability);
      }
      expect(service.d1.rowsWritten).toBe(0);
    }
  });
});

const licensed = API_ROUTES.filter((route) => nameOf(route) in LICENSED);
const featureOf = (route: Route) => `${LICENSED[nameOf(route)]}`;

describe.each(eachOf(licensed, featureOf))("the license for %s, at %s", (feature, _name, route) => {
  const required = { status: 402, body: { error: `license required for ${feature}` } };

  /** Calls the same database through a deployment with another licence, or none. */
  function deployment(settings: Parameters<typeof createService>[0]) {
    const { anonymous } = createService(settings);
    return ({ cookie }: Pick<Client, "cookie">, place: Place, body: unknown = MALFORMED) =>
      call(anonymous, route, place, body, { Cookie: cookie });
  }

  it("is required with 402: after 401, before 404, 403, 413 and 400", async () => {
    const ask = deployment({});
    const viewer = members.get("viewer") ?? foreigner;
    for (const client of [owner, foreigner, viewer])
      for (const place of [project, crypto.randomUUID()])
        expect(await ask(client, place)).toMatchObject(required);
    for (const body of [LARGE, OVERSIZE])
      expect(await ask(owner, project, body)).toMatchObject(required);
    for (const cookie of ["", `__Host-session=${"0".repeat(43)}`])
      expect(await ask({ cookie }, project)).toEqual(refusal(401));
  });

  it("expires, and requires the Team tier only where documented", async () => {
    const expired = deployment(await testLicense("team", { exp: 1_700_000_001 }));
    expect(await expired(owner, project)).toMatchObject(required);
    const pro = deployment(await testLicense("pro"));
    const answer = await pro(owner, crypto.randomUUID());
    if (feature === "workspace members") expect(answer).toMatchObject(required);
    else expect(answer).toEqual(refusal(404));
    const team = deployment(await testLicense("team"));
    expect(await team(owner, crypto.randomUUID())).toEqual(refusal(404));
  });
});

describe("a project key", () => {
  it.each(eachOf(forCookies, wayOf))(
    "gets 401 on a route that accepts only sessions, even in its own project: %s: %s",
    async (_way, _name, route) => {
      const answer = await call(service.withKey(project.key), route, project);
      const error = `this is a project key (sk_): this endpoint needs ${PERSON}`;
      expect(answer).toMatchObject({ status: 401, body: { error } });
    },
  );

  it.each(eachOf(forKeys, wayOf))(
    "gives access to its own project, and to no other of the same owner: %s: %s",
    async (_way, _name, route) => {
      const body = hasBody(route) ? [] : undefined;
      const taken = await call(service.withKey(project.key), route, project.id, body);
      expect([200, 202, 204, 400, 404]).toContain(taken.status);
      expect(await call(service.withKey(neighbour.key), route, project.id)).toEqual(refusal(403));
      const key = service.withKey(project.key);
      expect(await call(key, route, crypto.randomUUID())).toEqual(refusal(404));
    },
  );
});

const withBodies = API_ROUTES.filter(({ body }) => body !== undefined);
/** The routes that read a body in the same way, up to the same size. */
const readerOf = ({ auth, maxBytes, bodyTypes }: Route) =>
  `${auth}, ${maxBytes} bytes of ${["JSON", ...Object.keys(bodyTypes ?? {})].join(", ")}`;

describe.each(eachOf(withBodies, readerOf))("%s: %s", (_reader, _name, route) => {
  it("answers 400 to a body that is not JSON, and 413 to one over its limit", async () => {
    const own = { ...project, ...(await owner.newProject()) }; // with a rate limit of its own
    for (const body of [MALFORMED, "name=x", "\u0000", ...(isPublic(route) ? [] : [LARGE])])
      expect(await call(owner, route, own, body)).toEqual(refusal(400));
    expect(await call(owner, route, own, OVERSIZE)).toEqual(refusal(413));
  });
});

/** The reads, without the export of a project, which is audited (project-transfer/export.test.ts). */
const READS = API_ROUTES.filter(
  ({ method, operation }) => method === "GET" && operation !== "projects.export",
);

describe("a read", () => {
  it("answers HEAD like GET, without a body, and writes nothing for either", async () => {
    await owner.get(`/projects/${project.id}/bounce-webhook`); // the first one makes its token
    for (const route of READS) {
      const path = pathIn(route, project);
      service.d1.reset();
      const get = await owner.request("GET", path);
      const response = await service.fetch(`/api/v1${path}`, {
        method: "HEAD",
        headers: { Cookie: owner.cookie },
      });
      const { rowsWritten } = service.d1;
      const answered = [nameOf(route), response.status, await response.text(), rowsWritten];
      expect(answered).toEqual([nameOf(route), get.status, "", 0]);
    }
  });
});

describe("the rate limit of a project", () => {
  const sendPath = (id: string) => `/projects/${id}/send`;
  const limiterOf = (id: string) => env.PROJECT_SENDER.get(env.PROJECT_SENDER.idFromName(id));
  const statusCounts = (answers: Answer[]) => {
    const counts: Record<number, number> = {};
    for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  };
  const hits = (client: Client, path: string, times: number, body: unknown = {}) =>
    Promise.all(Array.from({ length: times }, () => client.post(path, body)));

  it("allows exactly 60 of 70 simultaneous sends and reports how many are left", async () => {
    const { id } = await owner.newProject();
    // the passed ones are refused for their empty bodies
    const answers = await hits(owner, sendPath(id), 70);
    expect(statusCounts(answers)).toEqual({ 400: 60, 429: 10 });
    const passed = answers.filter(({ status }) => status === 400);
    const remaining = passed.map(({ headers }) => Number(headers.get("RateLimit-Remaining")));
    expect(remaining.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, n) => n));
    for (const { status, headers, body } of answers) {
      expect(headers.get("RateLimit-Limit")).toBe("60");
      expect(headers.get("RateLimit-Reset")).toMatch(/^(?:[1-5]?\d|60)$/);
      if (status !== 429) continue;
      expect(headers.get("RateLimit-Remaining")).toBe("0");
      expect(headers.get("Retry-After")).toMatch(/^(?:[1-9]|[1-5]\d|60)$/);
      expect(body).toMatchObject({ error: expect.stringContaining("60") });
    }
  });

  it("is checked after 403 and before 400 and 413", async () => {
    const { id, key } = await owner.newProject();
    await hits(owner, sendPath(id), 60);
    expect(await foreigner.post(sendPath(id), {})).toEqual(refusal(403));
    expect(await members.get("viewer")?.post(sendPath(id), {})).toEqual(refusal(403));
    expect(await service.withKey(neighbour.key).post(sendPath(id), {})).toEqual(refusal(403));
    for (const client of [owner, service.withKey(key)])
      for (const body of [{}, MALFORMED, LARGE, oversize()])
        expect(await client.post(sendPath(id), body)).toEqual(refusal(429));
  });

  it("is per project, with a separate limit for batches: 20 a minute", async () => {
    const { id } = await owner.newProject();
    expect(statusCounts(await hits(owner, `${sendPath(id)}/batch`, 25))).toEqual({
      400: 20,
      429: 5,
    });
    expect((await owner.post(sendPath(id), {})).status).toBe(400);
    expect((await owner.post(`${sendPath(neighbour.id)}/batch`, {})).status).toBe(400);
  });

  it("is overridden by a key's own limit", async () => {
    const { id, key } = await owner.newProject();
    const created = await owner.post(`/projects/${id}/api-keys`, {
      name: "Slow",
      rate_limit_per_minute: 3,
    });
    const slow = service.withKey(String(created.body["key"]));
    const answers = await hits(slow, sendPath(id), 5);
    expect(statusCounts(answers)).toEqual({ 400: 3, 429: 2 });
    expect(answers[0]?.headers.get("RateLimit-Limit")).toBe("3");
    const next = await service.withKey(key).post(sendPath(id), {});
    expect([next.status, next.headers.get("RateLimit-Remaining")]).toEqual([400, "59"]);
  });

  it("frees capacity for each hit that is a minute old, and does not count refused ones", async () => {
    const { id } = await owner.newProject();
    await hits(owner, sendPath(id), 70);
    await runInDurableObject(limiterOf(id), (_limiter, { storage: { sql } }) => {
      const [row] = sql.exec<{ slots: string }>("select slots from windows").toArray();
      const [lastMs = 0] = JSON.parse(row?.slots ?? "").at(-1);
      const slots = JSON.stringify([
        [lastMs - 60_000, 2],
        [lastMs, 58],
      ]);
      sql.exec("update windows set slots = ?", slots);
    });
    await evictDurableObject(limiterOf(id)); // only stored counts survive
    expect(statusCounts(await hits(owner, sendPath(id), 5))).toEqual({ 400: 2, 429: 3 });
  });

  it("survives the eviction of its Durable Object", async () => {
    const { id } = await owner.newProject();
    await hits(owner, sendPath(id), 60);
    await evictDurableObject(limiterOf(id));
    expect((await owner.post(sendPath(id), {})).status).toBe(429);
  });

  it("writes one row for a hit, none for a refused one, and one to remove an idle bucket", async () => {
    const limiter = limiterOf(unique("limiter"));
    const take = (bucket: string, limit = { limit: 2, windowMs: 60_000 }) =>
      runInDurableObject(limiter, async (object, { storage: { sql } }) => {
        const exec = vi.spyOn(sql, "exec");
        const { allowed } = object.take(bucket, limit);
        const cursors = exec.mock.results.map(({ value }) => value as SqlStorageCursor<never>);
        exec.mockRestore();
        const written = cursors.reduce((sum, { rowsWritten }) => sum + rowsWritten, 0);
        const read = cursors.reduce((sum, { rowsRead }) => sum + rowsRead, 0);
        return { allowed, written, read };
      });
    expect(await take("send")).toMatchObject({ allowed: true, written: 1 });
    expect(await take("send")).toEqual({ allowed: true, written: 1, read: 0 });
    expect(await take("send")).toEqual({ allowed: false, written: 0, read: 0 });
    expect(await take("idle", { limit: 1, windowMs: 0 })).toMatchObject({ written: 1 });
    await evictDurableObject(limiter); // it removes idle buckets when it wakes, and each minute
    expect(await take("batch")).toMatchObject({ allowed: true, written: 1 + 1 });
    await runInDurableObject(limiter, (_object, { storage: { sql } }) => {
      const rows = sql.exec("select bucket from windows").toArray();
      expect(rows).toEqual([{ bucket: "batch" }, { bucket: "send" }]);
    });
  });

  it("counts exactly for a key at its limit of 10,000 a minute", async () => {
    const now = Date.now();
    await runInDurableObject(limiterOf(unique("limiter")), (object, { storage: { sql } }) => {
      const slots = Array.from({ length: 600 }, (_, n) => [now - 59_000 + n * 90, 16]);
      sql.exec("insert into windows values ('send', ?, ?)", JSON.stringify(slots), now + 60_000);
      const limit = { limit: 10_000, windowMs: 120_000 };
      for (let hit = 0; hit < 400; hit++)
        expect(object.take("send", limit)).toMatchObject({ allowed: true });
      expect(object.take("send", limit)).toMatchObject({ allowed: false });
    });
  });

  it("answers 503 to every call if the limiter is unreachable", async () => {
    const down = { take: () => Promise.reject(new Error("the object is overloaded")) };
    const limiter = { idFromName: (name: string) => name, get: () => down };
    const broken = createService({
      PROJECT_SENDER: limiter as unknown as typeof env.PROJECT_SENDER,
    });
    const key = broken.withKey(project.key);
    for (const path of [sendPath(project.id), `${sendPath(project.id)}/batch`])
      expect(await key.post(path, {})).toEqual(refusal(503));
    expect((await owner.get(`/projects/${project.id}/logs`)).body).toMatchObject({ total: 0 });
  });
});
