/* Workspaces inside a test: people with roles, the audit trail, and races. */
import { testLicense } from "./license.ts";
import { PASSWORD } from "./new-account.ts";
import { allRows, type Row } from "./rows.ts";
import { createService, type Answer, type Client, type Service } from "./service.ts";

/** A person and their id. */
export type Person = Client & { id: string };

export { PASSWORD };

/** Number of runs of a race between two requests. */
export const RACE_ROUNDS = 12;

const team = { ...(await testLicense("team")), DEPLOYMENT_MODE: "self_hosted" };

/** A service with a licence for members and a clock that only the test moves. */
export const teamService = (now: () => number) => createService(team, { now });

export const statusesOf = (answers: Answer[]) =>
  answers.map(({ status }) => status).toSorted((a, b) => a - b);

/** Status and error of a refusal. */
export const refusalOf = ({ status, body }: Answer) => [status, body["error"]];

export async function newPerson(service: Service): Promise<Person> {
  const client = await service.newOwner();
  const { body } = await client.get<{ user: { id: string } }>("/auth/me");
  return Object.assign(client, { id: body.user.id });
}

/** The same person in self-hosted mode, where owners add others at once and create accounts. */
export function selfHosted(service: Service, { email, cookie }: Client): Client {
  const { anonymous } = createService({ ...service.env, ...team }, service.runtime);
  const request: Client["request"] = (method, path, body, headers = {}) =>
    anonymous.request(method, path, body, { ...headers, Cookie: cookie });
  return {
    ...anonymous,
    email,
    cookie,
    request,
    get: (path) => request("GET", path),
    post: (path, body, headers) => request("POST", path, body, headers),
  };
}

/** Creates a person with this role in the workspace, added by an owner of it. */
export async function newMember(service: Service, id: string, by: Client, role: string) {
  const person = await newPerson(service);
  const { status } = await addTo(id, selfHosted(service, by), person, role);
  if (status !== 201) throw new Error(`not added: ${status}`);
  return person;
}

export async function newWorkspace(by: Client): Promise<string> {
  const { body } = await by.post("/workspaces", { name: "Team" });
  return String(body["id"]);
}

export const addTo = (id: string, by: Client, whom: Client, role?: string) =>
  by.post(`/workspaces/${id}/members`, { email: whom.email, role });
export const removeFrom = (id: string, by: Client, whom: { id: string }) =>
  by.delete(`/workspaces/${id}/members/${whom.id}`);
export const changeRole = (id: string, by: Client, whom: { id: string }, role: unknown) =>
  by.request("PATCH", `/workspaces/${id}/members/${whom.id}`, { role });

/** Roles in a workspace, in alphabetical order. */
export const rolesIn = async (id: string) =>
  (
    await allRows("select role from workspace_members where workspace_id = ? order by role", id)
  ).map(({ role }) => String(role));

/** Entries in the audit trail of a workspace, oldest first. */
export const auditOf = async (id: string) =>
  (
    await allRows(
      "select action, target_type, target_id, user_id, metadata from audit_entries where scope_id = ? order by rowid",
      id,
    )
  ).map((row) => Object.assign(row, { metadata: JSON.parse(String(row["metadata"])) as Row }));

/** An entry of that trail. */
export const auditEntry = (id: string, action: string, by: { id: string }, metadata: Row) => ({
  action,
  target_type: "workspace",
  target_id: id,
  user_id: by.id,
  metadata,
});

/**
 * Calls a service as `by`, while `happens` runs after `tripsBefore` round trips of the request (1:
 * the access check) and before its write.
 */
export async function overtaken(
  service: Service,
  by: Client,
  [method, path, body]: [method: string, path: string, body?: unknown],
  happens: () => Promise<Answer>,
  tripsBefore = 1,
): Promise<Answer> {
  const racing = createService(team, service.runtime);
  const { database } = racing.d1;
  const batch = database.batch.bind(database);
  let overtaking: Answer | undefined;
  database.batch = async (statements) => {
    if (racing.d1.roundTrips === tripsBefore) overtaking ??= await happens();
    return batch(statements);
  };
  const answer = await racing.anonymous.request(method, path, body, { Cookie: by.cookie });
  if (overtaking?.status !== 204) throw new Error(`not overtaken: ${overtaking?.status}`);
  return answer;
}
