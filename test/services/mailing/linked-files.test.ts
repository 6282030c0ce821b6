import { describe, expect, it } from "vitest";
import PostalMime from "postal-mime";
import { receivedMessages, waitForMessage } from "../../support/mailbox.ts";
import { CAPTURING, createService, unique } from "../../support/service.ts";

const asked: { url: string; redirect: string | undefined }[] = [];
const answers = new Map<string, (signal?: AbortSignal | null) => Response | Promise<Response>>();
const service = createService(
  { ALLOW_PRIVATE_TARGETS: "true" },
  {
    fetch: async (input, init) => {
      const url = input instanceof Request ? input.url : input.toString();
      asked.push({ url, redirect: init?.redirect });
      const answer = answers.get(url);
      if (!answer) throw new Error("nobody answers");
      return answer(init?.signal);
    },
  },
);
const owner = await service.newOwner();
const project = await owner.newProject(CAPTURING);
const key = service.withKey(project.key);

/** Serves a file at an address of its own, and returns the address. */
function serve(
  name: string,
  answer: (signal?: AbortSignal | null) => Response | Promise<Response>,
) {
  const url = `https://${unique("files")}.example/${name}`;
  answers.set(url, answer);
  return url;
}

const send = async (attachments: object[], by = key, projectId = project.id) => {
  const to = `${unique("to")}@any.test`;
  const body = { to, subject: "Hello", html_body: "<p>Hi</p>", attachments };
  const path = `/projects/${projectId}/send`;
  return { to, ...(await by.post<{ code: string; params: object }>(path, body)) };
};

const logged = async (to: string) => {
  const { body } = await owner.get<{ logs: { to_email: string }[] }>(
    `/projects/${project.id}/logs?limit=200`,
  );
  return body.logs.filter((entry) => entry.to_email === to);
};

describe("an attachment with `path`", () => {
  it("is fetched, with name and type from its answer unless they are given", async () => {
    const typed = (type: string, more = {}) => ({ headers: { "Content-Type": type, ...more } });
    const named = { "Content-Disposition": `attachment; filename="invoice \\"7\\".csv"` };
    const paths = [
      serve("R%C3%A9sum%C3%A9.pdf?a=1", () => new Response("one", typed("application/pdf"))),
      serve("x", () => new Response("two", typed("text/csv; charset=utf-8", named))),
      serve("y", () => new Response("three", typed("text/html"))),
    ];
    const { to, status } = await send([
      { path: paths[0] },
      { path: paths[1], content_id: "csv" },
      { path: paths[2], filename: "z.txt", content_type: "text/plain" },
      { filename: "own.txt", content: btoa("four") },
    ]);
    expect(status).toBe(200);
    const { attachments } = await PostalMime.parse((await waitForMessage(to)).raw);
    const shown = attachments.map(({ filename, mimeType, content }) =>
      [filename, mimeType, new TextDecoder().decode(content as ArrayBuffer)].join(" "),
    );
    expect(new Set(shown)).toEqual(
      new Set([
        'invoice "7".csv text/csv two',
        "Résumé.pdf application/pdf one",
        "own.txt application/octet-stream four",
        "z.txt text/plain three",
      ]),
    );
    expect(asked.filter(({ url }) => paths.includes(url)).map(({ redirect }) => redirect)).toEqual([
      "manual",
      "manual",
      "manual",
    ]);
  });

  it.each([
    ["redirects", () => Response.redirect("https://other.example/"), "link_status"],
    ["is missing", () => new Response("", { status: 404 }), "link_status"],
    ["has no server", () => Promise.reject(new Error("refused")), "link_unreachable"],
    ["is too large", () => new Response(new Uint8Array(10 * 1_048_576)), "attachments_too_large"],
    [
      "is a mail",
      () => new Response("x", { headers: { "Content-Type": "message/rfc822" } }),
      "invalid_media_type",
    ],
  ])("that %s is 422, and nothing is sent or logged", async (_name, answer, code) => {
    const path = serve("file", answer);
    const { to, status, body } = await send([{ filename: "a", content: btoa("a") }, { path }]);
    expect({ status, ...body }).toMatchObject({
      status: 422,
      code: "attachment_not_fetched",
      params: { path, reason: { code } },
    });
    expect(await receivedMessages(to)).toEqual([]);
    expect(await logged(to)).toEqual([]);
  });

  it("is never asked for at a private address", async () => {
    const strict = createService({ ALLOW_PRIVATE_TARGETS: "false" }, service.runtime);
    const other = await owner.newProject(CAPTURING);
    await service.env.DB.prepare("update projects set smtp_host = 'mail.example.com' where id = ?")
      .bind(other.id)
      .run();
    const path = "https://169.254.169.254/latest";
    const { status, body } = await send([{ path }], strict.withKey(other.key), other.id);
    expect({ status, ...body }).toMatchObject({
      status: 422,
      params: { reason: { code: "link_not_public" } },
    });
    expect(asked.map(({ url }) => url)).not.toContain(path);
  });

  it("is HTTPS, and replaces `content`", async () => {
    const https = { path: "https://a.example/b" };
    for (const [attachment, path, code] of [
      [{ path: "http://a.example/b" }, "attachments.0.path", "not_https"],
      [{ ...https, content: "" }, "attachments.0.content", "either"],
      [{ filename: "a" }, "attachments.0.content", "required"],
      [{ content: "" }, "attachments.0.filename", "required"],
    ] as const)
      expect(await send([attachment])).toMatchObject({
        status: 400,
        body: { details: [{ path, code }] },
      });
  });

  it("of the same request with the same Idempotency-Key is fetched once", async () => {
    const path = serve("once", () => new Response("x"));
    const body = {
      to: `${unique("to")}@any.test`,
      subject: "x",
      html_body: "y",
      attachments: [{ path }],
    };
    const headers = { "Idempotency-Key": unique("key") };
    const post = () => key.post(`/projects/${project.id}/send`, body, headers);
    expect((await post()).body).toEqual((await post()).body);
    expect(asked.filter(({ url }) => url === path)).toHaveLength(1);
  });
});
