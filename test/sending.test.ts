import { describe, expect, it } from "vitest";
import { receivedMessages, waitForMessage } from "./support/mailbox.ts";
import { CAPTURING, createService, unique } from "./support/service.ts";

const service = createService();
const owner = await service.newOwner();
const project = await owner.newProject(CAPTURING);
const key = service.withKey(project.key);
const send = (body: unknown, headers?: Record<string, string>) =>
  key.post(`/projects/${project.id}/send`, body, headers);
const address = (word = "to") => `${unique(word)}@any.test`;

describe("POST /projects/{id}/send", () => {
  it("sends raw HTML to one address and logs it as sent", async () => {
    const to = address();
    const answer = await send({ to, subject: "Hello", html_body: "<p>Hi <b>you</b></p>" });
    expect(answer.body).toEqual({ message: "sent", id: expect.any(String) });
    expect(answer.status).toBe(200);
    const mail = await waitForMessage(to);
    expect(mail.text).toContain("Subject: Hello");
    const logs = await owner.get<{ logs: unknown[]; total: number }>(
      `/projects/${project.id}/logs`,
    );
    expect(logs.body.logs).toContainEqual(
      expect.objectContaining({ id: answer.body["id"], to_email: to, status: "sent", error: null }),
    );
  });

  it("costs two D1 round trips", async () => {
    service.d1.reset();
    await send({ to: address(), subject: "Hello", html_body: "<p>Hi</p>" });
    expect(service.d1.roundTrips).toBe(2);
    console.log(service.d1.rowsRead, service.d1.rowsWritten);
  });
});
