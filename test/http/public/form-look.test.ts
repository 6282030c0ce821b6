/* The look of sign-up forms: on their pages and where they are embedded (API reference §12.15). */
import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { createService } from "../../support/service.ts";

const service = createService();
const owner = await service.newOwner();
const LOGO = "https://img.example/logo.png";
const LOOK = { align: "center", accent: "#7C3AED", show_logo: true, embed_heading: true };

async function newForm(given: object, brand?: object) {
  const { id } = await owner.newProject();
  const path = `/projects/${id}`;
  if (brand) await owner.request("PATCH", `${path}/brand`, brand);
  const { status, body } = await owner.post(`${path}/forms`, {
    name: "Website",
    title: "Our newsletter",
    text: "Once a month.",
    name_field: "optional",
    ...given,
  });
  expect(status).toBe(201);
  const read = async (suffix = "") => {
    const answer = await service.fetch(`/f/${String(body["id"])}${suffix}`);
    return { policy: answer.headers.get("Content-Security-Policy"), text: await answer.text() };
  };
  return { path, form: body, read, change: `${path}/forms/${String(body["id"])}` };
}

describe("the look of a form", () => {
  it("is that of the brand at first, and one of its own with accent, alignment and logo", async () => {
    const brand = { accent: "#ffcc00", logo_url: LOGO };
    const { form, read, change } = await newForm({}, brand);
    const none = { align: "left", accent: null, show_logo: true, embed_heading: false };
    expect(form).toMatchObject(none);
    const plain = await read();
    expect(plain.text).toMatch(/--act:#ffcc00;--on-act:#000000.*<body class="narrow">.*logo\.png/s);
    const own = { ...LOOK, show_logo: false };
    const changed = await owner.request("PATCH", change, own);
    expect(changed.body).toMatchObject({ ...own, accent: "#7c3aed" });
    for (const suffix of ["", "/done"]) {
      const { text, policy } = await read(suffix);
      expect(text).toMatch(/--act:#7c3aed;--on-act:#ffffff.*<body class="narrow center">/s);
      expect(text).not.toContain("logo.png");
      expect(policy).not.toContain("img-src");
    }
    const cleared = await owner.request("PATCH", change, { accent: "" });
    expect(cleared.body).toMatchObject({ accent: null });
    expect((await read()).text).toContain("--act:#ffcc00");
  });

  it("is that of the service in a form stored without one", async () => {
    const { path, form, read, change } = await newForm(LOOK);
    await env.DB.prepare(
      `update forms set content = json_remove(content, '$.align', '$.accent', '$.showLogo',
        '$.embedHeading') where id = ?`,
    )
      .bind(form["id"])
      .run();
    const none = { align: "left", accent: null, show_logo: true, embed_heading: false };
    expect((await owner.get(change)).body).toMatchObject(none);
    expect((await owner.get(`${path}/forms`)).body).toMatchObject({ forms: [none] });
    expect((await read()).text).toContain('<body class="narrow">');
    expect((await read(".js")).text).not.toContain("Our newsletter");
  });

  it("is in the script of at most 3 KB: the button, and the heading if the form embeds it", async () => {
    const brand = { accent: "#ffcc00", accent_text: "#222222", logo_url: LOGO };
    const plain = await newForm({}, brand);
    const { text } = await plain.read(".js");
    expect(text).toContain("background:#ffcc00;color:#222222");
    expect(text).not.toMatch(/Our newsletter|logo\.png/);
    const { read } = await newForm(LOOK, brand);
    const styled = (await read(".js")).text;
    expect(styled).toMatch(/background:#7c3aed;color:#ffffff}.*text-align:center/);
    expect(styled).toMatch(/logo\.png.*<h2>Our newsletter<.*Once a month\..*role=/);
    expect(new TextEncoder().encode(styled).length).toBeLessThanOrEqual(3_072);
  });

  it.each(["red", "#fff", "#7c3aed;}"])("takes no accent %s, which is no color", async (accent) => {
    const { change } = await newForm({});
    expect(await owner.request("PATCH", change, { accent })).toMatchObject({
      status: 400,
      body: { details: [{ path: "accent", code: "not_color" }] },
    });
  });
});
