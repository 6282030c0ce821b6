import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { resolveMx } from "../../../src/lib/resolve-mx.ts";
import { ports } from "../../support/ports.ts";
import { DOH_URL, questionsAbout } from "../../support/resolver.ts";
import { type Row } from "../../support/rows.ts";
import { createService, unique, type Service } from "../../support/service.ts";
import { TEST_SETTINGS } from "../../support/settings.ts";

interface Result {
  imported: number;
  skipped: number;
  rejected: { row: number; email: string; reason: string }[];
}
type Subscriber = Record<"email" | "name" | "status", string> & { metadata: object };

const MIB = 1_048_576;
const DAY_SECONDS = 86_400;

const service = createService({ DOH_URL });
const owner = await service.newOwner();

/** New domain without a cached answer; below a name of the resolver it gets that name's answer. */
const domain = (parent = "takes-mail.test") => `${unique("d")}.${parent}`;

/** Project with its import through `world`; all worlds share the database. */
async function newList(world: Service = service) {
  const project = await owner.newProject();
  const path = `/projects/${project.id}/subscribers`;
  const client = world.withKey(project.key);
  const post = (body: unknown) => client.post(`${path}/import`, body);
  const load = async (rows: Row[]): Promise<Result> => {
    const answer = await post(rows);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body as unknown as Result;
  };
  const list = async () =>
    (await client.get<{ subscribers: Subscriber[]; total: number }>(`${path}?limit=200`)).body;
  return { ...project, path, post, load, list };
}

/** World whose resolver is this function of the domain. */
const withResolver = (answer: (name: string, type: string) => Promise<Response>, now = Date.now) =>
  createService(
    { DOH_URL },
    {
      now,
      fetch: (input) => {
        const { searchParams } = new URL(input instanceof Request ? input.url : input);
        return answer(searchParams.get("name") ?? "", searchParams.get("type") ?? "");
      },
    },
  );
const hasMx = () => Response.json({ Status: 0, Answer: [{ type: 15, data: "10 mx.test." }] });

