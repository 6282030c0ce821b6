import { env } from "cloudflare:test";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { runScheduled } from "../../../src/cron/run-scheduled.ts";
import { createServer } from "../../../src/http/server.ts";
import { capabilitiesOf } from "../../../src/services/access/index.ts";
import { createService, unique, type Client, type Service } from "../../support/service.ts";
import { TEST_SETTINGS } from "../../support/settings.ts";
import { DAY, EVERY_NIGHT, SECOND, standingClock } from "../../support/times.ts";

const PASSWORD = "correct horse";

const service = createService();

const newAccount = () => ({
  email: `${unique("person")}@people.test`,
  name: "Pia Person",
  password: PASSWORD,
});

/** A request that carries only this cookie. */
const withCookie = (of: Service, cookie: string) => ({
  me: () => of.anonymous.request("GET", "/auth/me", undefined, { Cookie: cookie }),
  request: (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    of.anonymous.request(method, path, body, { Cookie: cookie, ...headers }),
});

const cookieOf = (headers: Headers) => headers.get("Set-Cookie")?.split(";")[0] ?? "";

async function logIn(of: Service, email: string, password = PASSWORD) {
  const answer = await of.anonymous.post("/auth/login", { email, password });
  return { ...answer, cookie: cookieOf(answer.headers) };
}

const countOf = async (table: string) =>
  (await env.DB.prepare(`select count(*) as n from ${table}`).first<{ n: number }>())?.n;

describe("registration in self-hosted mode", () => {
  const selfHosted = createService({ DEPLOYMENT_MODE: "self_hosted" });
  const register = (setup_token?: string, of = selfHosted) =>
    of.anonymous.post("/auth/register", { ...newAccount(), setup_token });

  beforeEach(async () => {
    await env.DB.batch(
      ["users", "workspaces", "workspace_members", "sessions"].map((table) =>
        env.DB.prepare(`delete from ${table}`),
      ),
    );
  });

  it("creates the first account and its workspace with the setup token, and logs it in", async () => {
    const account = newAccount();
    const answer = await selfHosted.anonymous.post("/auth/register", {
      ...account,
      setup_token: TEST_SETTINGS.SETUP_TOKEN,
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      user: { id: expect.any(String), email: account.email, name: account.name },
    });
    const me = await withCookie(selfHosted, cookieOf(answer.headers)).me();
    expect(me.body).toEqual({
      license: { tier: null, features: ["analytics"], expires_at: null },
      user: { ...(answer.body["user"] as object), email_verified: true, created_by: null },
      workspaces: [
        {
          id: expect.any(String),
          name: "Pia Person's workspace",
          role: "owner",
          capabilities: capabilitiesOf("owner"),
        },
      ],
    });
  });

  it.each([undefined, "", "setup-token-of-the-test", `${TEST_SETTINGS.SETUP_TOKEN}s`])(
    "answers 403 to the setup token %j",
    async (token) => {
      expect(await register(token)).toMatchObject({
        status: 403,
        body: { error: expect.stringMatching(/./) },
      });
      expect(await countOf("users")).toBe(0);
    },
  );

  it.each([undefined, "", "anything"])(
    "answers 403 without a SETUP_TOKEN in the settings, to %j",
    async (token) => {
      const answer = await register(
        token,
        createService({ DEPLOYMENT_MODE: "self_hosted", SETUP_TOKEN: "" }),
      );
      expect(answer).toMatchObject({
        status: 403,
        body: { error: expect.stringMatching(/SETUP_TOKEN/) },
      });
    },
  );

  it("is closed to a second account, even with the token", async () => {
    expect(await register(TEST_SETTINGS.SETUP_TOKEN)).toMatchObject({ status: 201 });
    expect(await register(TEST_SETTINGS.SETUP_TOKEN)).toMatchObject({ status: 403 });
    expect([await countOf("users"), await countOf("workspaces")]).toEqual([1, 1]);
  });

  it("creates one account from four simultaneous first registrations, and nothing from the others", async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => register(TEST_SETTINGS.SETUP_TOKEN)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201, 403, 403, 403,
    ]);
    for (const table of ["users", "workspaces", "workspace_members", "sessions"])
      expect(await countOf(table)).toBe(1);
  });
});

