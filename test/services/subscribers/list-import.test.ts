/* Lists that other services exported (API reference §12.11). */
import { describe, expect, it } from "vitest";
import { LISTS } from "../../fixtures/imports/all.ts";
import { newMember, teamService } from "../../support/workspaces.ts";

let now = Date.now();
const service = teamService(() => now);
const owner = await service.newOwner();

type Answer = Record<string, unknown> & {
  format: string | null;
  needs: string[];
  rejected: unknown[];
  sample: { metadata: Record<string, unknown> }[];
};
type Entry = Record<"id" | "email" | "name" | "status" | "reason" | "source", string> & {
  tags: string[];
  metadata: Record<string, unknown>;
};

async function newList() {
  const { id, key } = await owner.newProject();
  const path = `/projects/${id}`;
  const load = async (body: Record<string, unknown>, client = owner) => {
    const answer = await client.post<Answer>(`${path}/audience/import`, body);
    return { status: answer.status, body: answer.body };
  };
  const people = async () => {
    const { body } = await owner.get<{ subscribers: Entry[] }>(`${path}/subscribers?sort=email`);
    return body.subscribers.map(({ email, status }) => `${email} ${status}`);
  };
  const subscriber = async (email: string) => {
    const { body } = await owner.get<{ subscribers: Entry[] }>(
      `${path}/subscribers?search=${email}`,
    );
    return body.subscribers[0];
  };
  const shut = async () => {
    const { body } = await owner.get<{ suppressions: Entry[] }>(`${path}/suppressions`);
    return body.suppressions.map(({ email, reason, source }) => `${email} ${reason} ${source}`);
  };
  return { id, key, path, load, people, subscriber, shut };
}

const countsOf = (body: Answer) =>
  ["imported", "unsubscribed", "suppressed", "skipped", "ignored", "rejected_rows"].map(
    (name) => body[name],
  );

/** By format: who is in the list afterwards, who is suppressed, and the counts above. */
const EXPECTED: Record<keyof typeof LISTS, [string[], string[], number[]]> = {
  listmonk: [
    ["ann@list.test active", "bob@list.test unsubscribed"],
    ["cy@list.test manual listmonk"],
    [2, 0, 1, 0, 0, 0],
  ],
  mailchimp_subscribed: [
    ["ann@list.test active", "bob@list.test active", "shop@list.test pending"],
    [],
    [3, 0, 0, 0, 0, 0],
  ],
  mailchimp_unsubscribed: [
    ["ann@list.test unsubscribed", "dora@list.test unsubscribed"],
    [],
    [2, 0, 0, 0, 0, 0],
  ],
  mailchimp_cleaned: [[], ["gone@list.test hard_bounce mailchimp_cleaned"], [0, 0, 1, 0, 0, 0]],
  brevo: [["ann@list.test active", "bob@list.test unsubscribed"], [], [2, 0, 0, 0, 0, 1]],
  mailerlite: [
    ["ann@list.test active", "bob@list.test unsubscribed", "cy@list.test pending"],
    ["dora@list.test hard_bounce mailerlite", "eve@list.test manual complaint"],
    [3, 0, 2, 0, 0, 0],
  ],
  plunk: [["ann@list.test active", "bob@list.test unsubscribed"], [], [2, 0, 0, 0, 0, 0]],
  resend: [["ann@list.test active", "bob@list.test unsubscribed"], [], [2, 0, 0, 0, 0, 0]],
  sendgrid_contacts: [["ann@list.test active"], [], [1, 0, 0, 0, 0, 0]],
  ses_suppressions: [
    [],
    ["bob@list.test hard_bounce ses_suppressions", "eve@list.test manual complaint"],
    [0, 0, 2, 0, 0, 0],
  ],
  sendgrid_bounces: [
    [],
    ["bob@list.test hard_bounce sendgrid_bounces", "cy@list.test hard_bounce sendgrid_bounces"],
    [0, 0, 2, 0, 2, 0],
  ],
  sendgrid_invalid_emails: [
    [],
    ["bob@lisst.test hard_bounce sendgrid_invalid_emails"],
    [0, 0, 1, 0, 0, 0],
  ],
  sendgrid_spam_reports: [[], ["eve@list.test manual complaint"], [0, 0, 1, 0, 0, 0]],
  sendgrid_unsubscribes: [
    [],
    [
      "ann@list.test unsubscribed sendgrid_unsubscribes",
      "new@list.test unsubscribed sendgrid_unsubscribes",
    ],
    [0, 0, 2, 0, 0, 0],
  ],
  mailgun_bounces: [[], ["bob@list.test hard_bounce mailgun_bounces"], [0, 0, 1, 0, 1, 0]],
  mailgun_unsubscribes: [
    ["bob@list.test unsubscribed"],
    ["ann@list.test unsubscribed mailgun_unsubscribes"],
    [1, 0, 1, 0, 0, 0],
  ],
  mailgun_complaints: [[], ["eve@list.test manual complaint"], [0, 0, 1, 0, 0, 0]],
  postmark_suppressions: [
    [],
    [
      "ann@list.test unsubscribed postmark_suppressions",
      "bob@list.test hard_bounce postmark_suppressions",
      "cy@list.test manual postmark_suppressions",
      "eve@list.test manual complaint",
    ],
    [0, 0, 4, 0, 0, 0],
  ],
};

