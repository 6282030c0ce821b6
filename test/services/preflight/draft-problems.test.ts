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
  const plain = await owner.post<{ id: string }>(`/projects/${id}/templates`, {
    name: "Plain",
    subject: "News",
    html_body: " ",
    text_body: "News",
  });
  const newTemplate = async (html: string) => {
    const parts = { name: "Linked", subject: "News", html_body: `<p>News</p>${html}` };
    return (await owner.post<{ id: string }>(`/projects/${id}/templates`, parts)).body.id;
  };
  const problems = async (variants: object[], wanted = "identical_variants", by = "opens") => {
    const content = { subject: "News", html_body: "<p>News</p>" };
    const ab = { variants, by };
    const draft = await owner.post<{ id: string }>(at, { name: "n", ...content, ab });
    const { body } = await owner.post<Preflight>(`${at}/${draft.body.id}/preflight`);
    return body.problems.filter(({ code }) => code === wanted);
  };
  return { template: template.body.id, plain: plain.body.id, problems, newTemplate };
}

describe("the pre-flight of a draft", () => {
  it("reports a template whose name is not unique, because a send by name takes the last one", async () => {
    const { problems, newTemplate } = await newTrials();
    const [one] = [await newTemplate("a"), await newTemplate("b")];
    expect(await problems([{}, { template_id: one }], "template_name_shared")).toMatchObject([
      {
        code: "template_name_shared",
        grade: "hint",
        message:
          'other templates are also named "Linked": a send by this name uses the one that was changed last',
        params: { name: "Linked" },
        fix_in: "content",
      },
    ]);
  });
});

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
    expect(await problems([{}, same])).toMatchObject([problem("A and B")]);
    const pairs = [same, other, { template_id: template }, other, { from_name: "Sender" }];
    expect(await problems(pairs)).toMatchObject([problem("A, C and E"), problem("B and D")]);
    expect(await problems([same, other, { subject: "More news" }])).toMatchObject([]);
  });

  it("reports variants without HTML, whose opens and clicks are not counted, unless the choice is manual", async () => {
    const { plain, problems } = await newTrials();
    const variants = [{ template_id: plain }, { subject: "More news" }, { template_id: plain }];
    const found = (by: string) => problems(variants, "uncounted_variant", by);
    const problem = {
      code: "uncounted_variant",
      grade: "warning",
      message: "opens and clicks are not counted for variants without HTML: A and C",
      fix_in: "content",
    };
    expect(await found("opens")).toMatchObject([problem]);
    const unlinked = "clicks are not counted for variants without a tracked link: B";
    expect(await found("clicks")).toMatchObject([problem, { ...problem, message: unlinked }]);
    expect(await found("manual")).toEqual([]);
  });

  it.each([
    ['<a href="https://shop.test/">x</a>', true],
    ['<a href="{{metadata.link}}">x</a>', true],
    ["{{{metadata.html}}}", true],
    ['<a href="https://shop.test/" data-no-track>x</a>', false],
    ['<a href="mailto:a@shop.test">x</a><a href="{{unsubscribe_url}}">y</a>', false],
    ['{{unsubscribe_link}}<a href="{{{unsubscribe_url}}}">y</a>', false],
  ])("reports for an A/B test by clicks whether %s can be counted: %s", async (html, isCounted) => {
    const { problems, newTemplate } = await newTrials();
    const variants = [{ template_id: await newTemplate(html) }, { subject: "More news" }];
    const named = (letters: string) =>
      `clicks are not counted for variants without a tracked link: ${letters}`;
    expect(await problems(variants, "uncounted_variant", "clicks")).toMatchObject([
      { message: named(isCounted ? "B" : "A and B") },
    ]);
    expect(await problems(variants, "uncounted_variant", "opens")).toMatchObject([]);
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