describe("registration in cloud mode", () => {
  it("is open without a token", async () => {
    const answer = await service.anonymous.post("/auth/register", newAccount());
    expect(answer.status).toBe(201);
  });

  it("answers 409 to an email that has an account, in any spelling", async () => {
    const account = newAccount();
    await service.anonymous.post("/auth/register", account);
    const again = { ...account, email: ` ${account.email.toUpperCase()} ` };
    expect(await service.anonymous.post("/auth/register", again)).toMatchObject({
      status: 409,
      body: { error: "email already registered" },
    });
  });

  it.each([
    ["no email", { email: undefined }, "email"],
    ["an invalid email", { email: "pia" }, "email"],
    ["an empty name", { name: "  " }, "name"],
    ["a name with a line break", { name: "Pia\nPerson" }, "name"],
    ["a name with a bidirectional control", { name: "Pia \u202enosreP" }, "name"],
    ["a name without a visible character", { name: "\u200b\u3164\u2800" }, "name"],
    ["a name with half a character", { name: "Pia \ud83d" }, "name"],
    ["a password with half a character", { password: "correct horse \udc00" }, "password"],
    ["a password of 7 characters", { password: "1234567" }, "password"],
    ["one of the most common passwords", { password: "12345678" }, "password"],
    ["one of them in capitals", { password: "PassWord" }, "password"],
    ["a password of 1001 characters", { password: "x".repeat(1_001) }, "password"],
  ])("answers 400 and names the field for %s", async (_name, change, field) => {
    const answer = await service.anonymous.post("/auth/register", { ...newAccount(), ...change });
    expect(answer).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(`^${field}: `) },
    });
  });

  it("stores a password only as a salted hash", async () => {
    const accounts = [newAccount(), newAccount()];
    for (const account of accounts) await service.anonymous.post("/auth/register", account);
    const { results } = await env.DB.prepare(
      "select password_hash as hash from users where email in (?, ?)",
    )
      .bind(...accounts.map(({ email }) => email))
      .all<{ hash: string }>();
    expect(new Set(results.map(({ hash }) => hash)).size).toBe(2);
    for (const { hash } of results) expect(hash).toMatch(/^scrypt\$16384\$8\$1\$/);
  });
});

describe("login", () => {
  let email = "";
  beforeAll(async () => {
    const account = newAccount();
    await service.anonymous.post("/auth/register", account);
    email = account.email;
  });

  it("answers with the user and a session cookie", async () => {
    const { status, body, headers, cookie } = await logIn(service, email);
    expect(status).toBe(200);
    expect(body).toEqual({ user: { id: expect.any(String), email, name: "Pia Person" } });
    expect(cookie).toMatch(/^__Host-session=[0-9A-Za-z]{43}$/);
    const attributes = headers.get("Set-Cookie")?.split("; ").slice(1).toSorted();
    expect(attributes).toEqual(["HttpOnly", "Max-Age=2592000", "Path=/", "SameSite=Lax", "Secure"]);
    expect(await withCookie(service, cookie).me()).toMatchObject({ status: 200 });
  });

  it("sets a cookie without Secure and prefix if BASE_URL is http, and accepts it", async () => {
    const plain = createService({ BASE_URL: "http://127.0.0.1:8787" });
    const { headers, cookie } = await logIn(plain, email);
    expect(cookie).toMatch(/^session=[0-9A-Za-z]{43}$/);
    expect(await withCookie(plain, cookie).me()).toMatchObject({ status: 200 });
    expect(headers.get("Set-Cookie")).toContain("HttpOnly");
    expect(headers.get("Set-Cookie")).not.toContain("Secure");
  });

  it("accepts the email in any letter case and with surrounding whitespace", async () => {
    expect(await logIn(service, ` ${email.toUpperCase()}`)).toMatchObject({ status: 200 });
  });

  it("accepts an international address as it was typed at registration", async () => {
    const typed = `${unique("Jürgen")}@Bücher.example`;
    await service.anonymous.post("/auth/register", { ...newAccount(), email: typed });
    expect(await logIn(service, typed)).toMatchObject({ status: 200 });
  });

  it("responds identically to an unknown email and a wrong password, after the same work", async () => {
    const costs = [];
    const answers = [];
    for (const [who, password] of [
      [email, "wrong horse"],
      [`${unique("nobody")}@people.test`, PASSWORD],
      ["no address", PASSWORD],
    ] as const) {
      service.d1.reset();
      const { status, body, headers } = await logIn(service, who, password);
      answers.push({ status, body, cookie: headers.get("Set-Cookie") });
      costs.push([service.d1.roundTrips, service.d1.rowsWritten]);
    }
    expect(answers[0]).toMatchObject({
      status: 401,
      body: { error: "invalid email or password" },
      cookie: null,
    });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    for (const cost of costs) expect(cost).toEqual(costs[0]);
  });

  it("records success and failure in the audit trail with the caller's address and no password", async () => {
    await service.anonymous.post(
      "/auth/login",
      { email, password: "wrong horse" },
      {
        "CF-Connecting-IP": "203.0.113.9",
        "X-Forwarded-For": "198.51.100.1, 10.0.0.1",
        "User-Agent": "curl/8",
      },
    );
    const { id } = (await logIn(service, email)).body["user"] as { id: string };
    const { results } = await env.DB.prepare(
      "select action, target_id, user_id, metadata, ip_address, user_agent from audit_entries where scope_id = target_id and target_id = ? and action like 'user.%' order by created_at desc limit 2",
    )
      .bind(id)
      .all();
    expect(results.map(({ action }) => String(action)).toSorted()).toEqual([
      "user.login",
      "user.login_failed",
    ]);
    expect(results.find(({ action }) => action === "user.login_failed")).toEqual({
      action: "user.login_failed",
      target_id: id,
      user_id: id,
      metadata: "{}",
      ip_address: "203.0.113.9",
      user_agent: "curl/8",
    });
  });

  it("stores only the SHA-256 of the token", async () => {
    const { cookie } = await logIn(service, email);
    const token = cookie.slice("__Host-session=".length);
    const { results } = await env.DB.prepare("select * from sessions").all();
    expect(JSON.stringify(results)).not.toContain(token);
  });
});

