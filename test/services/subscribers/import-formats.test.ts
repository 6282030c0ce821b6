/* Imports as CSV and as newline-delimited JSON (API reference §12.2). */
import { describe, expect, it } from "vitest";
import { createService } from "../../support/service.ts";

const service = createService();
const owner = await service.newOwner();
const CSV = "text/csv; charset=utf-8";
const NDJSON = "application/x-ndjson";

async function newList() {
  const { id, key } = await owner.newProject();
  const path = `/api/v1/projects/${id}/subscribers`;
  const load = async (type: string, body: string | Uint8Array<ArrayBuffer>) => {
    const headers = { Cookie: owner.cookie, "Content-Type": type };
    const response = await service.fetch(`${path}/import`, { method: "POST", headers, body });
    return { status: response.status, body: await response.json() };
  };
  const list = async () => {
    const { body } = await owner.get<{ subscribers: Record<string, unknown>[] }>(
      `/projects/${id}/subscribers?sort=email`,
    );
    return body.subscribers.map(({ email, name, status, metadata }) => ({
      email,
      name,
      status,
      metadata,
    }));
  };
  return { id, key, path, load, list };
}

const ANN = {
  email: "ann@any.test",
  name: 'Ann "A", Lee',
  status: "pending",
  metadata: { source: "x" },
};
const BOB = { email: "bob@any.test", name: "", status: "active", metadata: {} };

