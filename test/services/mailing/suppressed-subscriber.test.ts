/* A send to a subscriber on the suppression list. */
import { expect, it } from "vitest";
import { CAPTURING, createService, unique } from "../../support/service.ts";
import { receivedMessages } from "../../support/mailbox.ts";

it("answers 422 to a subscriber whose address is suppressed because they left, and logs it", async () => {
  const owner = await createService().newOwner();
  const { id: projectId } = await owner.newProject(CAPTURING);
  const path = `/projects/${projectId}`;
  const email = `${unique("left")}@example.com`;
  const { body: template } = await owner.post<{ id: string }>(`${path}/templates`, {
    name: "t",
    subject: "x",
    html_body: "y",
  });
  const person = { email, status: "unsubscribed" };
  const { body: subscriber } = await owner.post<{ id: string }>(`${path}/subscribers`, person);
  await owner.post(`${path}/suppressions`, { emails: [email], reason: "unsubscribed" });
  const mail = { subscriber_id: subscriber.id, template_id: template.id };
  const answer = await owner.post(`${path}/send`, mail);
  expect(answer).toMatchObject({ status: 422, body: { id: expect.any(String) } });
  expect((await owner.get(`${path}/logs`)).body).toMatchObject({
    logs: [{ status: "suppressed" }],
  });
  expect(await receivedMessages(email)).toEqual([]);
});