describe("logout", () => {
  it("ends the session and clears the cookie", async () => {
    const owner = await service.newOwner();
    const { cookie } = await logIn(service, owner.email, PASSWORD);
    const session = withCookie(service, cookie);
    const answer = await session.request("POST", "/auth/logout");
    expect(answer.status).toBe(204);
    expect(answer.headers.get("Set-Cookie")).toMatch(/^__Host-session=; Max-Age=0; Path=\//);
    expect((await session.me()).status).toBe(401);
    expect((await owner.get("/auth/me")).status).toBe(200);
  });
});

describe("a password change", () => {
  const change = (of: Client, current_password: string, new_password: string) =>
    of.post("/auth/password", { current_password, new_password });

  it("ends every other session of the user and no session of other users", async () => {
    const owner = await service.newOwner();
    const stranger = await service.newOwner();
    const others = [await logIn(service, owner.email), await logIn(service, owner.email)];
    expect((await change(owner, PASSWORD, "better battery")).status).toBe(204);
    for (const { cookie } of others)
      expect((await withCookie(service, cookie).me()).status).toBe(401);
    expect((await owner.get("/auth/me")).status).toBe(200);
    expect((await stranger.get("/auth/me")).status).toBe(200);
    expect((await logIn(service, owner.email, PASSWORD)).status).toBe(401);
    expect((await logIn(service, owner.email, "better battery")).status).toBe(200);
  });

  it("answers 400 to a wrong current password or a short new one, and changes nothing", async () => {
    const owner = await service.newOwner();
    expect((await change(owner, "wrong horse", "better battery")).status).toBe(400);
    expect((await change(owner, PASSWORD, "short")).status).toBe(400);
    expect((await logIn(service, owner.email)).status).toBe(200);
  });
});

describe("a session", () => {
  const START = Date.UTC(2026, 9, 1);
  const clock = standingClock(START);
  const timed = createService({}, { now: () => clock.now });
  const expiryOf = async (email: string) =>
    (
      await env.DB.prepare(
        "select expires_at as at from sessions where user_id = (select id from users where email = ?)",
      )
        .bind(email)
        .first<{ at: number }>()
    )?.at;

  it("ends after seven days without use", async () => {
    const owner = await timed.newOwner();
    clock.now = START + 7 * DAY;
    expect(await owner.get("/auth/me")).toMatchObject({
      status: 401,
      body: { error: expect.stringMatching(/expired/) },
    });
  });

  it("is valid until the last millisecond of the seven days", async () => {
    const owner = await timed.newOwner();
    clock.now = START + 7 * DAY - 1;
    expect((await owner.get("/auth/me")).status).toBe(200);
  });

  it("is renewed when less than half remains, and costs at most one write an hour before that", async () => {
    const owner = await timed.newOwner();
    clock.now = START + 3.5 * DAY;
    await owner.get("/auth/me"); // records the last use
    timed.d1.reset();
    await owner.get("/auth/me");
    expect(timed.d1.rowsWritten).toBe(0);
    expect(await expiryOf(owner.email)).toBe(START + 7 * DAY);
    clock.now += SECOND;
    await owner.get("/auth/me");
    expect(await expiryOf(owner.email)).toBe(clock.now + 7 * DAY);
  });

  it("is renewed by its own requests and not by those of other sessions", async () => {
    const [busy, idle] = [await timed.newOwner(), await timed.newOwner()];
    clock.now = START + 6 * DAY;
    expect((await busy.get("/auth/me")).status).toBe(200);
    expect(await expiryOf(busy.email)).toBe(clock.now + 7 * DAY);
    expect(await expiryOf(idle.email)).toBe(START + 7 * DAY);
  });

  it("costs at most one write an hour in its last days as well", async () => {
    const owner = await timed.newOwner();
    for (let day = 6; day <= 30; day += 6) {
      clock.now = START + day * DAY - 2 * SECOND;
      await owner.get("/auth/me");
    }
    expect(await expiryOf(owner.email)).toBe(START + 30 * DAY);
    clock.now += SECOND;
    timed.d1.reset();
    expect((await owner.get("/auth/me")).status).toBe(200);
    expect(timed.d1.rowsWritten).toBe(0);
  });

  it("is renewed by the routes of a project as well", async () => {
    const owner = await timed.newOwner();
    const { id } = await owner.newProject();
    clock.now = START + 6 * DAY;
    expect((await owner.get(`/projects/${id}`)).status).toBe(200);
    expect(await expiryOf(owner.email)).toBe(clock.now + 7 * DAY);
  });

  it("ends after thirty days, regardless of use", async () => {
    const owner = await timed.newOwner();
    for (let day = 1; day < 30; day++) {
      clock.now = START + day * DAY;
      expect((await owner.get("/auth/me")).status).toBe(200);
    }
    clock.now = START + 30 * DAY - 1;
    expect((await owner.get("/auth/me")).status).toBe(200);
    clock.now = START + 30 * DAY;
    expect((await owner.get("/auth/me")).status).toBe(401);
    expect((await owner.get("/projects")).status).toBe(401);
  });

  it("is deleted in the night after it expires, and not before", async () => {
    const [gone, living] = [await timed.newOwner(), await timed.newOwner()];
    clock.now = START + 6 * DAY;
    await living.get("/auth/me");
    clock.now = START + 8 * DAY;
    await runScheduled(await timed.deps(), EVERY_NIGHT);
    expect(await expiryOf(gone.email)).toBeUndefined();
    expect(await expiryOf(living.email)).toBe(START + 13 * DAY);
  });

  it.each([
    "",
    "__Host-session=",
    "__Host-session=x",
    `__Host-session=${"A".repeat(43)}`,
    "__Host-session=%E0%A4%A",
    "other=1",
  ])("does not exist for the cookie %j", async (cookie) => {
    expect((await withCookie(service, cookie).me()).status).toBe(401);
  });
});

describe("the same-origin rule", () => {
  let owner: Client;
  beforeAll(async () => {
    owner = await service.newOwner();
  });
  const write = (headers: Record<string, string>, method = "POST") =>
    owner.request(method, "/projects", { name: "Made" }, headers);

  it.each([
    ["no Origin", {}],
    ["the service's own origin", { Origin: TEST_SETTINGS.BASE_URL }],
    ["a page of the service", { Origin: TEST_SETTINGS.BASE_URL, "Sec-Fetch-Site": "same-origin" }],
    ["a person typing the address", { "Sec-Fetch-Site": "none" }],
  ])("accepts a cookie write with %s", async (_name, headers) => {
    expect((await write(headers)).status).toBe(201);
  });

  it.each<[string, Record<string, string>]>([
    ["another site's Origin", { Origin: "https://evil.example" }],
    ["the null Origin of a sandbox", { Origin: "null" }],
    ["the same host over http", { Origin: "http://mail.postrider.test" }],
    ["the same host at another port", { Origin: "https://mail.postrider.test:8443" }],
    ["a subdomain's Origin", { Origin: "https://a.mail.postrider.test" }],
    ["Sec-Fetch-Site: cross-site", { "Sec-Fetch-Site": "cross-site" }],
    [
      "another site's Origin and an Authorization that is no key",
      { Origin: "https://evil.example", Authorization: "Basic eA==" },
    ],
  ])("answers 403 to a cookie write with %s", async (_name, headers) => {
    expect(await write(headers)).toMatchObject({
      status: 403,
      body: { error: expect.stringMatching(/another site/) },
    });
  });

  it("rejects login, logout and registration from another site", async () => {
    const headers = { Origin: "https://evil.example" };
    const { email } = owner;
    for (const [path, body] of [
      ["/auth/login", { email, password: PASSWORD }],
      ["/auth/register", newAccount()],
      ["/auth/logout", undefined],
    ] as const)
      expect((await owner.post(path, body, headers)).status).toBe(403);
    expect((await owner.get("/auth/me")).status).toBe(200);
  });

  it("allows reads from another site, because browsers hide the response", async () => {
    const headers = { Origin: "https://evil.example" };
    expect((await owner.request("GET", "/projects", undefined, headers)).status).toBe(200);
  });

  it.each([
    "application/x-www-form-urlencoded",
    "text/plain",
    "multipart/form-data; boundary=x",
    "application/jsonp",
    "text/plain; application/json",
    "",
  ])("rejects a body with the content type %j", async (type) => {
    const answer = await write({ "Content-Type": type });
    expect(answer).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/Content-Type/) },
    });
  });

  it("requires a content type with a cookie, even with an Authorization header that is not a key", async () => {
    const headers = { "Content-Type": "text/plain", Authorization: "Basic eA==" };
    expect((await write(headers)).status).toBe(400);
  });

  it.each(["application/json", "APPLICATION/JSON; charset=utf-8", "application/merge-patch+json"])(
    "accepts a body with the content type %j",
    async (type) => {
      expect((await write({ "Content-Type": type })).status).toBe(201);
    },
  );

  it("does not apply to a key, which browsers never send automatically", async () => {
    const project = await owner.newProject();
    const answer = await service
      .withKey(project.key)
      .post(
        `/projects/${project.id}/send`,
        { to: "a@b.test", template_id: crypto.randomUUID() },
        { Origin: "https://shop.example", "Sec-Fetch-Site": "cross-site", "Content-Type": "" },
      );
    expect(answer).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/SMTP settings/) },
    });
  });
});