describe("POST /projects/{id}/subscribers/import", () => {
  it("accepts 60 a minute per project, together with lists of other services", async () => {
    const { path, post } = await newList();
    const [project = ""] = path.split("/subscribers");
    const list = { file: "email\nann@any.test\n", dry_run: true };
    const imports = Array.from({ length: 59 }, () => post([]));
    await Promise.all(imports);
    expect((await owner.post(`${project}/audience/import`, list)).status).toBe(200);
    expect((await post([])).status).toBe(429);
    expect((await owner.post(`${project}/audience/import`, list)).status).toBe(429);
  });

  it("adds rows with their name and status, active by default", async () => {
    const { load, list } = await newList();
    const at = domain();
    const result = await load([
      { email: ` Ann@${at.toUpperCase()} `, name: "Ann" },
      { email: `bob@${at}`, status: "pending", name: null },
      { email: `cy@${at}`, status: "unsubscribed" },
    ]);
    expect(result).toEqual({ imported: 3, skipped: 0, rejected: [] });
    const { subscribers, total } = await list();
    expect(total).toBe(3);
    const shown = subscribers.map(({ email, name, status }) => `${email} ${name} ${status}`);
    expect(shown.sort()).toEqual([
      `ann@${at} Ann active`,
      `bob@${at}  pending`,
      `cy@${at}  unsubscribed`,
    ]);
    const gone = subscribers.find(({ status }) => status === "unsubscribed");
    expect(gone).toMatchObject({ unsubscribed_at: expect.any(String) });
  });

  it("keeps each row's metadata, and its source in a separate column", async () => {
    const { load, list, id } = await newList();
    const at = domain();
    const metadata = { source: "fair", plan: { tier: 2 } };
    const result = await load([
      { email: `a@${at}`, metadata },
      { email: `b@${at}`, metadata: null },
      { email: `c@${at}`, metadata: { source: 7 } },
      { email: `d@${at}` },
    ]);
    expect(result).toEqual({ imported: 4, skipped: 0, rejected: [] });
    const stored = new Map((await list()).subscribers.map((one) => [one.email, one.metadata]));
    expect(stored.get(`a@${at}`)).toEqual(metadata);
    expect(stored.get(`b@${at}`)).toEqual({});
    expect(stored.get(`c@${at}`)).toEqual({ source: 7 });
    expect(stored.get(`d@${at}`)).toEqual({});
    const { results } = await env.DB.prepare(
      "select email from subscribers where project_id = ? and source = 'fair'",
    )
      .bind(id)
      .all();
    expect(results).toEqual([{ email: `a@${at}` }]);
  });

  it("skips duplicates in the file and in the list; the first row counts", async () => {
    const { load, list } = await newList();
    const at = domain();
    await load([{ email: `known@${at}`, name: "Known", status: "pending" }]);
    const result = await load([
      { email: `KNOWN@${at}`, name: "Other" },
      { email: `new@${at}`, name: "First", status: "pending" },
      { email: ` New@${at}`, name: "Second" },
      { email: `new@${at}`, name: "Third" },
    ]);
    expect(result).toEqual({ imported: 1, skipped: 3, rejected: [] });
    const { subscribers, total } = await list();
    expect(total).toBe(2);
    expect(subscribers.map(({ name, status }) => `${name} ${status}`).sort()).toEqual([
      "First pending",
      "Known pending",
    ]);
  });

  it("reports each rejected row by its number and accepts the others", async () => {
    const { load } = await newList();
    const at = domain();
    const gone = domain("nx.test");
    const result = await load([
      { email: "no address" },
      { email: `ok@${at}` },
      { email: `a@${gone}` },
      { name: "no email at all" },
      { email: 7 },
      { email: "a@mailinator.com" },
      { email: "a@below.mailinator.com" },
      { email: `a@${gone}` },
      { email: "x".repeat(1_000) },
    ]);
    expect(result).toEqual({
      imported: 1,
      skipped: 0,
      rejected: [
        { row: 0, email: "no address", reason: "invalid_syntax" },
        { row: 2, email: `a@${gone}`, reason: "no_mx" },
        { row: 3, email: "", reason: "invalid_syntax" },
        { row: 4, email: "", reason: "invalid_syntax" },
        { row: 5, email: "a@mailinator.com", reason: "disposable" },
        { row: 6, email: "a@below.mailinator.com", reason: "disposable" },
        { row: 7, email: `a@${gone}`, reason: "no_mx" },
        { row: 8, email: "x".repeat(320), reason: "invalid_syntax" },
      ],
    });
    expect(await questionsAbout("mailinator.com")).toEqual([]);
  });

  it.each([
    ["nx.test", "no_mx"],
    ["null-mx.test", "no_mx"],
    ["no-mail.test", "no_mx"],
    ["alias.test", undefined],
    ["address-only.test", undefined],
    ["ipv6-only.test", undefined],
    ["servfail.test", undefined],
    ["broken.test", undefined],
    ["odd.test", undefined],
    ["huge.test", undefined],
    ["moved.test", undefined],
    ["error.test", undefined],
    ["reset.test", undefined],
  ])("judges a domain with the DNS answer %s: %s", async (parent, reason) => {
    const { load } = await newList();
    const email = `a@${domain(parent)}`;
    const { rejected } = await load([{ email }]);
    expect(rejected).toEqual(reason ? [{ row: 0, email, reason }] : []);
  });

  it("queries each domain once for any number of rows and imports, and caches the answer for a day", async () => {
    const { load } = await newList();
    for (const parent of ["takes-mail.test", "nx.test"]) {
      const at = domain(parent);
      const rows = Array.from({ length: 20 }, (_, row) => ({ email: `${row}@${at}` }));
      const first = await load(rows);
      const again = await load(rows);
      expect(again.rejected).toEqual(first.rejected);
      expect(await questionsAbout(at)).toEqual([`MX ${at}`]);
      const { keys } = await env.KV.list({ prefix: `mx:${at}` });
      const secondsLeft = (keys[0]?.expiration ?? 0) - Date.now() / 1_000;
      expect(secondsLeft).toBeGreaterThan(DAY_SECONDS - 60);
      expect(secondsLeft).toBeLessThanOrEqual(DAY_SECONDS + 1);
    }
  });

  it("does not cache a failed lookup", async () => {
    const { load } = await newList();
    const at = domain("servfail.test");
    await load([{ email: `a@${at}` }]);
    await load([{ email: `b@${at}` }]);
    expect(await questionsAbout(at)).toEqual([`MX ${at}`, `MX ${at}`]);
  });

  it("ignores unreadable cache entries", async () => {
    const { load } = await newList();
    const at = domain("nx.test");
    await env.KV.put(`mx:${at}`, "nonsense");
    expect((await load([{ email: `a@${at}` }])).rejected).toHaveLength(1);
  });

  it("makes at most six simultaneous queries", async () => {
    let underWay = 0;
    let most = 0;
    const { load } = await newList(
      withResolver(async () => {
        most = Math.max(most, ++underWay);
        await Promise.resolve();
        await new Promise((resolve) => setTimeout(resolve, 1));
        underWay -= 1;
        return hasMx();
      }),
    );
    const rows = Array.from({ length: 40 }, () => ({ email: `a@${domain()}` }));
    expect((await load(rows)).imported).toBe(40);
    expect(most).toBe(6);
  });

  it("stops querying a resolver that does not answer within two seconds", async () => {
    const { load } = await newList();
    const parent = `${unique("silent")}.slow.test`;
    const rows = Array.from({ length: 60 }, (_, at) => ({ email: `a@${at}.${parent}` }));
    const start = Date.now();
    expect(await load(rows)).toEqual({ imported: 60, skipped: 0, rejected: [] });
    const lasted = Date.now() - start;
    expect(lasted).toBeGreaterThanOrEqual(1_900);
    expect(await questionsAbout(parent)).toHaveLength(6);
    await load([{ email: `b@0.${parent}` }]);
    expect(await questionsAbout(parent)).toHaveLength(7);
  });

  it("accepts every row when the resolver is unreachable or its address is invalid", async () => {
    for (const url of ["http://127.0.0.1:1/dns-query", "not a URL"]) {
      const { load } = await newList(createService({ DOH_URL: url }));
      const rows = Array.from({ length: 20 }, () => ({ email: `a@${domain("nx.test")}` }));
      expect(await load(rows)).toEqual({ imported: 20, skipped: 0, rejected: [] });
    }
  });

  it("stops querying an unreachable resolver, but not after a single broken query", async () => {
    const rows = Array.from({ length: 60 }, () => ({ email: `a@${domain()}` }));
    let questions = 0;
    const lost = async () => {
      questions += 1;
      throw new Error("connection lost");
    };
    const { load } = await newList(withResolver(lost));
    expect(await load(rows)).toEqual({ imported: 60, skipped: 0, rejected: [] });
    expect(questions).toBeLessThanOrEqual(12);

    questions = 0;
    const flaky = async () => {
      if (++questions % 2 === 0) throw new Error("connection lost");
      return hasMx();
    };
    const other = await newList(withResolver(flaky));
    await other.load(rows);
    expect(questions).toBe(60);
  });

  it("accepts every row when the cache fails, and still obeys the resolver's answers", async () => {
    const broken = () => Promise.reject(new Error("KV is down"));
    const KV = { get: broken, put: broken } as unknown as KVNamespace;
    const { load } = await newList(createService({ DOH_URL, KV }));
    const gone = `a@${domain("nx.test")}`;
    const result = await load([{ email: `a@${domain()}` }, { email: gone }]);
    expect(result).toEqual({
      imported: 1,
      skipped: 0,
      rejected: [{ row: 1, email: gone, reason: "no_mx" }],
    });
  });

  it("stays below the platform's 1,000 subrequests and queries the domains of most rows first", async () => {
    const asked: string[] = [];
    const { load } = await newList(
      withResolver(async (name) => {
        asked.push(name);
        return hasMx();
      }),
    );
    const rare = Array.from({ length: 1_500 }, () => ({ email: `a@${domain()}` }));
    const common = domain();
    const rows = [...rare, { email: `a@${common}` }, { email: `b@${common}` }];
    expect((await load(rows)).imported).toBe(1_502);
    expect(asked[0]).toBe(common);
    expect(asked.length * 2).toBeGreaterThan(800);
    expect(asked.length * 2).toBeLessThanOrEqual(900);
  });

  it("stops querying a slow resolver after half a minute", async () => {
    let now = Date.now();
    let questions = 0;
    const slow = async () => {
      questions += 1;
      now += 1_900;
      return hasMx();
    };
    const { load } = await newList(withResolver(slow, () => now));
    const rows = Array.from({ length: 100 }, () => ({ email: `a@${domain()}` }));
    expect((await load(rows)).imported).toBe(100);
    expect(questions).toBeLessThanOrEqual(22);
  });

  it("handles domains named like properties of objects", async () => {
    const { post, list } = await newList();
    const names = ["constructor", "__proto__", "tostring", "hasownproperty"];
    const rows = names.map(
      (name) => `{"email":"${name}@constructor.test","__proto__":{"status":"x"}}`,
    );
    const { body } = await post(`[${rows.join(",")}]`);
    expect(body).toMatchObject({ imported: 4, skipped: 0, rejected: [] });
    const { subscribers } = await list();
    expect(subscribers.map(({ status }) => status)).toEqual(Array(4).fill("active"));
  });

  it("adds each email once if the same file arrives twice at the same time", async () => {
    const { id, load, list } = await newList();
    const at = domain();
    const rows = Array.from({ length: 200 }, (_, row) => ({ email: `${row}@${at}` }));
    const results = await Promise.all([load(rows), load(rows), load(rows)]);
    expect(results.reduce((sum, { imported }) => sum + imported, 0)).toBe(200);
    expect(results.reduce((sum, { skipped }) => sum + skipped, 0)).toBe(400);
    expect((await list()).total).toBe(200);
    expect(await rowsOf(id)).toBe(200);
  });

  it("can be repeated after an interruption: known rows are skipped, and the counters are right", async () => {
    const failing = createService({ DOH_URL });
    const { id, post, load, list } = await newList(failing);
    const at = domain();
    const name = "n".repeat(180);
    const rows = Array.from({ length: 6_000 }, (_, row) => ({ email: `${row}@${at}`, name }));
    let writes = 0;
    failing.d1.before = (sql) => {
      if (sql.some((text) => text.includes("insert into subscribers")) && ++writes === 2)
        throw new Error("D1 is gone");
    };
    expect((await post(rows)).status).toBe(500);
    failing.d1.before = undefined;
    const first = await rowsOf(id);
    expect(first).toBeGreaterThan(0);
    expect((await list()).total).toBe(first);
    expect(await load(rows)).toEqual({ imported: 6_000 - first, skipped: first, rejected: [] });
    expect((await list()).total).toBe(6_000);
  });

  it("stores 20,000 rows in a handful of statements", async () => {
    const { id, load, list } = await newList();
    const at = domain();
    const statuses = ["active", "active", "pending", "unsubscribed"];
    const rows = Array.from({ length: 20_000 }, (_, row) => ({
      email: `person.number.${row}@${at}`,
      name: `Person Number ${row}`,
      status: statuses[row % statuses.length],
    }));
    service.d1.reset();
    const start = Date.now();
    expect(await load(rows)).toEqual({ imported: 20_000, skipped: 0, rejected: [] });
    const lasted = Date.now() - start;
    const { roundTrips, rowsRead, rowsWritten } = service.d1;
    console.log(
      `20,000 rows: ${lasted} ms, ${roundTrips} trips, ${rowsRead} read, ${rowsWritten} written`,
    );
    expect(roundTrips).toBeLessThanOrEqual(7); // one checks the caller again after a large body
    expect(rowsWritten).toBeLessThanOrEqual(4 * 20_000 + 20); // the search by name needs the fourth
    expect((await list()).total).toBe(20_000);
    const { results } = await service.env.DB.prepare(
      "select subscribers_active a, subscribers_pending p, subscribers_unsubscribed u from project_counters where project_id = ?",
    )
      .bind(id)
      .all();
    expect(results).toEqual([{ a: 10_000, p: 5_000, u: 5_000 }]);
    expect(await rowsOf(id)).toBe(20_000);
  }, 60_000);
});

