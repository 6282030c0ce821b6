/*
 * A deployment's knowledge of itself: its set-up, its licence, the projects of a person, and
 * settings that are tried before they are saved.
 */
import { describe, expect, it } from "vitest";
import { testLicense } from "../../support/license.ts";
import { allRows } from "../../support/rows.ts";
import { CAPTURING, createService, unique, type Client } from "../../support/service.ts";
import { TEST_SETTINGS } from "../../support/settings.ts";
import { addTo, newWorkspace, removeFrom, selfHosted } from "../../support/workspaces.ts";

const EXPIRES = 1_900_000_000;
const team = await testLicense("team", { exp: EXPIRES });
const service = createService(team);

describe("GET /auth/setup", () => {
  const setupOf = async (settings: Parameters<typeof createService>[0]) => {
    const asked = createService(settings);
    const { status, body } = await asked.anonymous.get("/auth/setup");
    return [status, body, asked.d1.roundTrips, asked.d1.rowsRead <= 1];
  };
  const selfHosted = { DEPLOYMENT_MODE: "self_hosted" };

  it("says whether the first account is missing and who may register, from one row", async () => {
    const answers = async () => [
      await setupOf({}),
      await setupOf(selfHosted),
      await setupOf({ ...selfHosted, SETUP_TOKEN: "" }),
    ];
    const answer = (needed: boolean, registration: string) => [
      200,
      { needed, registration },
      1,
      true,
    ];
    expect(await answers()).toEqual([
      answer(true, "open"),
      answer(true, "setup_token"),
      answer(true, "closed"),
    ]);
    const account = { email: "first@people.test", name: "First", password: "correct horse" };
    const { status } = await createService(selfHosted).anonymous.post("/auth/register", {
      ...account,
      setup_token: TEST_SETTINGS.SETUP_TOKEN,
    });
    expect(status).toBe(201);
    expect(await answers()).toEqual([
      answer(false, "open"),
      answer(false, "closed"),
      answer(false, "closed"),
    ]);
  });
});

describe("GET /auth/me", () => {
  it("returns the tier, the features and the expiry of the license, but not its key", async () => {
    const { cookie } = await service.newOwner();
    const licenseIn = async (settings: Parameters<typeof createService>[0]) => {
      const { anonymous } = createService(settings);
      const { body } = await anonymous.request("GET", "/auth/me", undefined, { Cookie: cookie });
      return body["license"];
    };
    const pro = ["webhooks", "analytics", "audit log"];
    const none = { tier: null, features: [], expires_at: null };
    expect(await licenseIn({})).toEqual(none);
    const own = { DEPLOYMENT_MODE: "self_hosted" };
    expect(await licenseIn(own)).toEqual({ ...none, features: ["analytics"] });
    expect(await licenseIn(await testLicense("team", { exp: 1_700_000_001 }))).toEqual(none);
    expect(await licenseIn(await testLicense("pro"))).toEqual({
      tier: "pro",
      features: pro,
      expires_at: null,
    });
    expect(await licenseIn(team)).toEqual({
      tier: "team",
      features: [...pro, "workspace members"],
      expires_at: new Date(EXPIRES * 1_000).toISOString(),
    });
  });
});

describe("GET /projects?scope=all", () => {
  it("lists the projects of all workspaces that the user belongs to", async () => {
    const [owner, member] = [await service.newOwner(), await service.newOwner()];
    const workspaceId = await newWorkspace(owner);
    const newProject = async (by: Client, name: string, place?: string) =>
      (await by.post("/projects", { name, workspace_id: place })).body["id"];
    const shared = await newProject(owner, "Shared", workspaceId);
    await newProject(owner, "Private");
    const own = await newProject(member, "Own");
    const idsOf = async (query: string) =>
      (await member.get<{ id: string }[]>(`/projects${query}`)).body.map(({ id }) => id);
    expect(await idsOf("?scope=all")).toEqual([own]);
    const by = selfHosted(service, owner);
    const { body } = await addTo(workspaceId, by, member, "viewer");
    expect(await idsOf("?scope=all")).toEqual([shared, own]);
    expect(await idsOf("?scope=all&limit=1&offset=1")).toEqual([own]);
    for (const query of ["", "?scope=own", "?scope="]) expect(await idsOf(query)).toEqual([own]);
    expect((await member.get("/projects?scope=other")).status).toBe(400);
    await removeFrom(workspaceId, owner, { id: String(body["user_id"]) });
    expect(await idsOf("?scope=all")).toEqual([own]);
  });
});

