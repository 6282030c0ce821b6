/* Protection of passwords against guessing, and of sessions against outliving their password. */
import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { createService, unique, type Client, type Service } from "../../support/service.ts";

const PASSWORD = "correct horse";

const service = createService();

const newAccount = () => ({
  email: `${unique("person")}@people.test`,
  name: "Pia Person",
  password: PASSWORD,
});

const logIn = (of: Service, email: string) =>
  of.anonymous.post("/auth/login", { email, password: PASSWORD });

const rowsOf = async (sql: string, ...values: unknown[]) =>
  (
    await env.DB.prepare(sql)
      .bind(...values)
      .all()
  ).results;

describe("a password that another request changes concurrently", () => {
  /** Runs a call and replaces the password's hash after the call has read it. */
  async function overtaken(call: (of: Service, owner: Client) => Promise<{ status: number }>) {
    const racing = createService();
    const owner = await racing.newOwner();
    const [user] = await rowsOf("select id from users where email = ?", owner.email);
    let change: Promise<unknown> | undefined;
    racing.d1.after = ([sql = ""]) => {
      if (/^select .*"password_hash"/.test(sql))
        change ??= rowsOf("update users set password_hash = 'new' where id = ?", user?.["id"]);
    };
    const { status } = await call(racing, owner);
    await change;
    const state = await rowsOf(
      "select password_hash as hash, (select count(*) from sessions where user_id = users.id) as sessions, (select group_concat(action) from audit_entries where target_id = users.id) as told from users where id = ?",
      user?.["id"],
    );
    return [status, ...state];
  }

  it("grants no session to a login with the old one", async () => {
    const failed = { hash: "new", sessions: 1, told: "user.login_failed" };
    expect(await overtaken((of, { email }) => logIn(of, email))).toEqual([401, failed]);
  });

  it("is not changed back with the old one, and no session is ended", async () => {
    const passwords = { current_password: PASSWORD, new_password: "better battery" };
    const same = { hash: "new", sessions: 1, told: null };
    expect(await overtaken((_, owner) => owner.post("/auth/password", passwords))).toEqual([
      400,
      same,
    ]);
  });
});

describe("guessing passwords", () => {
  const guess = (email: string, address: string) =>
    service.anonymous.post(
      "/auth/login",
      { email, password: "wrong horse" },
      { "CF-Connecting-IP": address },
    );
  const guesses = (count: number, make: (n: number) => Promise<{ status: number }>) =>
    Promise.all(Array.from({ length: count }, (_, n) => make(n)));
  const refused = (answers: { status: number }[]) =>
    answers.filter(({ status }) => status === 429).length;

  it("is limited to 10 tries a minute per email, with or without an account", async () => {
    for (const email of [newAccount().email, (await service.newOwner()).email]) {
      expect(refused(await guesses(12, (n) => guess(email, `192.0.2.${n}`)))).toBe(2);
      const answer = await guess(` ${email.toUpperCase()} `, "192.0.2.99");
      expect(answer.status).toBe(429);
      expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThan(0);
      expect(answer.headers.get("RateLimit-Limit")).toBe("10");
    }
  });

  it("reveals in its headers only the tries of the client's address", async () => {
    const { email } = await service.newOwner();
    for (let n = 0; n < 4; n++) await guess(email, `203.0.113.${200 + n}`);
    const seen = await Promise.all(
      [email, newAccount().email].map((name, n) => guess(name, `203.0.113.${210 + n}`)),
    );
    const left = seen.map(({ headers }) => headers.get("RateLimit-Remaining"));
    expect(left).toEqual(["9", "9"]);
  });

  it("is limited to 10 tries a minute per address, which the client cannot spoof", async () => {
    const address = `198.51.100.${Date.now() % 250}`;
    const answers = await guesses(12, () => guess(newAccount().email, address));
    expect(refused(answers)).toBe(2);
    const forged = await service.anonymous.post(
      "/auth/login",
      { email: newAccount().email, password: "x" },
      { "CF-Connecting-IP": address, "X-Forwarded-For": "203.0.113.1" },
    );
    expect(forged.status).toBe(429);
  });

  it("is limited to 10 tries a minute per user and address for the user itself, separately from logins", async () => {
    const [one, two, three] = [
      await service.newOwner(),
      await service.newOwner(),
      await service.newOwner(),
    ];
    const passwords = { current_password: "wrong horse", new_password: "better battery" };
    const tryAs = (owner: Client, address: string) =>
      owner.post("/auth/password", passwords, { "CF-Connecting-IP": address });
    const address = `203.0.113.${Date.now() % 250}`;
    expect(refused(await guesses(12, (n) => tryAs(one, `192.0.2.${100 + n}`)))).toBe(2);
    expect(refused(await guesses(12, (n) => tryAs(n % 2 ? two : three, address)))).toBe(2);
    const answer = await tryAs(one, "192.0.2.120");
    expect([answer.status, Number(answer.headers.get("Retry-After")) > 0]).toEqual([429, true]);
    expect((await guess(one.email, address)).status).toBe(401);
  });

  it("is not made easier by more than 10 registrations a minute from one address", async () => {
    const headers = { "CF-Connecting-IP": `198.18.0.${Date.now() % 250}` };
    const register = () => service.anonymous.post("/auth/register", newAccount(), headers);
    expect(refused(await guesses(12, register))).toBe(2);
  });
});