describe("an import of the shortest rows", () => {
  it("binds no text of 2 MB, the limit of D1, even with a previous encryption key", async () => {
    let longest = 0;
    const prepare = (sql: string) => {
      const statement = env.DB.prepare(sql);
      const bind = statement.bind.bind(statement);
      statement.bind = (...values) => {
        for (const value of values) longest = Math.max(longest, String(value).length);
        return bind(...values);
      };
      return statement;
    };
    const DB = Object.assign(Object.create(env.DB), {
      prepare,
      batch: env.DB.batch.bind(env.DB),
    }) as D1Database; // as drizzle uses it
    const { load } = await newList(
      createService({
        DB,
        DOH_URL,
        ENCRYPTION_KEY: btoa("another key, of thirty-two bytes"),
        ENCRYPTION_KEY_PREVIOUS: TEST_SETTINGS.ENCRYPTION_KEY,
      }),
    );
    const rows = Array.from({ length: 25_000 }, (_, row) => ({ email: `${row}@a.test` }));
    expect(await load(rows)).toEqual({ imported: 25_000, skipped: 0, rejected: [] });
    expect(longest).toBeGreaterThan(1_000_000);
    expect(longest).toBeLessThan(2_000_000);
  });
});

async function rowsOf(projectId: string): Promise<number> {
  const row = await service.env.DB.prepare(
    "select count(*) as n from subscribers where project_id = ?",
  )
    .bind(projectId)
    .first<{ n: number }>();
  return row?.n ?? -1;
}