/** Formats that do not tell who opted out. */
const SILENT = ["listmonk", "sendgrid_contacts"];

describe("POST /projects/{id}/audience/import", () => {
  it.each(Object.entries(EXPECTED))(
    "imports the %s file, after a dry run with the same counts that writes nothing",
    async (format, [people, shut, counts]) => {
      const list = await newList();
      const file = LISTS[format as keyof typeof LISTS];
      const given = SILENT.includes(format) ? { file, status: "active" } : { file };
      const dry = await list.load({ ...given, dry_run: true });
      expect([await list.people(), await list.shut()]).toEqual([[], []]);
      expect(dry.body).toMatchObject({ format, dry_run: true, needs: [] });
      const done = await list.load(given);
      expect(done.status).toBe(200);
      expect(countsOf(done.body)).toEqual(counts);
      expect(dry.body).toEqual({ ...done.body, dry_run: true });
      expect([await list.people(), (await list.shut()).toSorted()]).toEqual([people, shut]);
      const [imported, unsubscribed, suppressed, , ...others] = countsOf(
        (await list.load(given)).body,
      );
      expect([imported, unsubscribed, suppressed, others]).toEqual([0, 0, 0, counts.slice(4)]);
    },
  );

  it("unsubscribes a subscriber who opted out elsewhere, and activates no one", async () => {
    const { path, load, people, subscriber } = await newList();
    for (const [email, status] of [
      ["ann@list.test", "active"],
      ["bob@list.test", "unsubscribed"],
      ["dora@list.test", "pending"],
    ])
      await owner.post(`${path}/subscribers`, { email, status });
    const left = await load({ file: LISTS.mailchimp_unsubscribed });
    expect(countsOf(left.body)).toEqual([0, 2, 0, 0, 0, 0]);
    const back = await load({ file: LISTS.mailchimp_subscribed });
    expect(countsOf(back.body)).toEqual([1, 0, 0, 2, 0, 0]);
    expect(await people()).toEqual([
      "ann@list.test unsubscribed",
      "bob@list.test unsubscribed",
      "dora@list.test unsubscribed",
      "shop@list.test pending",
    ]);
    expect((await subscriber("ann@list.test"))?.["unsubscribed_at" as "name"]).toBeTruthy();
    const counts = await owner.get<{ total: number }>(`${path}/subscribers?status=unsubscribed`);
    expect(counts.body.total).toBe(3);
  });

  it("unsubscribes and suppresses the addresses on a list of unsubscribes", async () => {
    const { path, load, people, shut } = await newList();
    await owner.post(`${path}/subscribers`, { email: "ann@list.test" });
    await load({ file: LISTS.sendgrid_unsubscribes });
    expect(await people()).toEqual(["ann@list.test unsubscribed"]);
    expect(await shut()).toHaveLength(2);
  });

  it("lets an opt-out in any row of an address override the others", async () => {
    const { load, people } = await newList();
    const file =
      "email,unsubscribed\nann@list.test,false\nANN@list.test,true\nbob@list.test,false\nBob@list.test,false\n";
    expect(countsOf((await load({ file })).body)).toEqual([2, 0, 0, 2, 0, 0]);
    expect(await people()).toEqual(["ann@list.test unsubscribed", "bob@list.test active"]);
  });

  it("keeps the opt-outs of a known file, regardless of the given format or status", async () => {
    const { load, people, shut } = await newList();
    const file = LISTS.mailchimp_unsubscribed;
    const named = await load({ file, format: "mailchimp_subscribed" });
    expect(named.body).toMatchObject({ format: "mailchimp_subscribed", imported: 2 });
    const status = { column: "MEMBER_RATING", values: { "1": "active", "2": "active" } };
    for (const known of [file, LISTS.mailchimp_cleaned])
      expect((await load({ file: known, mapping: { status } })).status).toBe(200);
    expect(await people()).toEqual(["ann@list.test unsubscribed", "dora@list.test unsubscribed"]);
    expect(await shut()).toEqual(["gone@list.test hard_bounce mailchimp_cleaned"]);
  });

  it("activates no one by an ambiguous header: the strictest reading of it counts", async () => {
    const { load, people } = await newList();
    const both =
      "email,unsubscribed,subscribed\nann@list.test,false,true\nbob@list.test,false,false\n" +
      "cy@list.test,false,2024-01-05\ndora@list.test,true,true\n";
    expect(countsOf((await load({ file: both })).body)).toEqual([3, 0, 0, 0, 0, 1]);
    expect(await people()).toEqual([
      "ann@list.test active",
      "bob@list.test unsubscribed",
      "dora@list.test unsubscribed",
    ]);
    const unclear = "email,unsubscribed\neve@list.test,false\neve@list.test,perhaps\n";
    expect(countsOf((await load({ file: unclear })).body)).toEqual([0, 0, 0, 0, 0, 2]);
    const twins = [
      ["email,unsubscribed,Unsubscribed\neve@list.test,false,true\n", {}],
      ["email,E-Mail,unsubscribed\neve@list.test,fay@list.test,false\n", {}],
      [
        "Contact,State,state\neve@list.test,on,off\n",
        { email: "Contact", status: { column: "State", values: { on: "active" } } },
      ],
    ] as const;
    for (const [file, mapping] of twins)
      expect(await load({ file, mapping, status: "active" })).toMatchObject({
        status: 400,
        body: { error: /have the same meaning/u },
      });
    const times = "Subscriber,Name,Subscribed,Unsubscribed\ngone@list.test,Gon,2024-01-05,\n";
    expect((await load({ file: times, dry_run: true })).body.needs).toEqual(["status"]);
    expect(await people()).toHaveLength(3);
  });

  it("keeps names, tags and attributes, without technical columns", async () => {
    const { load, subscriber } = await newList();
    await load({ file: LISTS.mailchimp_subscribed });
    const ann = await subscriber("ann@list.test");
    expect(ann?.name).toBe("Ann Lee");
    expect(ann?.metadata).toEqual({
      first_name: "Ann",
      last_name: "Lee",
      Company: "Lee, Sons",
      optin_time: "2020-02-03 04:05:06",
      optin_ip: "203.0.113.9",
      confirm_time: "2020-02-03 04:06:00",
      confirm_ip: "203.0.113.9",
      timezone: "Europe/Berlin",
      cc: "DE",
      region: "BE",
    });
    expect(ann?.["tags" as "metadata"]).toEqual(["blog", "vip"]);
    const other = await newList();
    await other.load({ file: LISTS.listmonk, status: "pending" });
    expect(await other.subscriber("ann@list.test")).toMatchObject({
      status: "pending",
      metadata: { city: "Bengaluru", stack: { languages: ["go", "python"] } },
    });
  });

  it("stores tags sorted as in every other call, even beyond the basic multilingual plane", async () => {
    const { load, path, subscriber } = await newList();
    await load({ file: 'Subscriber,Groups,Status\nann@list.test,"😀,！,a",Active\n' });
    const before = await subscriber("ann@list.test");
    const tags = before?.tags;
    now += 1_000;
    const one = `${path}/subscribers/${before?.id}`;
    // only the list tells who is suppressed
    expect({ ...(await owner.request("PATCH", one, { tags })).body, suppressed: null }).toEqual(
      before,
    );
  });

  it("requires the status of rows if a file does not say who opted out", async () => {
    const { load, people } = await newList();
    const file = LISTS.sendgrid_contacts;
    expect((await load({ file, dry_run: true })).body.needs).toEqual(["status"]);
    const refused = await load({ file });
    expect(refused).toMatchObject({ status: 400, body: { code: "opt_outs_unknown" } });
    expect(await people()).toEqual([]);
  });

  it("accepts the mapping of an unknown file, and rejects rows of unknown status", async () => {
    const { load, people, subscriber } = await newList();
    const file =
      "Mailadresse;Vorname;Nachname;Zustand;Firma\nann@list.test;Ann;Lee;aktiv;Lee\n" +
      "bob@list.test;;;Abgemeldet;\ncy@list.test;;;wartet;\nnobody;;;aktiv;\n";
    const unknown = await load({ file, dry_run: true });
    expect(unknown.body).toMatchObject({ format: null, needs: ["mapping"], rows: 4, imported: 0 });
    const columns = '"Mailadresse", "Vorname", "Nachname", "Zustand", "Firma"';
    expect(await load({ file })).toMatchObject({
      status: 400,
      body: { code: "unknown_columns", params: { columns } },
    });
    const mapping = {
      email: "Mailadresse",
      name: ["Vorname", "Nachname"],
      status: { column: "Zustand", values: { aktiv: "active", abgemeldet: "unsubscribed" } },
      metadata: { Firma: "company" },
    };
    const done = await load({ file, mapping });
    expect(done.body).toMatchObject({ format: null, imported: 2, rejected_rows: 2, needs: [] });
    expect(done.body.rejected).toEqual([
      { line: 4, email: "cy@list.test", reason: "invalid_status" },
      { line: 5, email: "nobody", reason: "invalid_syntax" },
    ]);
    expect(await people()).toEqual(["ann@list.test active", "bob@list.test unsubscribed"]);
    expect(await subscriber("ann@list.test")).toMatchObject({
      name: "Ann Lee",
      metadata: { company: "Lee" },
    });
    const missing = await load({ file, mapping: { email: "E-Mail" } });
    expect(missing).toMatchObject({ status: 400, body: { error: /no column E-Mail/u } });
  });

  it("records the consent of new subscribers to topics, but not of existing or unsubscribed ones", async () => {
    const { path, load, subscriber } = await newList();
    const topic = await owner.post<{ id: string }>(`${path}/topics`, { name: "News" });
    await owner.post(`${path}/subscribers`, { email: "ann@list.test" });
    const file =
      "email,unsubscribed\nann@list.test,false\nbob@list.test,true\ncy@list.test,false\n";
    const unknown = await load({ file, topics: ["Old news"], dry_run: true });
    expect(unknown).toMatchObject({ status: 400, body: { error: /no topic "Old news"/u } });
    await load({ file, topics: ["News"] });
    const stateOf = async (email: string) => {
      const one = await subscriber(email);
      const { body } = await owner.get<{
        topics: { topic_id: string; state: string; by: string }[];
      }>(`${path}/subscribers/${one?.["id" as "name"]}/topics`);
      const [{ state, by } = {}] = body.topics as { state?: string; by?: string }[];
      return [state, by];
    };
    expect(topic.status).toBe(201);
    expect(await stateOf("ann@list.test")).toEqual([null, null]);
    expect(await stateOf("bob@list.test")).toEqual([null, null]);
    expect(await stateOf("cy@list.test")).toEqual(["subscribed", "import"]);
  });

  it("adds tags and topics to all rows and by column, and counts repeated addresses", async () => {
    const { path, load, subscriber } = await newList();
    for (const name of ["News", "Offers"]) await owner.post(`${path}/topics`, { name });
    const file =
      "Mail,Labels,Lists\nann@list.test,vip,Offers; News\nbo@list.test,,\nANN@list.test,,";
    const mapping = { email: "Mail", tags: "Labels", topics: "Lists" };
    const body = { file, mapping, status: "active", tags: ["Fair"], topics: ["News"] };
    const unknown = await load({ ...body, file: file.replace("Offers", "Gossip"), dry_run: true });
    expect(unknown).toMatchObject({
      status: 400,
      body: { details: [{ path: "line 2: topics", code: "no_such_topic" }] },
    });
    expect((await load(body)).body).toMatchObject({ imported: 2, skipped: 1, duplicates: 1 });
    expect((await load(body)).body).toMatchObject({ imported: 0, skipped: 3, duplicates: 1 });
    const of = async (email: string) => {
      const { id, tags, metadata } = (await subscriber(email)) ?? {};
      const { body: consents } = await owner.get<{ topics: { name: string; state: string }[] }>(
        `${path}/subscribers/${id}/topics`,
      );
      const topics = consents.topics.filter(({ state }) => state).map(({ name }) => name);
      return { tags, metadata, topics };
    };
    expect(await of("ann@list.test")).toEqual({
      tags: ["fair", "vip"],
      metadata: {},
      topics: ["News", "Offers"],
    });
    expect(await of("bo@list.test")).toMatchObject({ tags: ["fair"], topics: ["News"] });
  });

  it("proposes to keep every column of an unknown file, with the parts of the name in order", async () => {
    const { load } = await newList();
    const file = "Nachname;Vorname;E-Mail-Adresse;Kunde seit;Umsatz;Tags\n;;;;;";
    const { body } = await load({ file, dry_run: true });
    expect(body["mapping"]).toEqual({
      email: "E-Mail-Adresse",
      name: ["Vorname", "Nachname"],
      tags: "Tags",
      metadata: {
        Nachname: "last_name",
        Vorname: "first_name",
        "Kunde seit": "kunde_seit",
        Umsatz: "Umsatz",
      },
    });
  });

  it.each([
    ["Given name,Surname,Email", { "Given name": "first_name", Surname: "last_name" }],
    ["Vorname;E-Mail", { Vorname: "first_name" }],
    ["Nom;Pr\u00e9nom;Adresse", { "Pr\u00e9nom": "first_name", Nom: "last_name" }],
    ["Nombre;Apellidos;Correo", { Nombre: "first_name", Apellidos: "last_name" }],
    ["Nombre;Correo", { Nombre: undefined }],
    ["Vorname;first_name;E-Mail", { Vorname: "Vorname" }],
  ])("proposes first_name and last_name for the columns of %s", async (header, keys) => {
    const { load } = await newList();
    const { body } = await load({ file: `${header}\n`, dry_run: true });
    const { name, metadata } = body["mapping"] as {
      name: string[];
      metadata: Record<string, string>;
    };
    expect(name).toEqual(Object.keys(keys));
    expect(Object.fromEntries(name.map((one) => [one, metadata[one]]))).toEqual(keys);
  });

  it("accepts the file as text/csv with its options in the query", async () => {
    const { path, people } = await newList();
    const headers = { Cookie: owner.cookie, "Content-Type": "text/csv" };
    const response = await service.fetch(
      `/api/v1${path}/audience/import?status=pending&dry_run=false`,
      { method: "POST", headers, body: `\uFEFF${LISTS.resend}` },
    );
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ format: "resend", imported: 2 });
    expect(await people()).toEqual(["ann@list.test pending", "bob@list.test unsubscribed"]);
  });

  it("proposes a mapping that it accepts, regardless of the column names", async () => {
    const { path, load, subscriber } = await newList();
    const file = "E-Mail,__proto__,toString\nann@list.test,one,two\n";
    const { body } = await load({ file, dry_run: true, mapping: { email: "E-Mail" } });
    const shown = { email: "E-Mail", metadata: { proto: "proto", toString: "toString" } };
    expect(body).toMatchObject({ mapping: shown });
    const { mapping } = body as { mapping?: object };
    expect((await load({ file, status: "active", mapping })).body).toMatchObject({ imported: 1 });
    expect((await subscriber("ann@list.test"))?.metadata).toEqual({
      proto: "one",
      toString: "two",
    });
    const named = `{"file":${JSON.stringify(file)},"mapping":{"email":"E-Mail","metadata":{"toString":"__proto__"}}}`;
    const refused = await owner.post(`${path}/audience/import`, named);
    expect(refused).toMatchObject({
      status: 400,
      body: { error: "mapping.metadata.toString: must have another name" },
    });
  });

  it("neutralizes hostile names and columns", async () => {
    const { path, load, subscriber } = await newList();
    const long = "x".repeat(9_000);
    const file =
      "email,unsubscribed,__proto__,constructor,first_name,note\n" +
      `ann@list.test,false,polluted,c,"=cmd|' /C calc'!A0\u202e",\n` +
      `bob@list.test,false,,,,${long}\ncy@list.test,true,,,,${long}\n`;
    const done = await load({ file });
    expect(done.body).toMatchObject({ imported: 2, rejected_rows: 1 });
    expect(done.body.rejected).toEqual([
      { line: 3, email: "bob@list.test", reason: "invalid_metadata" },
    ]);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    const ann = await subscriber("ann@list.test");
    expect(ann).toMatchObject({
      name: "=cmd|' /C calc'!A0",
      metadata: { constructor: "c", proto: "polluted" },
    });
    expect(await subscriber("cy@list.test")).toMatchObject({ status: "unsubscribed" });
    const headers = { Cookie: owner.cookie, Accept: "text/csv" };
    const csv = await service.fetch(`/api/v1${path}/subscribers`, { headers });
    expect(await csv.text()).toContain(",'=cmd|");
  });

  it("rejects files that are not a list, and names the line", async () => {
    const { load } = await newList();
    const many = `email,unsubscribed\n${"a@list.test,false\n".repeat(50_001)}`;
    const faults: [string, object][] = [
      ["", { code: "empty_file" }],
      [`email,unsubscribed\n"ann`, { code: "csv_open_quote", params: { line: 2 } }],
      [
        'email,note,unsubscribed\nann@list.test,5" pipe,false\nbob@list.test,x,true\n',
        { code: "csv_stray_quote", params: { line: 2 } }, // or the opt-out of Bob would be lost
      ],
      [`${"c,".repeat(501)}\n`, { code: "too_many_columns", params: { max: 500 } }],
      [many, { code: "too_many_rows", params: { max: 50_000 } }],
    ];
    for (const [file, body] of faults)
      expect(await load({ file })).toMatchObject({ status: 400, body });
    const wrong = await load({ file: LISTS.resend, format: "brevo" });
    expect(wrong).toMatchObject({
      status: 400,
      body: { details: [{ path: "format", code: "lacks_columns" }] },
    });
  });

  it("requires suppressions:write only for files that suppress", async () => {
    const { id, key, load, shut, people } = await newList();
    const { body } = await owner.get<{ workspace_id: string }>(`/projects/${id}`);
    const member = await newMember(service, body.workspace_id, owner, "member");
    const refused = await load({ file: LISTS.ses_suppressions }, member);
    expect(refused.status).toBe(403);
    const dry = await load({ file: LISTS.ses_suppressions, dry_run: true }, member);
    expect(dry.body).toMatchObject({ needs: ["suppressions:write"], suppressed: 2 });
    expect(await shut()).toEqual([]);
    expect((await load({ file: LISTS.resend }, member)).status).toBe(200);
    const byKey = await service
      .withKey(key)
      .post(`/projects/${id}/audience/import`, { file: LISTS.mailchimp_cleaned });
    expect(byKey.status).toBe(403);
    expect(await people()).toHaveLength(2);
  });

  it("is rejected by the plain import, which would lose the opt-outs", async () => {
    const { path, people } = await newList();
    const headers = { Cookie: owner.cookie, "Content-Type": "text/csv" };
    for (const file of [LISTS.resend, LISTS.sendgrid_unsubscribes, LISTS.listmonk]) {
      const response = await service.fetch(`/api/v1${path}/subscribers/import`, {
        method: "POST",
        headers,
        body: file,
      });
      expect(response.status).toBe(400);
      expect(await response.text()).toContain("audience/import");
    }
    expect(await people()).toEqual([]);
  });
});
