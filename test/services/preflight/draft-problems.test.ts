/* What the pre-flight says about the variants, the texts and the time of a draft (API reference §11.11). */
import { describe, expect, it } from "vitest";
import { CAPTURING, createService } from "../../support/service.ts";

const service = createService();
const owner = await service.newOwner();

interface Preflight {
  problems: { code: string }[];
}

/** A project, and the problems of variants of a draft with the subject "News". */
async function newTrials() {
  const { id } = await owner.newProject(CAPTURING);
  const at = `/projects/${id}/broadcasts`;
  const template = await owner.post<{ id: string }>(`/projects/${id}/templates`, {
    name: "Same",
    subject: "News",
    html_body: "<p>News</p>",
  });
  const problems = async (variants: object[]) => {
    const content = { subject: "News", html_body: "<p>News</p>" };
    const draft = await owner.post<{ id: string }>(at, { name: "n", ...content, ab: { variants } });
    const { body } = await owner.post<Preflight>(`${at}/${draft.body.id}/preflight`);
    return body.problems.filter(({ code }) => code === "identical_variants");
  };
  return { template: template.body.id, problems };
}

describe("the pre-flight of an A/B test", () => {
  it("reports variants that produce the same mail, regardless of the source of their parts", async () => {
    const { template, problems } = await newTrials();
    const problem = (named: string) => ({
      code: "identical_variants",
      grade: "warning",
      message: `the variants ${named} are identical, so the winner would be random`,
      fix_in: "broadcast",
    });
    const [same, other] = [{ subject: "News" }, { from_name: "Ann" }];
    expect(await problems([{}, same])).toMatchObject([problem("A, B")]);
    const pairs = [same, other, { template_id: template }, other, { from_name: "Sender" }];
    expect(await problems(pairs)).toMatchObject([problem("A, C, E"), problem("B, D")]);
    expect(await problems([same, other, { subject: "More news" }])).toMatchObject([]);
  });
});

describe("the pre-flight of a mail", () => {
  it("warns of placeholders of the dashboard that nobody replaced", async () => {
    const { id } = await owner.newProject(CAPTURING);
    const html_body = "<p>Write here what is new.</p><p>Your company, your address</p>";
    const draft = { name: "n", subject: "News", html_body };
    const made = await owner.post<{ id: string }>(`/projects/${id}/broadcasts`, draft);
    const at = `/projects/${id}/broadcasts/${made.body.id}/preflight`;
    const { problems } = (await owner.post<Preflight>(at)).body;
    expect(problems.filter(({ code }) => code === "placeholder")).toMatchObject([
      { grade: "warning", message: 'sample text is still there: "Write here what is new"' },
      { fix_in: "content", message: 'sample text is still there: "Your company, your address"' },
    ]);
  });
});

describe("the count of an audience", () => {
  it("is that of the draft, or of the given fields, and says why people are left out", async () => {
    const { id } = await owner.newProject(CAPTURING);
    const made = async (path: string, body: object) =>
      (await owner.post<{ id: string }>(`/projects/${id}/${path}`, body)).body.id;
    for (const [name, tags] of Object.entries({ ann: ["vip"], ben: ["vip"], cid: [], dan: [] }))
      await made("subscribers", { email: `${name}@any.test`, tags });
    await owner.post(`/projects/${id}/suppressions`, { emails: ["ben@any.test"] });
    const topic = await made("topics", { name: "News" });
    const segment = await made("segments", { name: "VIP", where: "tag:vip" });
    const draft = await made("broadcasts", { name: "n", segment_id: segment });
    const count = (body: object) =>
      owner.post(`/projects/${id}/broadcasts/${draft}/audience`, body);
    const of = (active: number, suppressed: number, without_consent = 0) => ({
      status: 200,
      body: {
        active,
        suppressed,
        without_consent,
        too_soon: 0,
        total: active - suppressed - without_consent,
      },
    });
    expect(await count({})).toMatchObject(of(2, 1));
    expect(await count({ segment_id: "" })).toMatchObject(of(4, 1));
    expect(await count({ segment_id: "", topic_id: topic })).toMatchObject(of(4, 1, 3));
    expect(await count({ segment_id: "", exclude_segment_ids: [segment] })).toMatchObject(of(2, 0));
    expect(await count({ where: "tag:" })).toMatchObject({ status: 400 });
    expect(await count({ segment_id: crypto.randomUUID() })).toMatchObject({ status: 404 });
    expect((await owner.get(`/projects/${id}/broadcasts/${draft}`)).body).toMatchObject({
      segment_id: segment,
    });
  });
});

describe("the pre-flight of a draft with a time", () => {
  it.each([
    [{ send_at: "2020-01-01T00:00:00Z" }, "send_at: has passed"],
    [{ time_zone: "Europe/Berlin" }, "time_zone: requires send_at"],
    [{ send_at: "2099-01-01T00:00:00Z", time_zone: "Europe/Berlin" }, undefined],
  ])("reports what the start rejects regardless of accept: %j", async (time, message) => {
    const { id } = await owner.newProject(CAPTURING);
    const at = `/projects/${id}/broadcasts`;
    const content = { name: "n", subject: "News", html_body: "<p>News</p>" };
    const draft = await owner.post<{ id: string }>(at, { ...content, ...time });
    const one = `${at}/${draft.body.id}`;
    const { body } = await owner.post<Preflight>(`${one}/preflight`);
    const [code, grade, fix_in] = ["wrong_start_time", "stop", "broadcast"];
    expect(body.problems.filter((found) => found.code === code)).toMatchObject(
      message === undefined ? [] : [{ code, grade, message, fix_in }],
    );
    const started = await owner.post(`${one}/start`, { accept: [code, "empty_audience"] });
    expect([started.status, started.body["error"]]).toEqual([message ? 400 : 202, message]);
    expect((await owner.post<Preflight>(`${one}/preflight`)).status).toBe(200);
  });
});