describe("an import as CSV", () => {
  it.each([
    ["with CRLF", "\r\n", ","],
    ["with LF and semicolons", "\n", ";"],
    ["with tabs", "\n", "\t"],
  ])("adds the same subscribers as JSON, %s", async (_name, end, separator) => {
    const { load, list } = await newList();
    const lines = [
      ["\uFEFFStatus", "Email", "id", "NAME", "metadata"],
      ["pending", " Ann@Any.test", "7", '"Ann ""A"", Lee"', '"{""source"":""x""}"'],
      [""],
      ["", "bob@any.test"],
    ];
    const text = lines.map((cells) => cells.join(separator)).join(end);
    expect(await load(CSV, text)).toEqual({
      status: 200,
      body: { imported: 2, skipped: 0, rejected: [] },
    });
    expect(await list()).toEqual([ANN, BOB]);
  });

  it("finds the separator if column names have commas in quotes", async () => {
    const { load, list } = await newList();
    const text = 'email;"Town, ""old"", or land";name\nann@any.test;"x, y";"Ann ""A"", Lee"\n';
    expect(await load(CSV, text)).toMatchObject({ status: 200, body: { imported: 1 } });
    expect(await list()).toMatchObject([{ name: ANN.name }]);
  });

  it("accepts a stray quote within a cell, as long as its line has another one", async () => {
    const { load, list } = await newList();
    const text = 'email,name\nann@any.test,Ann "A" Lee\nbob@any.test,\n';
    expect(await load(CSV, text)).toMatchObject({ body: { imported: 2, skipped: 0 } });
    expect(await list()).toMatchObject([{ name: 'Ann "A" Lee' }, BOB]);
  });

  it("keeps other columns as metadata, names their keys, and lets the metadata column win", async () => {
    const { load, list } = await newList();
    const lines = [
      `Email;Kunde seit;PLAN;;metadata;created_at`,
      `ann@any.test;2021-03-04;pro;x;"{""plan"":""team""}";2020-01-01`,
      `bob@any.test;;'=basic;;;`,
    ];
    expect(await load(CSV, lines.join("\n"))).toEqual({
      status: 200,
      body: {
        imported: 2,
        skipped: 0,
        rejected: [],
        metadata_columns: { "Kunde seit": "kunde_seit", PLAN: "plan" },
      },
    });
    expect((await list()).map(({ metadata }) => metadata)).toEqual([
      { kunde_seit: "2021-03-04", plan: "team" },
      { plan: "=basic" },
    ]);
  });

  it("reports the lines of rejected rows, even after a multi-line cell", async () => {
    const { load } = await newList();
    const text =
      'email,note,status\nann@any.test,"a\nb\nc",\n\nnobody,,\nbob@any.test,,no\nann@any.test\n';
    expect(await load(CSV, text)).toEqual({
      status: 200,
      body: {
        metadata_columns: { note: "note" },
        imported: 1,
        skipped: 1,
        rejected: [
          { row: 1, line: 6, email: "nobody", reason: "invalid_syntax" },
          { row: 2, line: 7, email: "bob@any.test", reason: "invalid_status" },
        ],
      },
    });
  });

  it("imports what the list exported, including formulas", async () => {
    const from = await newList();
    for (const subscriber of [
      { ...BOB, email: "+1@any.test", name: "=1+1" },
      { ...ANN, name: "Ann, 'A'" },
    ])
      await owner.post(from.path.replace("/api/v1", ""), subscriber);
    const headers = { Cookie: owner.cookie, Accept: "text/csv" };
    const text = await (await service.fetch(from.path, { headers })).text();
    const into = await newList();
    expect(await into.load("Text/CSV", text)).toMatchObject({
      body: { imported: 2, rejected: [] },
    });
    expect(await into.list()).toEqual(await from.list());
  });

  it("may be larger than what is read before the caller is authenticated", async () => {
    const { load } = await newList();
    const rows = Array.from({ length: 4_000 }, (_, n) => `u${n}@any.test,Name ${n}`);
    const text = ["email,name", ...rows].join("\r\n");
    expect(text.length).toBeGreaterThan(65_536);
    expect(await load(CSV, text)).toMatchObject({ body: { imported: 4_000 } });
  });

  it.each([
    ["name\nAnn", { code: "no_email_column" }],
    ["", { code: "empty_file" }],
    ['email,name\na@any.test,"Ann', { code: "csv_open_quote", params: { line: 2 } }],
    ['email,name\na@any.test,"A"nn', { code: "csv_text_after_quote", params: { line: 2 } }],
    [
      'email,note,name\na@any.test,5" pipe,Ann\nb@any.test,6 in,Bob\nc@any.test,7" pipe,Cy\n',
      { code: "csv_stray_quote", params: { line: 2 } },
    ],
    [
      'email,note\na@any.test,x\nb@any.test,5" pipe\nc@any.test,x\n',
      { code: "csv_stray_quote", params: { line: 3 } },
    ],
    [`email\n${"a@any.test\n".repeat(50_001)}`, { error: "must have at most 50000 entries" }],
  ])("is rejected as a whole: %#", async (text, body) => {
    const { load, list } = await newList();
    expect(await load(CSV, text)).toMatchObject({ status: 400, body });
    expect(await list()).toEqual([]);
  });

  const row = (email: string, name: string, status = "active") => ({ email, name, status });
  it.each([
    [
      "CR alone",
      "email,name\ra@any.test,A\rb@any.test,B\r",
      [row("a@any.test", "A"), row("b@any.test", "B")],
    ],
    [
      "a line that names the separator",
      "sep=;\r\nemail;name\r\na@any.test;Ann, A\r\n",
      [row("a@any.test", "Ann, A")],
    ],
    [
      "blank rows",
      "email;name;status\r\na@any.test;A;active\r\n;;\r\n ; ;\r\n\r\n;;\r\n",
      [row("a@any.test", "A")],
    ],
    [
      "names of several lines",
      'email,name\r\na@any.test,"Ann\nSmith"\r\nb@any.test,"E\tF"\r\n',
      [row("a@any.test", "Ann Smith"), row("b@any.test", "E F")],
    ],
    [
      "long names",
      `email,name\na@any.test,${"x".repeat(300)}\n`,
      [row("a@any.test", "x".repeat(200))],
    ],
    [
      "statuses in any case",
      "email,status\na@any.test,Active\nb@any.test, Unsubscribed \n",
      [row("a@any.test", ""), row("b@any.test", "", "unsubscribed")],
    ],
    [
      "addresses with a name",
      "email,name\nAnn Smith <a@any.test>,\n<b@any.test>,B\n",
      [row("a@any.test", "Ann Smith"), row("b@any.test", "B")],
    ],
    [
      "Latin-1",
      Uint8Array.from("email;name\r\na@any.test;J\xfcrgen\r\n", (one) => one.charCodeAt(0)),
      [row("a@any.test", "Jürgen")],
    ],
    [
      "windows-1252",
      Uint8Array.from("email;name\r\na@any.test;\x80 \x84J\xfcrgen\x93\r\n", (one) =>
        one.charCodeAt(0),
      ),
      [row("a@any.test", "€ „Jürgen“")],
    ],
    [
      "UTF-16LE",
      new Uint8Array(
        Uint16Array.from("\ufeffemail\tname\r\na@any.test\tJürgen €\r\n", (one) =>
          one.charCodeAt(0),
        ).buffer,
      ),
      [row("a@any.test", "Jürgen €")],
    ],
  ])("accepts what spreadsheets write: %s", async (_name, file, rows) => {
    const { load, list } = await newList();
    expect(await load(CSV, file)).toEqual({
      status: 200,
      body: { imported: rows.length, skipped: 0, rejected: [] },
    });
    expect(await list()).toEqual(rows.map((one) => ({ ...one, metadata: {} })));
  });

  it("is rejected with another content type, and on other routes", async () => {
    const { load, path } = await newList();
    for (const type of ["text/plain", "constructor", ""])
      expect(await load(type, "email\na@any.test")).toMatchObject({ status: 400 });
    const headers = { Cookie: owner.cookie, "Content-Type": CSV };
    const other = await service.fetch(path, { method: "POST", headers, body: "email\na@any.test" });
    expect(other.status).toBe(400);
  });
});

describe("an import as newline-delimited JSON", () => {
  it("adds a row for each line, and reports the lines of rejected ones", async () => {
    const { load, list } = await newList();
    const lines = [JSON.stringify(ANN), "", '{"email":"nobody","name":null}', JSON.stringify(BOB)];
    expect(await load(NDJSON, lines.join("\r\n"))).toEqual({
      status: 200,
      body: {
        imported: 2,
        skipped: 0,
        rejected: [{ row: 1, line: 3, email: "nobody", reason: "invalid_syntax" }],
      },
    });
    expect(await list()).toEqual([ANN, BOB]);
  });

  it("rejects a line that is not an object, and accepts the others", async () => {
    const { load, list } = await newList();
    expect(await load(NDJSON, `{\n[]\n${JSON.stringify(BOB)}`)).toEqual({
      status: 200,
      body: {
        imported: 1,
        skipped: 0,
        rejected: [1, 2].map((line) => ({
          row: line - 1,
          line,
          email: "",
          reason: "invalid_row",
          detail: "must be an object",
        })),
      },
    });
    expect(await list()).toEqual([BOB]);
  });
});
