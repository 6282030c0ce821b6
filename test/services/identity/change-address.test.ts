/* The name and the email address of an account, changed by its person. */
import { beforeAll, describe, expect, it } from "vitest";
import { receivedMessages } from "../../support/mailbox.ts";
import { allRows } from "../../support/rows.ts";
import { mailingWorld, plain, type MailingWorld } from "../../support/service-mail.ts";
import { unique, type Client } from "../../support/service.ts";
import { standingClock } from "../../support/times.ts";
import {
  newPerson,
  newWorkspace,
  PASSWORD,
  refusalOf,
  selfHosted,
} from "../../support/workspaces.ts";

const clock = standingClock(Date.UTC(2026, 9, 1, 12));
const OVER = [400, "this link is no longer valid: request a new one"];
let world: MailingWorld;
beforeAll(async () => {
  world = await mailingWorld(() => clock.now);
});

const address = () => `${unique("new")}@people.test`;
const ask = (who: Client, email: string, current_password = PASSWORD) =>
  who.post("/auth/email", { email, current_password });
const confirm = (who: Client, token: string) => who.post("/auth/confirm", { token });
const logIn = async (email: string, password = PASSWORD) =>
  (await world.service.anonymous.post("/auth/login", { email, password })).status;
const userOf = async (who: Client) => (await who.get<{ user: object }>("/auth/me")).body.user;
const actionsOf = async (id: string) =>
  (await allRows("select action from audit_entries where scope_id = ? order by id", id)).map(
    ({ action }) => action,
  );
const verify = (email: string) =>
  allRows("update users set verified_at = 1 where email = ?", email);

describe("the name of an account", () => {
  it("changes at once", async () => {
    const person = await newPerson(world.service);
    const changed = await person.request("PATCH", "/auth/me", { name: "Ann Lee" });
    expect(changed).toMatchObject({ status: 200, body: { id: person.id, name: "Ann Lee" } });
    expect(await userOf(person)).toMatchObject({ name: "Ann Lee", email: person.email });
    expect(await actionsOf(person.id)).toContain("user.update");
    expect((await person.request("PATCH", "/auth/me", { name: " " })).status).toBe(400);
  });
});

describe("the email address of an account", () => {
  it("changes when the link in an email to the new one is confirmed, and the former one is told", async () => {
    const person = await newPerson(world.service);
    await verify(person.email);
    const email = address();
    expect((await ask(person, email, "wrong horse")).body).toMatchObject({
      details: [{ path: "current_password" }],
    });
    await world.service.anonymous.post("/auth/forgot", { email: person.email });
    const reset = await world.tokenFor(person.email);
    expect((await ask(person, email)).status).toBe(204);
    const token = await world.tokenFor(email);
    expect(plain(await world.mailTo(email))).toContain("gets this address");
    expect(await userOf(person)).toMatchObject({ email: person.email });
    expect([await logIn(email), await logIn(person.email)]).toEqual([401, 200]);

    const sessions = "select count(*) as n from sessions where user_id = ?";
    const before = await allRows(sessions, person.id);
    const told = (await receivedMessages(person.email)).length;
    expect((await confirm(person, token)).status).toBe(204);
    expect(await userOf(person)).toMatchObject({ email, email_verified: true });
    expect(await allRows(sessions, person.id)).toEqual(before);
    expect([await logIn(email), await logIn(person.email)]).toEqual([200, 401]);
    expect(await actionsOf(person.id)).toContain("user.email_changed");
    world.woken.push(world.project.id); // as the sweep does
    expect(plain(await world.mailTo(person.email))).toContain("address was changed");
    expect(await receivedMessages(person.email)).toHaveLength(told + 1);
    const late = { token: reset, password: "better battery" };
    expect(refusalOf(await world.service.anonymous.post("/auth/reset", late))).toEqual(OVER);
    expect(refusalOf(await confirm(person, token))).toEqual(OVER);
  });

  it("stays while the link belongs to somebody else, or has been overtaken by another one", async () => {
    const [person, other] = [await newPerson(world.service), await newPerson(world.service)];
    const [first, second] = [address(), address()];
    await ask(person, first);
    const token = await world.tokenFor(first);
    expect(refusalOf(await confirm(other, token))).toEqual(OVER);
    await ask(person, second);
    expect((await confirm(person, await world.tokenFor(second))).status).toBe(204);
    expect(refusalOf(await confirm(person, token))).toEqual(OVER);
    expect(await userOf(person)).toMatchObject({ email: second });
    expect(await userOf(other)).toMatchObject({ email: other.email });
  });

  it("stays if the new one has an account, which only its reader learns", async () => {
    const [person, other] = [await newPerson(world.service), await newPerson(world.service)];
    expect((await ask(person, other.email)).status).toBe(204);
    const token = await world.tokenFor(other.email);
    expect(await confirm(person, token)).toMatchObject({
      status: 409,
      body: { code: "email_registered" },
    });
    expect(await userOf(person)).toMatchObject({ email: person.email });
    expect(await actionsOf(person.id)).not.toContain("user.email_changed");
  });

  it("tells nobody at a former one that was never confirmed", async () => {
    const person = await newPerson(world.service);
    await allRows("update users set verified_at = null where id = ?", person.id);
    const email = address();
    await ask(person, email);
    await confirm(person, await world.tokenFor(email));
    world.woken.push(world.project.id);
    await world.deliver();
    expect(await receivedMessages(person.email)).toEqual([]);
    expect(await userOf(person)).toMatchObject({ email, email_verified: true });
  });

  it("is not confirmed by a change while somebody else may know the password", async () => {
    const owner = selfHosted(world.service, await newPerson(world.service));
    const given = { email: address(), name: "Ben", password: PASSWORD };
    const made = await owner.post(`/workspaces/${await newWorkspace(owner)}/users`, given);
    expect(made.status).toBe(201);
    const login = await world.service.anonymous.post("/auth/login", given);
    const Cookie = login.headers.get("Set-Cookie")?.split(";")[0] ?? "";
    const post = (path: string, body: object) =>
      world.service.anonymous.request("POST", path, body, { Cookie });
    const email = address();
    expect((await post("/auth/email", { email, current_password: PASSWORD })).status).toBe(204);
    expect((await post("/auth/confirm", { token: await world.tokenFor(email) })).status).toBe(204);
    const rows = await allRows("select verified_at from users where email = ?", email);
    expect(rows).toEqual([{ verified_at: null }]);
  });

  it("cannot change while the service sends no email", async () => {
    const person = await newPerson(world.service);
    await world.choose(null);
    expect(await ask(person, address())).toMatchObject({
      status: 409,
      body: { code: "no_service_sender" },
    });
    await world.choose(world.project.id);
  });
});