describe("the body of an import", () => {
  const rows = (count: number) => `[${Array(count).fill("{}").join(",")}]`;

  it("holds at most 50,000 rows", async () => {
    const { post } = await newList();
    const most = await post(rows(50_000));
    expect(most.status).toBe(200);
    expect((most.body["rejected"] as unknown[]).length).toBe(50_000);
    const more = await post(rows(50_001));
    expect(more.status).toBe(400);
    expect(more.body).toMatchObject({ error: "must have at most 50000 entries" });
  });

  it("holds at most 16 MiB", async () => {
    const { post } = await newList();
    const padded = (bytes: number) => `[${" ".repeat(bytes - 2)}]`;
    expect((await post(padded(16 * MIB))).status).toBe(200);
    expect((await post(padded(16 * MIB + 1))).status).toBe(413);
  });

  it("may contain no rows", async () => {
    const { post } = await newList();
    expect((await post([])).body).toEqual({ imported: 0, skipped: 0, rejected: [] });
  });

  it("rejects only the rows with an unknown status, and treats null as absent", async () => {
    const { load } = await newList();
    const at = domain();
    const result = await load([
      { email: `a@${at}`, status: "confirmed" },
      { email: `b@${at}`, status: "pending" },
      { email: `c@${at}`, status: 7 },
      { email: "no address", status: "Active" },
      { email: `d@${at}`, status: null },
    ]);
    expect(result).toEqual({
      imported: 2,
      skipped: 0,
      rejected: [
        { row: 0, email: `a@${at}`, reason: "invalid_status" },
        { row: 2, email: `c@${at}`, reason: "invalid_status" },
        { row: 3, email: "no address", reason: "invalid_syntax" },
      ],
    });
  });

  it.each([
    ["{}", "the body must be a JSON array"],
    ["", "the body must be a JSON array"],
    ["[1", "the body is not valid JSON: line 1, column 3"],
  ])("is answered 400 and adds no subscriber when it is %s", async (body, error) => {
    const { id, post } = await newList();
    const answer = await post(body);
    expect(answer.status).toBe(400);
    if (typeof error === "string") expect(answer.body).toMatchObject({ error });
    else expect(answer.body["error"]).toMatch(error);
    expect(await rowsOf(id)).toBe(0);
  });
});