describe("a deployment with a wrong setting", () => {
  it.each([
    ["JWT_SECRET", ""],
    ["JWT_SECRET", "x".repeat(31)],
    ["JWT_SECRET_PREVIOUS", "short"],
    ["ENCRYPTION_KEY", ""],
    ["ENCRYPTION_KEY", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHg=="], // 31 bytes
    ["ENCRYPTION_KEY", `${TEST_SETTINGS.ENCRYPTION_KEY} `],
    ["ENCRYPTION_KEY_PREVIOUS", "AAEC"],
    ["BASE_URL", ""],
    ["BASE_URL", "ftp://mail.postrider.test"],
    ["BASE_URL", "https://mail.postrider.test/path"],
    ["DEPLOYMENT_MODE", "selfhosted"],
    ["LOG_RETENTION_DAYS", "-1"],
    ["LOG_RETENTION_DAYS", "ten"],
  ])("answers 503 and names %s when it is %j, on every surface", async (name, value) => {
    const broken = createService({ [name]: value });
    const server = createServer(broken.runtime);
    for (const path of ["/api/v1/auth/me", "/health", "/version"]) {
      const response = await server.request(path, {}, broken.env);
      expect(response.status).toBe(503);
      expect(await response.json()).toMatchObject({ error: expect.stringContaining(name) });
    }
  });
});

describe("the public endpoints", () => {
  it("return name, version and mode at /version, and enabled only when self-hosted", async () => {
    const answers = await Promise.all(
      ["cloud", "self_hosted"].map(async (DEPLOYMENT_MODE) =>
        (await createService({ DEPLOYMENT_MODE }).fetch("/version")).json(),
      ),
    );
    const facts = { name: "postrider", version: expect.stringMatching(/^\d+\.\d+\.\d+$/) };
    expect(answers).toEqual([
      { ...facts, deployment_mode: "cloud", enabled: false },
      { ...facts, deployment_mode: "self_hosted", enabled: true },
    ]);
  });

  it("include /health, which answers after one read, and 503 if the database does not answer", async () => {
    const watched = createService();
    const well = await watched.fetch("/health");
    expect([well.status, await well.json(), watched.d1.roundTrips]).toEqual([
      200,
      {
        status: "ok",
        dead_letters: 0,
        storage: { level: "unknown", used_pct: null, log_retention_days: 90 },
      },
      1,
    ]);
    watched.d1.before = () => {
      throw new Error("D1 is down");
    };
    const ill = await watched.fetch("/health");
    expect([ill.status, await ill.json()]).toMatchObject([503, { error: expect.any(String) }]);
  });
});
