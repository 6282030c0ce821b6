/* The check of a sender's DNS: parsers, the walk through SPF, and the bounds against strangers. */
import { describe, expect, it } from "vitest";
import { openDnsSession } from "../../src/lib/dns-session.ts";
import { readTxt } from "../../src/lib/read-txt.ts";
import { checkAlignment, checkDmarc } from "../../src/mail/sender-check/check-dmarc.ts";
import { checkMx } from "../../src/mail/sender-check/check-mx.ts";
import { checkSpf } from "../../src/mail/sender-check/check-spf.ts";
import { findDmarc, parseDmarc } from "../../src/mail/sender-check/find-dmarc.ts";
import { checkSender } from "../../src/mail/sender-check/index.ts";
import { parseSpf } from "../../src/mail/sender-check/parse-spf.ts";
import { readFacts } from "../../src/mail/sender-check/read-facts.ts";
import { resolverOf, type Zone } from "../support/dns-zone.ts";

const DOMAIN = "shop.example";
const HOST = "mail.shop.example";
const SENDER = {
  domain: DOMAIN,
  envelopeDomain: `bounce.${DOMAIN}`,
  smtpHosts: [HOST, "other.example"],
  dkimSelector: "s1",
  seenMail: undefined,
};
const factsOf = (zone: Zone, domain = DOMAIN, envelopeDomain = domain, smtpHosts = [HOST]) =>
  readFacts(resolverOf(zone).ask, { ...SENDER, domain, envelopeDomain, smtpHosts });
const only = <Item>([item]: Item[]): Item => {
  if (item === undefined) throw new Error("nothing was found");
  return item;
};
const server = (host = HOST, ...addresses: string[]) => ({ host, addresses });
const spf = async (zone: Zone, { host, addresses } = server(HOST, "192.0.2.1")) => {
  const own: Zone = {};
  for (const address of addresses)
    own[`${address.includes(":") ? "AAAA" : "A"} ${host}`] = [address];
  return only(checkSpf(await factsOf({ ...own, ...zone }, DOMAIN, DOMAIN, [host])));
};
const record = (text: string): Zone => ({ [`TXT ${DOMAIN}`]: [text] });

describe("the text of a TXT record", () => {
  it.each([
    ['"v=spf1 -all"', "v=spf1 -all"],
    ['"v=spf1 include:a" ".example -all"', "v=spf1 include:a.example -all"],
    [String.raw`"a\"b\\c\233\009d"`, 'a"b\\c\u00e9\td'],
    ["v=spf1 -all", "v=spf1 -all"],
    ['""', ""],
    ['"open', ""],
    [String.raw`"end\"`, ""],
  ])("of %s is parsed", (data, text) => {
    expect(readTxt(data)).toBe(text);
  });
});

describe("an SPF record", () => {
  it.each([
    ["v=spf1", 0],
    ["v=spf1 -all", 1],
    ["V=SPF1 +MX ~ALL", 2],
    ["v=spf1 a/24 a:x.example//64 mx/24//64 ?all", 4],
    ["v=spf1 ip4:192.0.2.0/24 ip6:2001:db8::/32 ip6:::1 -all", 4],
    ["v=spf1 include:_spf.x.example exists:%{i}._spf.%{d} ptr:x.example redirect=y.example", 3],
    ["v=spf1 exp=why.example unknown=value -all", 1],
  ])("%s is parsed", (text, terms) => {
    const parsed = parseSpf(text);
    expect(parsed).toMatchObject({ ok: true });
    expect(parsed.ok && parsed.terms).toHaveLength(terms);
  });

  it.each([
    "v=spf1 include",
    "v=spf1 include:",
    "v=spf1 ip4:192.0.2.256",
    "v=spf1 ip4:192.0.2.0/33",
    "v=spf1 ip4:192.0.2",
    "v=spf1 ip6:192.0.2.1",
    "v=spf1 ip6:2001:db8::/129",
    "v=spf1 a:/24",
    "v=spf1 mx//129",
    "v=spf1 all:x.example",
    "v=spf1 ipv4:192.0.2.1 -all",
    "v=spf1 -all, ",
    "v=spf1 \u0000\u00ff\u202e",
  ])("%j is ignored by receivers", async (text) => {
    expect(parseSpf(text)).toMatchObject({ ok: false });
    expect(await spf(record(text))).toMatchObject({ verdict: "problem" });
  });
});

