/* What the pre-flight says about the variants and the time of a draft (API reference §11.11). */
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
