/* The settings of bounces: what a project makes of refusals and reports. */
import { describe, expect, it } from "vitest";
import { systemContext } from "../../../src/context.ts";
import { saveBounceSettings, selectProject } from "../../../src/services/projects/index.ts";
import { allRows } from "../../support/rows.ts";
import { CAPTURING, createService, unique, type Client } from "../../support/service.ts";

const service = createService();
const owner = await service.newOwner();

async function newProject(by: Client = owner) {
  const project = await by.newProject(CAPTURING);
  const path = `/projects/${project.id}`;
  return {
    ...project,
    path,
    save: (settings: object) => by.put(`${path}/bounce-settings`, settings),
    settings: async () => (await by.get(`${path}/bounce-settings`)).body,
    send: (to: string) => by.post(`${path}/send`, { to, subject: "Hello", html_body: "<p>Hi</p>" }),
    ingest: async (body: object, provider = "") => {
      const { url } = (await by.get<{ url: string }>(`${path}/bounce-webhook`)).body;
      const at = url.replace("?", `${provider}?`);
      return service.fetch(at, { method: "POST", body: JSON.stringify(body) });
    },
    statusOf: async (to: string) =>
      (await allRows("select status, reason from logged_mails where to_email = ?", to))[0],
    isSuppressed: async (email: string) => {
      const rows = await allRows(
        "select reason from suppressions where project_id = ? and email = ?",
        project.id,
        email,
      );
      return rows.length > 0;
    },
  };
}

describe("the bounce settings", () => {
  it("have defaults, change one by one, and are recorded in the audit trail", async () => {
    const project = await newProject();
    expect(await project.settings()).toMatchObject({ suppress_on_any_5xx: false });
    expect(await project.save({ suppress_on_any_5xx: true })).toMatchObject({
      status: 200,
      body: { suppress_on_any_5xx: true },
    });
    expect(await project.settings()).toMatchObject({ suppress_on_any_5xx: true });
    const key = service.withKey(project.key);
    expect((await key.get(`${project.path}/bounce-settings`)).body).toEqual(
      await project.settings(),
    );
    const audited = await allRows(
      "select metadata from audit_entries where scope_id = ? and action = 'bounce_settings.update'",
      project.id,
    );
    expect(audited).toEqual([{ metadata: '{"suppressOnAny5xx":true}' }]);
  });

  it.each([{}, { suppress_on_any_5xx: "yes" }, { suppres_on_any_5xx: true }])(
    "reject %j and keep everything",
    async (settings) => {
      const project = await newProject();
      expect(await project.save(settings)).toMatchObject({ status: 400 });
      expect(await project.settings()).toMatchObject({ suppress_on_any_5xx: false });
    },
  );

  it("of a project deleted in the meantime are not found", async () => {
    const project = await newProject();
    const deps = await service.deps();
    const [row] = await selectProject(deps.db, project.id);
    if (!row) throw new Error("no project");
    await owner.delete(project.path);
    const saving = saveBounceSettings(systemContext(deps, "late"), row, { suppressOnAny5xx: true });
    await expect(saving).rejects.toThrow("project not found");
  });
});

describe("suppress_on_any_5xx", () => {
  it("is off: a policy rejection of RCPT TO fails and suppresses no address", async () => {
    const project = await newProject();
    const to = `rcpt.550.5.7.1.${unique("policy")}@any.test`;
    await project.send(to);
    expect(await project.statusOf(to)).toEqual({ status: "failed", reason: "policy" });
    expect(await project.isSuppressed(to)).toBe(false);
  });

  it("when on, suppresses on any 5xx to RCPT TO, but on no other rejection", async () => {
    const project = await newProject();
    await project.save({ suppress_on_any_5xx: true });
    const of = (script: string) => `${script}.${unique("any")}@any.test`;
    const bounced = [of("rcpt.550.5.7.1"), of("rcpt.554.5.1.8")];
    const failed = [of("rcpt.450.4.2.0"), of("data.554.5.7.1")];
    for (const to of [...bounced, ...failed]) await project.send(to);
    for (const to of bounced) {
      expect(await project.statusOf(to)).toMatchObject({ status: "bounced" });
      expect(await project.isSuppressed(to)).toBe(true);
    }
    for (const to of failed) {
      expect(await project.statusOf(to)).toMatchObject({ status: "failed" });
      expect(await project.isSuppressed(to)).toBe(false);
    }
  });

  it("when on, lets a provider's bounce suppress regardless of its wording", async () => {
    const [strict, letter] = [await newProject(), await newProject()];
    await letter.save({ suppress_on_any_5xx: true });
    const email = `${unique("provider")}@any.test`;
    const body = { email, type: "bounce", reason: "550 5.1.8 Sender address rejected" };
    for (const project of [strict, letter]) expect((await project.ingest(body)).status).toBe(200);
    expect(await strict.isSuppressed(email)).toBe(false);
    expect(await letter.isSuppressed(email)).toBe(true);
  });
});

describe("a provider's ingest URL", () => {
  it("accepts its events of up to 1 MiB, where the project's URL accepts 64 KiB", async () => {
    const project = await newProject();
    const eventsOf = (length: number) =>
      Array.from({ length: 160 }, (_, n) => ({
        email: `${n}.${project.id}@example.com`,
        event: "bounce",
        status: "5.1.1",
        sg_message_id: "b".repeat(length),
      }));
    const many = eventsOf(450);
    expect((await project.ingest(many)).status).toBe(413);
    expect((await project.ingest(many, "/nobody")).status).toBe(404);
    expect((await project.ingest(eventsOf(7_000), "/sendgrid")).status).toBe(413);
    expect((await project.ingest(many, "/sendgrid")).status).toBe(200);
    for (const { email } of [many[0], many[159]].flatMap((event) => event ?? []))
      expect(await project.isSuppressed(email)).toBe(true);
  });
});
