import { describe, expect, it } from "vitest";
import PostalMime from "postal-mime";
import { receivedMessages, waitForMessage } from "../../support/mailbox.ts";
import { CAPTURING, createService, unique } from "../../support/service.ts";

const service = createService();
const owner = await service.newOwner();

const address = (word = "to") => `${unique(word)}@any.test`;
const parse = async (to: string) => PostalMime.parse((await waitForMessage(to)).raw);

async function newProject() {
  const project = await owner.newProject(CAPTURING);
  const path = `/projects/${project.id}`;
  const key = service.withKey(project.key);
  const send = (body: object) =>
    key.post<{ id: string; error: string }>(`${path}/send`, {
      subject: "Hello",
      html_body: "<p>Hi</p>",
      ...body,
    });
  const save = (settings: object) => owner.put(`${path}/mail-settings`, settings);
  return { ...project, path, key, send, save };
}

describe("`from` of a mail", () => {
  it("names an allowed sender in the header, and the envelope keeps that of the project", async () => {
    const project = await newProject();
    const saved = await project.save({ senders: [" Ann@Acme.Example", "@Büro.example"] });
    expect(saved.body).toEqual({ senders: ["ann@acme.example", "@xn--bro-hoa.example"] });
    for (const from of ["Ann <ann@ACME.example>", "bob@büro.example", "Sue <sender@postrider.test>"]) {
      const to = address();
      const { status, body } = await project.send({ to, from });
      expect(status).toBe(200);
      const mail = await parse(to);
      const [name, sender = name] = from.split(" <").map((part) => part.replace(">", ""));
      expect(mail.from).toEqual({
        name: name === sender ? "" : name,
        address: sender?.toLowerCase().replace("büro", "xn--bro-hoa"),
      });
      expect(mail.messageId).toBe(`<${body.id}@postrider.test>`);
      expect((await waitForMessage(to)).from).toBe("sender@postrider.test");
    }
  });

  it("is 422 for any other address, which names those that are allowed", async () => {
    const project = await newProject();
    await project.save({ senders: ["@acme.example"] });
    for (const from of ["ann@sub.acme.example", "ann@postrider.test"]) {
      const to = address();
      expect(await project.send({ to, from })).toMatchObject({
        status: 422,
        body: {
          code: "sender_not_allowed",
          params: { address: from, allowed: "sender@postrider.test, @acme.example" },
        },
      });
      expect(await receivedMessages(to)).toEqual([]);
    }
  });

  it("may be any sender that the settings name, and nothing that is no address or domain", async () => {
    const { save } = await newProject();
    for (const sender of ["acme.example", "@", "@acme", "a@b@c.example"])
      expect(await save({ senders: [sender] })).toMatchObject({
        status: 400,
        body: { details: [{ path: "senders.0", code: "invalid_address" }] },
      });
  });
});