describe("SPF of a sender", () => {
  it.each<[string, string, Zone]>([
    ["ip4", "v=spf1 ip4:192.0.2.0/24 -all", {}],
    ["a of the server", `v=spf1 a:${HOST} -all`, { [`A ${HOST}`]: ["192.0.2.1"] }],
    ["a with a prefix", "v=spf1 a/24 -all", { [`A ${DOMAIN}`]: ["192.0.2.200"] }],
    [
      "mx",
      "v=spf1 mx -all",
      { [`MX ${DOMAIN}`]: ["10 mx.shop.example."], "A mx.shop.example": ["192.0.2.1"] },
    ],
    [
      "an include",
      "v=spf1 include:a.example -all",
      {
        "TXT a.example": ["other text", "v=spf1 include:b.example -all"],
        "TXT b.example": ["v=spf1 ip4:192.0.2.1 -all"],
      },
    ],
    ["a redirect", "v=spf1 redirect=a.example", { "TXT a.example": ["v=spf1 ip4:192.0.2.1 -all"] }],
    ["a pass after a macro", "v=spf1 exists:%{i}.a.example ip4:192.0.2.1 -all", {}],
  ])("that names the server by %s is ok", async (_, text, zone) => {
    const item = await spf({ ...zone, ...record(text) });
    expect(item).toMatchObject({ verdict: "ok", found: [text], record: null });
  });

  it("compares every address of the server, both IPv4 and IPv6", async () => {
    const zone = record("v=spf1 ip4:192.0.2.1 ip6:2001:db8::/32 -all");
    const both = await spf(zone, server(HOST, "192.0.2.1", "2001:db8::25"));
    expect(both.verdict).toBe("ok");
    const half = await spf(zone, server(HOST, "192.0.2.1", "2001:db9::25"));
    expect(half).toMatchObject({ verdict: "unknown", code: "spf_lacks_server" });
  });

  it("that includes the provider of a known server is ok, whatever its addresses", async () => {
    const text = "v=spf1 include:_spf.google.com ~all";
    const zone = { ...record(text), "TXT _spf.google.com": ["v=spf1 ip4:198.51.100.0/24 ~all"] };
    const item = await spf(zone, server("smtp.gmail.com", "203.0.113.9"));
    expect(item).toMatchObject({
      verdict: "ok",
      code: "spf_includes_provider",
      params: { used: 1, max: 10 },
      record: null,
    });
  });

  it("that does not name the server is unknown, because a relay may send from elsewhere", async () => {
    const item = await spf(record("v=spf1 ip4:198.51.100.7 -all"));
    expect(item).toMatchObject({
      verdict: "unknown",
      code: "spf_lacks_server",
      record: { name: DOMAIN, type: "TXT", value: `v=spf1 a:${HOST} ip4:198.51.100.7 -all` },
    });
    expect(await spf(record("v=spf1 ip4:198.51.100.7 -all"), server())).toMatchObject({
      verdict: "unknown",
      code: "spf_lacks_server",
    });
    expect(await spf(record("v=spf1 exists:%{i}.a.example -all"))).toMatchObject({
      verdict: "unknown",
    });
  });

  it.each<[string, Zone, string]>([
    ["no record", { [`TXT ${DOMAIN}`]: ["hello"] }, "spf_missing"],
    [
      "two records",
      { [`TXT ${DOMAIN}`]: ["v=spf1 -all", "v=spf1 ip4:192.0.2.1 -all"] },
      "spf_several",
    ],
    ["a record that lets nobody send", record("v=spf1 -all"), "spf_names_nobody"],
    ["an include of itself", record(`v=spf1 include:${DOMAIN} -all`), "spf_too_many_lookups"],
    [
      "a loop of two",
      {
        ...record("v=spf1 include:a.example -all"),
        "TXT a.example": [`v=spf1 redirect=${DOMAIN}`],
      },
      "spf_too_many_lookups",
    ],
    ["an include of nothing", record("v=spf1 include:a.example -all"), "spf_include_not_one"],
    [
      "an include of no name",
      record("v=spf1 include:localhost ip4:192.0.2.1 -all"),
      "spf_include_not_one",
    ],
    [
      "two records at an include",
      {
        ...record("v=spf1 include:a.example -all"),
        "TXT a.example": ["v=spf1 -all", "v=spf1 ?all"],
      },
      "spf_include_not_one",
    ],
    ["a word that is no term", record("v=spf1 the=is the:is -all"), "spf_unknown_term"],
  ])("with %s is a problem", async (_, zone, code) => {
    const item = await spf(zone);
    expect(item.verdict).toBe("problem");
    const reason = item.code === "spf_ignored" ? item.params?.["reason"] : item;
    expect(reason).toMatchObject({ code });
  });

  it("may need ten lookups and no more, including ptr and macros", async () => {
    const includes = Array.from({ length: 8 }, (_, n) => `include:i${n}.example`).join(" ");
    const zone: Zone = Object.fromEntries(
      Array.from({ length: 9 }, (_, n) => [`TXT i${n}.example`, ["v=spf1 -all"]]),
    );
    const ten = record(`v=spf1 ${includes} ptr exists:%{i}.x.example ip4:192.0.2.1 -all`);
    expect(await spf({ ...zone, ...ten })).toMatchObject({ verdict: "ok" });
    const eleven = record(`v=spf1 ${includes} ptr exists:%{i}.x.example include:i8.example -all`);
    const item = await spf({ ...zone, ...eleven });
    expect(item).toMatchObject({
      verdict: "problem",
      code: "spf_ignored",
      params: { reason: { code: "spf_too_many_lookups", params: { max: 10 } } },
    });
  });

  it("that lets anyone send yields a warning", async () => {
    const zone = { "TXT a.example": ["v=spf1 +all"] };
    for (const text of [
      "v=spf1 +all",
      "v=spf1 ip4:192.0.2.1 all",
      "v=spf1 ip4:0.0.0.0/0 -all",
      "v=spf1 include:a.example -all",
    ])
      expect(await spf({ ...zone, ...record(text) })).toMatchObject({ code: "spf_open" });
    expect(await spf({ ...zone, ...record("v=spf1 ?include:a.example -all") })).toMatchObject({
      code: "spf_names_nobody",
    });
  });

  it("is unknown if DNS does not respond", async () => {
    expect(await spf({ [`TXT ${DOMAIN}`]: "no_answer" })).toMatchObject({ verdict: "unknown" });
    const zone = {
      ...record("v=spf1 include:a.example -all"),
      "TXT a.example": "unknown" as const,
    };
    expect(await spf(zone)).toMatchObject({ verdict: "unknown", record: null });
  });

  it("shows untrusted text as one line of bounded length", async () => {
    const text = `v=spf1 \u202e\u0007${"x".repeat(5_000)}`;
    const item = await spf(record(text));
    expect(item.found[0]).toHaveLength(999);
    expect(JSON.stringify(item)).not.toMatch(/\u202e|\\u0007/);
  });
});

