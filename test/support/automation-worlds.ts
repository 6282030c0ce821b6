import { expect } from "vitest";
import type { Definition, Step } from "../../src/lib/automation-definition.ts";
import { ports } from "./ports.ts";
import { allRows } from "./rows.ts";
import { createService, unique } from "./service.ts";

export interface Automation extends Definition {
  id: string;
  name: string;
  state: string;
  version: number;
  updated_at: string;
  people: { inside: number; entered: number; ended: number };
}

/** The HTML of those mails. */
export const HTML = '<p>Hi {{name}}</p><p><a href="{{unsubscribe_link}}">Leave</a></p>';
/** A step that sends a mail. */
export const mail = (id: string, more: object = {}): Step => ({
  id,
  type: "send",
  subject: "Hi",
  html_body: HTML,
  ...more,
});

/** Makes a service whose owner has automations, each in a project of its own. */
export async function automationWorlds() {
  const service = createService();
  const owner = await service.newOwner();
  async function newWorld(trigger: unknown = { type: "manual" }, steps: unknown = [mail("hi")]) {
    const project = await owner.newProject({ smtpPort: ports.smtp });
    const path = `/projects/${project.id}`;
    const list = `${path}/automations`;
    const create = (body: object) => owner.post<Automation>(list, body);
    const made = await create({ name: "Series", trigger, steps });
    expect(made).toMatchObject({ status: 201, body: { state: "draft", version: 1 } });
    const one = `${list}/${made.body.id}`;
    const world = { project, path, list, one, create, id: made.body.id, made };
    return {
      ...world,
      patch: (body: object, headers = {}) => owner.request<Automation>("PATCH", one, body, headers),
      act: (action: string, body?: object, headers = {}) =>
        owner.post<Automation & { details: { path: string; code: string }[] }>(
          `${one}/${action}`,
          body,
          headers,
        ),
      look: async () => (await owner.get<Automation>(one)).body,
      add: async (body: object = {}) => {
        const email = `${unique("s")}@any.test`;
        return (await owner.post<{ id: string }>(`${path}/subscribers`, { email, ...body })).body
          .id;
      },
      mails: () =>
        allRows<Record<string, unknown>>(
          `select step_id, automation_version as version, state, subject, html_body, status, topic_id, kind
         from broadcasts where automation_id = ? order by automation_version, step_id`,
          made.body.id,
        ),
      runs: () =>
        allRows<Record<string, unknown>>(
          "select subscriber_id, step, outcome, due_at, version from automation_runs where automation_id = ? order by id",
          made.body.id,
        ),
    };
  }
  return { service, owner, newWorld };
}