describe("a value that is not a row", () => {
  it.each([
    ["null", "null", "must be an object"],
    ["a number", "7", "must be an object"],
    ["a text", '"b@any.test"', "must be an object"],
    ["a name that is no text", '{"name":7}', "name: must be a string"],
    ["metadata that are a list", '{"metadata":[]}', "metadata: must be an object"],
    ["large metadata", `{"metadata":{"a":"${"x".repeat(8_192)}"}}`, /^metadata: must have at most/],
    [
      "deep metadata",
      `{"metadata":${'{"a":'.repeat(20)}{}${"}".repeat(20)}}`,
      /^metadata: .* 20 levels$/,
    ],
    ["a tag with a comma", '{"tags":["a,b"]}', /^tags\.0: /],
  ])("is rejected individually: %s", async (_name, fault, detail) => {
    const { id, post } = await newList();
    const { status, body } = await post(`[${fault},{"email":"good@any.test"}]`);
    const told = typeof detail === "string" ? detail : expect.stringMatching(detail);
    expect([status, body]).toEqual([
      200,
      {
        imported: 1,
        skipped: 0,
        rejected: [{ row: 0, email: "", reason: "invalid_row", detail: told }],
      },
    ]);
    expect(await rowsOf(id)).toBe(1);
  });
});

