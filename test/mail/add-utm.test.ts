import { describe, expect, it } from "vitest";
import { decideUtm } from "../../src/lib/utm.ts";
import { addUtm } from "../../src/mail/html/add-utm.ts";

describe("campaign parameters", () => {
  const utm = { source: "shop", medium: "email", campaign: "a&b c" };
  const added = "utm_source=shop&utm_medium=email&utm_campaign=a%26b%20c";

  it.each([
    ["https://a.test", `https://a.test?${added}`],
    ["https://a.test/#top", `https://a.test/?${added}#top`],
    ["https://a.test/?x=1&y=%20#a?b", `https://a.test/?x=1&y=%20&${added}#a?b`],
    ["https://a.test/?", `https://a.test/?${added}`],
    ["https://a.test/?x&", `https://a.test/?x&${added}`],
    ["https://a.test/{{name}}?q=%%code%%", `https://a.test/{{name}}?q=%%code%%&${added}`],
  ])("follow the query of %s", (url, expected) => {
    expect(addUtm(url, utm)).toBe(expected);
  });

  it.each(["https://a.test/?utm_source=own", "https://a.test/?x=1&UTM_term=y#z"])(
    "leave %s alone, which has its own",
    (url) => {
      expect(addUtm(url, utm)).toBe(url);
    },
  );

  it("are added to a URL whose path or fragment merely looks like them", () => {
    expect(addUtm("https://a.test/utm_x#?utm_y", utm)).toBe(`https://a.test/utm_x?${added}#?utm_y`);
  });

  it("are none unless the project or the broadcast sets some", () => {
    expect(decideUtm({}, { own: {}, name: "May" })).toEqual({});
    expect(addUtm("https://a.test/", {})).toBe("https://a.test/");
  });

  it.each([
    ["  Frühling & Sale – 2026! ", "fruhling-sale-2026"],
    ["新着情報", "新着情報"],
  ])("name the broadcast %s as campaign %s by default", (name, campaign) => {
    const project = { source: "shop" };
    expect(decideUtm(project, { own: {}, name })).toEqual({ source: "shop", campaign });
    expect(decideUtm(project, { own: { campaign: "x" }, name }).campaign).toBe("x");
    expect(decideUtm({ campaign: "all" }, { own: { source: "b" }, name })).toEqual({
      source: "b",
      campaign: "all",
    });
  });

  it("have no campaign for a name without letters and digits", () => {
    expect(decideUtm({ source: "shop" }, { own: {}, name: "!!!" })).toEqual({ source: "shop" });
  });
});