describe("POST /projects/{id}/smtp/test with settings", () => {
  const given = (smtpPort: number) => ({
    smtp_host: "127.0.0.1",
    smtp_port: smtpPort,
    smtp_user: "user",
    smtp_password: "pass",
    from_email: "sender@postrider.test",
  });

  it("tries settings before any are saved, without saving them", async () => {
    const owner = await service.newOwner();
    const { id } = await owner.newProject();
    const path = `/projects/${id}/smtp/test`;
    expect(await owner.post(path)).toMatchObject({ status: 400 });
    const tried = await owner.post(path, given(CAPTURING.smtpPort));
    expect(tried).toMatchObject({ status: 200, body: { message: "sent", to: owner.email } });
    const wrong = { ...given(CAPTURING.smtpPort), smtp_password: "another" };
    expect(await owner.post(path, wrong)).toMatchObject({ status: 502 });
    expect((await owner.get(`/projects/${id}`)).body).toMatchObject({
      smtp_host: null,
      from_email: null,
    });
    const sealed = "select smtp_password_sealed from projects where id = ?";
    expect(await allRows(sealed, id)).toEqual([{ smtp_password_sealed: null }]);
  });

  it("uses the stored password only for the stored host, port and user", async () => {
    const owner = await service.newOwner();
    const { id } = await owner.newProject(CAPTURING);
    const path = `/projects/${id}/smtp/test`;
    const { smtp_password: _password, ...rest } = given(CAPTURING.smtpPort);
    expect(await owner.post(path, rest)).toMatchObject({ status: 200 });
    expect(await owner.post(path, { from_name: "Shop" })).toMatchObject({ status: 200 });
    const error = "smtp_password: is required again when smtp_host, smtp_port or smtp_user change";
    for (const other of [
      { smtp_host: "localhost" },
      { smtp_port: rest.smtp_port + 1 },
      { smtp_user: "other" },
    ])
      expect(await owner.post(path, { ...rest, ...other })).toMatchObject({
        status: 400,
        body: { error },
      });
  });

  it("rejects settings that may not be saved, and incomplete ones", async () => {
    const closed = createService({ ...team, ALLOW_PRIVATE_TARGETS: "" });
    const owner = await closed.newOwner();
    const { id } = await owner.newProject();
    const path = `/projects/${id}/smtp/test`;
    for (const host of ["127.0.0.1", "localhost", "169.254.169.254", "[::1]", "10.0.0.1"])
      expect(await owner.post(path, { ...given(587), smtp_host: host })).toMatchObject({
        status: 400,
        body: { details: [{ path: "smtp_host", code: "not_allowed" }] },
      });
    const open = { ...given(25), smtp_host: "smtp.example.com" };
    expect((await owner.post(path, open)).status).toBe(400);
    const { smtp_port: _port, ...half } = given(587);
    expect((await owner.post(path, half)).body).toMatchObject({
      error: "smtp_port: is required: smtp_host, smtp_port, smtp_user are set together",
    });
  });
});

describe("GET /projects/{id}/suppressions?email=", () => {
  it("finds the entry of an address in any case, and of no other project", async () => {
    const owner = await service.newOwner();
    const [mine, other] = [await owner.newProject(), await owner.newProject()];
    const path = (id: string) => `/projects/${id}/suppressions`;
    const email = `${unique("gone")}@any.test`;
    await owner.post(path(mine.id), { emails: [email, "other@any.test"] });
    service.d1.reset();
    const { body } = await owner.get(`${path(mine.id)}?email=${email.toUpperCase()}`);
    expect(service.d1.rowsRead).toBeLessThan(15);
    expect(body).toMatchObject({ suppressions: [{ email, reason: "manual" }], total: 1 });
    const nothing = { suppressions: [], total: 0 };
    expect((await owner.get(`${path(other.id)}?email=${email}`)).body).toEqual(nothing);
    const query = `?email=${email}&reason=hard_bounce`;
    expect((await owner.get(path(mine.id) + query)).body).toEqual(nothing);
    expect((await owner.get(`${path(mine.id)}?email=${email}&after=`)).body).toMatchObject({
      total: 1,
      next: null,
    });
    expect((await owner.get(`${path(mine.id)}?email=nobody`)).status).toBe(400);
  });
});

describe("an audit entry", () => {
  it("names the user who acted, at the cost of one lookup each", async () => {
    const owner = await service.newOwner();
    const { id } = await owner.newProject();
    for (const name of ["One", "Two"]) await owner.put(`/projects/${id}`, { name });
    service.d1.reset();
    const { body } = await owner.get<{ entries: Record<string, unknown>[] }>(
      `/projects/${id}/audit-log?action=project.update&after=`,
    );
    expect(service.d1.roundTrips).toBe(2);
    expect(service.d1.rowsRead).toBeLessThan(30);
    expect(body.entries).toHaveLength(2);
    for (const entry of body.entries)
      expect(entry).toMatchObject({ user_name: "Olive Owner", user_email: owner.email });
  });
});