describe("DMARC", () => {
  it.each([
    ["v=DMARC1; p=none", { policy: "none", subdomainPolicy: "none", reportTo: [] }],
    ["v=DMARC1;p=reject;sp=quarantine", { policy: "reject", subdomainPolicy: "quarantine" }],
    [
      "v=DMARC1; p=NONE; rua=mailto:a@b.example,https://c.example, mailto:d@e.example!10m",
      { policy: "none", reportTo: ["mailto:a@b.example", "mailto:d@e.example!10m"] },
    ],
    ["v=DMARC1; p=none; aspf=s; adkim=s;", { isSpfStrict: true }],
    ["v=DMARC1; rua=mailto:a@b.example", { policy: "none" }],
    ["v=DMARC1", undefined],
    ["v=DMARC1; p=block", undefined],
    ["v=DMARC1 p=none", undefined],
    ["v=DMARC1; p=none; p=reject", undefined],
    ["p=none; v=DMARC1", undefined],
    ["v=DMARC2; p=none", undefined],
  ])("parses %s", (text, expected) => {
    if (expected) expect(parseDmarc(text)).toMatchObject(expected);
    else expect(parseDmarc(text)).toBeUndefined();
  });

  const dmarc = async (zone: Zone, domain = DOMAIN) =>
    only(checkDmarc(await factsOf(zone, domain)));

  it.each<[string, Zone, string, string]>([
    ["a policy", { [`TXT _dmarc.${DOMAIN}`]: ["v=DMARC1; p=reject"] }, "ok", "dmarc_no_reports"],
    [
      "reports without a policy that acts",
      { [`TXT _dmarc.${DOMAIN}`]: ["v=DMARC1; p=none; rua=mailto:d@shop.example"] },
      "ok",
      "dmarc_reports",
    ],
    ["neither", { [`TXT _dmarc.${DOMAIN}`]: ["v=DMARC1; p=none"] }, "warning", "dmarc_no_reports"],
    ["no record", {}, "problem", "dmarc_missing"],
    [
      "several records",
      { [`TXT _dmarc.${DOMAIN}`]: ["v=DMARC1; p=none", "v=DMARC1; p=reject"] },
      "problem",
      "dmarc_several",
    ],
    [
      "a broken record",
      { [`TXT _dmarc.${DOMAIN}`]: ["v=DMARC1; p=nothing"] },
      "problem",
      "dmarc_ignored",
    ],
    ["no answer", { [`TXT _dmarc.${DOMAIN}`]: "no_answer" }, "unknown", "dns_not_answered"],
  ])("of a domain with %s", async (_, zone, verdict, code) => {
    const item = await dmarc(zone);
    expect(item.verdict).toBe(verdict);
    const reports = item.code === "dmarc_policy" ? item.params?.["reports"] : item;
    expect(reports).toMatchObject({ code });
  });

  it("of a subdomain is the subdomain policy of its parent domain", async () => {
    const zone = { [`TXT _dmarc.${DOMAIN}`]: ["v=DMARC1; p=none; sp=reject"] };
    const item = await dmarc(zone, `a.news.${DOMAIN}`);
    expect(item).toMatchObject({
      code: "dmarc_policy",
      params: { policy: "reject", domain: "shop.example" },
    });
  });

  it("is queried at no more than five levels of a long domain, and never at its last label", async () => {
    const { ask, asked } = resolverOf({});
    await findDmarc(ask, `a.b.c.d.e.f.g.${DOMAIN}`);
    expect(asked).toHaveLength(5);
    expect(asked).not.toContain("TXT _dmarc.example");
  });

  it.each<[string, string, string, string, string]>([
    [DOMAIN, DOMAIN, "v=DMARC1; p=none; aspf=s", "ok", "envelope_aligned"],
    [DOMAIN, `bounce.${DOMAIN}`, "v=DMARC1; p=none", "ok", "envelope_aligned"],
    [DOMAIN, `bounce.${DOMAIN}`, "v=DMARC1; p=none; aspf=s", "warning", "envelope_not_aligned"],
    [`news.${DOMAIN}`, `bounce.${DOMAIN}`, "v=DMARC1; p=none", "ok", "envelope_aligned"],
    [DOMAIN, "bounce.provider.example", "v=DMARC1; p=none", "warning", "envelope_not_aligned"],
    [DOMAIN, `bounce.evil-${DOMAIN}`, "v=DMARC1; p=none", "warning", "envelope_not_aligned"],
  ])(
    "of %s aligns with the envelope of %s by %s: %s",
    async (from, envelope, text, verdict, code) => {
      const zone = { [`TXT _dmarc.${DOMAIN}`]: [text] };
      const item = only(checkAlignment(await factsOf(zone, from, envelope)));
      expect(item).toMatchObject({ verdict, code });
    },
  );

  it("of a public suffix does not make its domains one organization", async () => {
    const zone = { "TXT _dmarc.co.example": ["v=DMARC1; p=none; psd=y"] };
    const facts = await factsOf(zone, "shop.co.example", "other.co.example");
    expect(checkAlignment(facts)).toMatchObject([{ code: "envelope_not_aligned" }]);
  });
});

