/* The test of a draft, received by a real server. */
import { describe, expect, it } from "vitest";
import { waitForMessage } from "../../support/mailbox.ts";
import { insertRow } from "../../support/rows.ts";
import { CAPTURING, createService, unique } from "../../support/service.ts";

const service = createService();
const owner = await service.newOwner();

interface Tested {
  results: { to: string; status: string; error: string | null; id: string | null }[];
}

describe("the test of a draft", () => {
  it("sends its own HTML and the chosen variant to any address, with the variables of a subscriber", async () => {
    const project = await owner.newProject(CAPTURING);
    const path = `/projects/${project.id}`;
    const subscriber = crypto.randomUUID();
    await insertRow("subscribers", {
      id: subscriber,
      project_id: project.id,
      email: "real@any.test",
      name: "Rita",
      status: "active",
      metadata: '{"city":"Bonn"}',
      source: "",
      subscribed_at: 1,
      created_at: 1,
      updated_at: 1,
    });
    const { body: draft } = await owner.post<{ id: string }>(`${path}/broadcasts`, {
      name: "May",
      subject: "One for {{name}}",
      html_body:
        '<p>{{name}} of {{metadata.city}}, {{broadcast.hello}}</p><a href="{{unsubscribe_link}}">leave</a>',
      variables: { hello: "moin" },
      ab: { variants: [{}, { subject: "Two for {{name}}" }] },
    });
    const test = (body: object) => owner.post<Tested>(`${path}/broadcasts/${draft.id}/test`, body);
    const [to, plain, suppressed] = [1, 2, 3].map((n) => `${unique("t")}${n}@any.test`);
    await owner.post(`${path}/suppressions`, { emails: [suppressed] });

    const { status, body } = await test({
      to: [to, suppressed],
      variant: "B",
      subscriber_id: subscriber,
    });
    expect([status, body.results.map((one) => one.status)]).toEqual([200, ["sent", "suppressed"]]);
    const mail = await waitForMessage(to ?? "");
    expect(mail.text).toContain("Subject: Two for Rita");
    expect(mail.text).toContain("Rita of Bonn, moin");
    expect(mail.text).toContain("List-Unsubscribe: <");
    const { body: entry } = await owner.get(`${path}/logs/${body.results[0]?.id}`);
    expect(entry).toMatchObject({ tags: { test: "true" }, subscriber_id: null });

    expect((await test({ to: [plain] })).status).toBe(200);
    expect((await waitForMessage(plain ?? "")).text).toContain("One_for_?=");
  });

  it("uses the current template, even after two changes within one millisecond", async () => {
    const start = Date.now();
    const author = await createService({}, { now: () => start }).newOwner();
    const path = `/projects/${(await author.newProject(CAPTURING)).id}`;
    const content = { name: "n", subject: "Subject 0", html_body: "<p>body 0</p>" };
    const { body: template } = await author.post<{ id: string }>(`${path}/templates`, content);
    const draft = { name: "May", template_id: template.id };
    const { body } = await author.post<{ id: string }>(`${path}/broadcasts`, draft);
    for (const n of [0, 1, 2]) {
      const change = { subject: `Subject ${n}`, html_body: `<p>body ${n}</p>` };
      expect((await author.put(`${path}/templates/${template.id}`, change)).status).toBe(200);
      const to = `${unique("t")}@any.test`;
      const tested = await author.post(`${path}/broadcasts/${body.id}/test`, { to: [to] });
      expect(tested.status).toBe(200);
      const mail = await waitForMessage(to);
      expect(mail.text).toContain(`Subject: Subject ${n}`);
      expect(mail.text).toContain(`<p>body ${n}</p>`);
    }
  });

  it.each([
    ["x@any.test", "to: must be a list"],
    [["bad"], "to.0: is not an email address: the address has no @"],
    [["bad", "x@any.test"], "to.0: is not an email address: the address has no @"],
    [[], "to: must not be empty"],
    [[7], "to.0: must be a string"],
    [undefined, "to: is required"],
    [{}, "to: must be a list"],
    [Array.from({ length: 6 }, (_, n) => `t${n}@any.test`), "to: must have at most 5 entries"],
  ])("is rejected with one fault for one fault of its addresses: %j", async (to, error) => {
    const { id } = await owner.newProject(CAPTURING);
    const at = `/projects/${id}`;
    for (const things of ["broadcasts", "templates"]) {
      const content = { name: "n", subject: "s", html_body: "x" };
      const made = await owner.post<{ id: string }>(`${at}/${things}`, content);
      const answer = await owner.post(`${at}/${things}/${made.body.id}/test`, { to });
      expect([answer.status, answer.body]).toMatchObject([400, { error }]);
    }
  });

  it("is rejected for a draft that cannot be sent, one of another project, and an unknown variant", async () => {
    const { id } = await owner.newProject(CAPTURING);
    const other = await owner.newProject(CAPTURING);
    const at = `/projects/${id}/broadcasts`;
    const { body: empty } = await owner.post<{ id: string }>(at, { name: "Empty" });
    const { body: whole } = await owner.post<{ id: string }>(at, {
      name: "Whole",
      subject: "x",
      html_body: "x",
    });
    const to = { to: ["t@any.test"] };
    expect(await owner.post(`${at}/${empty.id}/test`, to)).toMatchObject({
      status: 400,
      body: { code: "draft_not_sendable", error: "the draft cannot be sent: subject: is required" },
    });
    expect((await owner.post(`${at}/${whole.id}/test`, { ...to, variant: "B" })).status).toBe(400);
    const foreign = `/projects/${other.id}/broadcasts/${whole.id}/test`;
    expect((await owner.post(foreign, to)).status).toBe(404);
    await owner.post(`${at}/${whole.id}/cancel`);
  });
});