describe("an import in many chunks", () => {
  const rowsWith = (at: string, fault: string) =>
    `[${Array.from({ length: 3_000 }, (_, row) =>
      row === 2_500 ? fault : `{"email":"${row}@${at}","name":"Näme €"}`,
    ).join(",")}]`;

  it("of invalid JSON is rejected as a whole", async () => {
    const { id, post } = await newList();
    const invalid = await post(rowsWith(domain(), '7,{"email":}'));
    expect(invalid).toMatchObject({ status: 400, body: { code: "body_not_json" } });
    expect(await rowsOf(id)).toBe(0);
  });

  it("rejects rows of all chunks in their order", async () => {
    const { post } = await newList();
    const gone = domain("nx.test");
    const faults = `{"email":"a@${gone}"},{"email":"none"},{"email":"a@mailinator.com"}`;
    const { body } = await post(rowsWith(domain(), faults));
    expect(body).toEqual({
      imported: 2_999,
      skipped: 0,
      rejected: [
        { row: 2_500, email: `a@${gone}`, reason: "no_mx" },
        { row: 2_501, email: "none", reason: "invalid_syntax" },
        { row: 2_502, email: "a@mailinator.com", reason: "disposable" },
      ],
    });
  });
});

describe("resolveMx", () => {
  const resolver = { fetch, url: DOH_URL, timeoutMs: 20_000 };

  it("distinguishes an unresponsive resolver from one with an empty answer", async () => {
    expect(await resolveMx({ ...resolver, timeoutMs: 300 }, domain("slow.test"))).toBe("no_answer");
    expect(await resolveMx(resolver, domain("servfail.test"))).toBe("unknown");
    expect(await resolveMx(resolver, domain("huge.test"))).toBe("unknown");
  });

  it("queries addresses only if there is no MX", async () => {
    const [plain, ipv4, ipv6, none] = [
      domain(),
      domain("address-only.test"),
      domain("ipv6-only.test"),
      domain("no-mail.test"),
    ];
    for (const name of [plain, ipv4, ipv6, none]) await resolveMx(resolver, name);
    expect(await questionsAbout(plain)).toEqual([`MX ${plain}`]);
    expect(await questionsAbout(ipv4)).toEqual([`MX ${ipv4}`, `A ${ipv4}`]);
    expect(await questionsAbout(ipv6)).toEqual([`MX ${ipv6}`, `A ${ipv6}`, `AAAA ${ipv6}`]);
    expect(await questionsAbout(none)).toEqual([`MX ${none}`, `A ${none}`, `AAAA ${none}`]);
  });

  it("keeps the parameters of a resolver's URL", async () => {
    const url = `http://127.0.0.1:${ports.doh}/dns-query?name=other.test&token=1`;
    expect(await resolveMx({ ...resolver, url }, domain("nx.test"))).toBe("no_mail");
  });
});