describe("MX of a sender", () => {
  it.each<[string, Zone, string, string]>([
    ["MX records", { [`MX ${DOMAIN}`]: ["10 mx.shop.example."] }, "ok", "mx_found"],
    ["a null MX", { [`MX ${DOMAIN}`]: ["0 ."] }, "problem", "null_mx"],
    ["an address alone", { [`A ${DOMAIN}`]: ["192.0.2.1"] }, "warning", "mx_missing"],
    ["nothing", { [`TXT ${DOMAIN}`]: ["hello"] }, "problem", "mx_and_address_missing"],
    ["no such domain", {}, "problem", "mx_and_address_missing"],
    ["no answer", { [`MX ${DOMAIN}`]: "no_answer" }, "unknown", "dns_not_answered"],
    ["half an answer", { [`A ${DOMAIN}`]: "unknown" }, "unknown", "dns_not_answered"],
  ])("with %s", async (_, zone, verdict, code) => {
    expect(checkMx(await factsOf(zone))).toMatchObject([{ verdict, code }]);
  });
});

/** A session with a resolver that answers each question from a zone. */
function sessionOf(zone: Zone, bounds = {}, delayMs = 0) {
  const { ask, asked } = resolverOf(zone);
  const use = { now: 0, most: 0 };
  const fetch = async (input: RequestInfo | URL, init?: RequestInit) => {
    use.now += 1;
    use.most = Math.max(use.most, use.now);
    const { searchParams } = new URL(input instanceof Request ? input.url : input);
    const name = searchParams.get("name") ?? "";
    const type = searchParams.get("type") ?? "";
    await new Promise((resolve, reject) => {
      setTimeout(resolve, delayMs);
      init?.signal?.addEventListener("abort", () => reject(new Error("aborted")));
    });
    use.now -= 1;
    const types: Record<string, number> = { A: 1, MX: 15, TXT: 16, AAAA: 28 };
    const known = type === "A" || type === "MX" || type === "TXT" ? type : "AAAA";
    const answer = await ask(name, known);
    if (answer.kind === "no_such_name") return Response.json({ Status: 3 });
    const data = answer.kind === "records" ? answer.data : [];
    return Response.json({
      Status: 0,
      Answer: data.map((one) => ({ type: types[type], data: one })),
    });
  };
  const defaults = { maxQuestions: 40, maxAtOnce: 6, maxMs: 5_000 };
  const session = openDnsSession({ fetch, url: "https://doh.test/" }, { ...defaults, ...bounds });
  return { session, asked, use };
}

