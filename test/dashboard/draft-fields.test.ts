/* The form of a draft in the dashboard, which reads and writes the drafts of the service. */
import { expect, it } from "vitest";
import { bodyOf, changesOf, fieldsOf } from "../../dashboard/src/pages/broadcasts/draft-fields.ts";
import { readersZone, wallClockOf } from "../../dashboard/src/lib/wall-clock.ts";
import type { Broadcast } from "../../dashboard/src/pages/broadcasts/states.ts";
import { createService } from "../support/service.ts";

const owner = await createService().newOwner();

it("A time zone that the browser does not know stays as it is, until the person chooses another", async () => {
  const { id } = await owner.newProject();
  const send_at = "2027-06-01T09:30:15.000Z";
  const made = await owner.post<Broadcast>(`/projects/${id}/broadcasts`, {
    name: "May",
    send_at,
    time_zone: "Asia/Tokyo",
  });
  expect(made.status).toBe(201);
  const draft = { ...made.body, time_zone: "Mars/Phobos" };
  const fields = fieldsOf(draft);
  expect(fields).toMatchObject({
    time_zone: "Mars/Phobos",
    send_at: wallClockOf(send_at, readersZone()),
  });
  expect(changesOf(draft, fields)).toEqual({});
  expect(bodyOf(draft, { ...fields, name: "June" })).toMatchObject({
    name: "June",
    time_zone: "Mars/Phobos",
    send_at,
  });
  const moved = { ...fields, time_zone: "Asia/Tokyo", send_at: "2027-06-01T18:00" };
  expect(changesOf(draft, moved)).toEqual({
    time_zone: "Asia/Tokyo",
    send_at: "2027-06-01T09:00:00.000Z",
  });
});