describe("the DNS queries of a check", () => {
  it("are at most 40, at most six at once, and never repeated, whatever the records say", async () => {
    const zone: Zone = { [`A ${HOST}`]: ["192.0.2.1"], "AAAA other.example": ["2001:db8::1"] };
    const hosts = (name: string) => Array.from({ length: 10 }, (_, n) => `10 mx${n}.${name}.`);
    const mechanisms = Array.from({ length: 10 }, (_, n) => `mx:m${n}.example`).join(" ");
    zone[`TXT bounce.${DOMAIN}`] = [`v=spf1 ${mechanisms} -all`];
    for (let n = 0; n < 10; n++) zone[`MX m${n}.example`] = hosts(`m${n}.example`);
    for (let n = 0; n < 10; n++) zone[`A mx${n}.m0.example`] = ["198.51.100.1"];
    const { session, asked, use } = sessionOf(zone, {}, 1);
    const items = await checkSender(session, SENDER);
    expect(asked.length).toBeLessThanOrEqual(40);
    expect(asked.length).toBe(session.asked());
    expect(new Set(asked).size).toBe(asked.length);
    expect(use.most).toBe(6);
    expect(items.map(({ check, verdict }) => `${check} ${verdict}`)).toEqual([
      "mx problem",
      "mx problem",
      "spf unknown",
      "spf unknown",
      "dmarc problem",
      "alignment ok",
      "dkim problem",
    ]);
  });

  it("stop at the time limit of the check, and the rest is unknown", async () => {
    const { session } = sessionOf({}, { maxMs: 200 }, 60_000);
    const startedAt = performance.now();
    const items = await checkSender(session, SENDER);
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    const verdicts = new Set(items.map(({ verdict }) => verdict));
    expect([...verdicts].toSorted()).toEqual(["unknown"]);
  });

  it("contain only names: nothing in a record reaches the resolver as a URL", async () => {
    const { session, asked } = sessionOf({
      ...record("v=spf1 include:a.example&type=A include:http://x.example a:../x.example -all"),
      "TXT a.example&type=A": ["v=spf1 -all"],
    });
    await checkSender(session, { ...SENDER, envelopeDomain: DOMAIN });
    for (const question of asked) expect(question).toMatch(/^[A-Z]+ [a-z0-9._-]+$/);
  });
});
