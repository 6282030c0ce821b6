/*
 * A service in which the example of every call works: each call gets new things of its own, whose
 * ids take the places of those in the example. A new kind of thing needs a maker in `MAKERS`.
 */
import { handleBatch } from "../../src/queues/handle-batch.ts";
import { EXAMPLE_IDS, EXAMPLE_TOKEN, EXAMPLE_USER_CODE } from "../../src/http/route/words.ts";
import type { Route } from "../../src/http/route/declaration.ts";
import { runBatch } from "../../src/db/client.ts";
import { planBroadcast } from "../../src/services/broadcasts/index.ts";
import { appendLog, type LogEntry } from "../../src/services/email-log/index.ts";
import { logEntry } from "./log-entry.ts";
import { startImapServer } from "./imap/sessions.ts";
import { CAPTURING, createService, unique, type Client } from "./service.ts";
import { pngOf } from "./pictures.ts";
import { emptyExport } from "./transfer-files.ts";
import { mailingWorld } from "./service-mail.ts";
import { TEST_SETTINGS } from "./settings.ts";
import { storeCounts, storeRun, storeSeries } from "./stored-automations.ts";
import { newMember, newPerson } from "./workspaces.ts";

/** The time of the example of a scheduled email, and a time for which a mail can be scheduled. */
const SCHEDULED_AT = "2026-12-01T09:00:00Z";
const IN_AN_HOUR = new Date(Date.now() + 3_600_000).toISOString();

export interface ExamplesWorld {
  /** The project of all calls that need none of their own. */
  projectId: string;
  /** Sends the example of a route to new things. */
  send: (route: Route) => Promise<{ status: number; text: string }>;
}

const ANN = { email: "ann@example.com", password: "correct horse battery" };

/** A queue that delivers nothing: the examples need no work behind their answers. */
const QUIET = { send: async () => {}, sendBatch: async () => {} } as unknown as Queue<never>;

const DOH_URL = "https://doh.test/dns-query";
/** A DNS without names: a test has no network. */
const fetchWithoutDns: typeof fetch = async (input, init) =>
  new URL(input instanceof Request ? input.url : input).href.startsWith(DOH_URL)
    ? Response.json({ Status: 3 })
    : fetch(input, init);

const cookieOf = (headers: Headers) => headers.get("Set-Cookie")?.split(";")[0] ?? "";

/** Makes the body of a call that takes a file, by its content type. */
const FILES: Record<string, () => BodyInit> = {
  "application/gzip": emptyExport,
  "application/octet-stream": () => pngOf(600, 200),
};

/** The drafts of the examples are alike, and some go to nobody. */
const ANYWAY = { accept: ["empty_audience", "similar_broadcast"] };

/** Must run before any other account of its file. */
export async function examplesWorld(): Promise<ExamplesWorld> {
  const settings = { WEBHOOK_QUEUE: QUIET, BOUNCE_QUEUE: QUIET, DOH_URL };
  const world = await mailingWorld(Date.now, settings, { fetch: fetchWithoutDns });
  const { service, operator } = world;
  /** The same service in self-hosted mode, where owners add others at once. */
  const own = createService({ ...service.env, DEPLOYMENT_MODE: "self_hosted" }, service.runtime);
  const { project } = world;
  const path = `/projects/${project.id}`;
  let ann: Client["cookie"] = "";
  /** A person whose address is not confirmed. */
  let gail: Client["cookie"] = "";

  const idOf = async (answer: Promise<{ body: Record<string, unknown> }>) => {
    const { body } = await answer;
    if (typeof body["id"] !== "string") throw new Error(JSON.stringify(body));
    return body["id"];
  };
  const first = async (at: string, field: string) => {
    const { body } = await operator.get<Record<string, { id: string }[]>>(at);
    const [one] = body[field] ?? [];
    if (!one) throw new Error(`${at} is empty`);
    return one.id;
  };
  const newTemplate = (at = path) =>
    idOf(operator.post(`${at}/templates`, { name: unique("t"), subject: "Hi", html_body: "x" }));
  const newProject = async () => (await operator.newProject(CAPTURING)).id;
  const newWorkspace = () => idOf(operator.post("/workspaces", { name: "Team" }));
  const newWebhook = (at = path) =>
    idOf(operator.post(`${at}/webhooks`, { url: "http://127.0.0.1:9/hook" }));
  const newInvitation = (workspaceId: string, email = `${unique("invited")}@people.test`) =>
    idOf(operator.post(`/workspaces/${workspaceId}/invitations`, { email }));
  const startBroadcast = async (at: string, templateId: string) => {
    const prefer = { Prefer: "respond-async" };
    const body = { template_id: templateId };
    const started = await operator.post(`${at}/broadcast`, body, prefer);
    return String(started.body["broadcast_id"]);
  };
  const startKeyed = async () => {
    const body = { subject: "Hi", html: "<a href='{{unsubscribe_link}}'>leave</a>" };
    const started = await service
      .withKey(sdk)
      .post<{ data: { broadcastId: string } }>("/broadcast", body);
    return started.body.data.broadcastId;
  };
  /** A broadcast for calls that change none; five can be started a minute. */
  let started: Promise<string> | undefined;
  const anyBroadcast = () =>
    (started ??= newTemplate().then((templateId) => startBroadcast(path, templateId)));
  /** A mail that failed for certain. */
  const newFailure = async (change: Partial<LogEntry> = {}) => {
    const deps = await service.deps();
    const failed = { status: "failed", error: "x", templateId: await newTemplate() } as const;
    const toEmail = `${unique("failed")}@any.test`;
    const entry = logEntry(project.id, { sentAt: Date.now(), toEmail, ...failed, ...change });
    await runBatch(deps.db, appendLog(deps, project.id, [entry]));
    return entry.id;
  };
  const newScheduled = () => {
    const content = { subject: "Hi", text_body: "x", scheduled_at: IN_AN_HOUR };
    return idOf(operator.post(`${path}/send`, { to: "ann@example.com", ...content }));
  };
  const newDraft = async () => {
    const content = { subject: "Hi", text_body: "x" };
    return idOf(operator.post(`${path}/broadcasts`, { name: unique("draft"), ...content }));
  };
  const newAutomation = async ({ operation }: Route) => {
    const content = { subject: "Hi", html_body: "{{unsubscribe_link}}" };
    const steps = [{ id: "hello", type: "send", ...content }];
    const automation = { name: "Welcome", trigger: { type: "manual" }, steps };
    const id = await idOf(operator.post(`${path}/automations`, automation));
    if (/\.(?:pause|stop|enter)$/.test(operation))
      await operator.post(`${path}/automations/${id}/start`);
    return id;
  };
  const finishWithFailure = async (broadcastId: string) => {
    const done = "update broadcasts set state = 'done' where id = ?";
    await service.env.DB.prepare(done).bind(broadcastId).run();
    await newFailure({ broadcastId, subscriberId: crypto.randomUUID() });
  };
  /** A broadcast that has begun with an A/B test, whose winner somebody must choose. */
  const newTrial = async () => {
    await operator.post(`${path}/subscribers`, { email: `${unique("t")}@example.com` });
    const id = await newDraft();
    const ab = { variants: [{ subject: "News" }, { subject: "All that is new" }], by: "manual" };
    await operator.request("PATCH", `${path}/broadcasts/${id}`, { ab });
    await operator.post(`${path}/broadcasts/${id}/start`, ANYWAY);
    const due = "update broadcasts set plan_due_at = 0 where id = ?";
    await service.env.DB.prepare(due).bind(id).run();
    const deps = await service.deps();
    for (let step = 0; step < 2; step++) await planBroadcast(deps, id);
    return id;
  };
  /** An A/B test for calls that change none; ten drafts can be started a minute. */
  let trial: Promise<string> | undefined;
  const newLetter = async () => {
    const body = { type: "webhook_due", webhookId: unique("hook") };
    const message = { id: unique("message"), body, attempts: 1, ack: () => {}, retry: () => {} };
    const batch = { queue: "postrider-dead", messages: [message] } as unknown as MessageBatch;
    await handleBatch(await service.deps(), batch);
    return first("/service/dead-letters", "dead_letters");
  };
  const logInAnn = async () => {
    const { headers } = await service.anonymous.post("/auth/login", {
      ...ANN,
      password: "a longer horse battery",
    });
    return cookieOf(headers);
  };
  /** Registers a person; the setup token proves their address. */
  const register = async (email: string, proof: { setup_token?: string } = {}) => {
    const account = { ...ANN, email, name: "Example", ...proof };
    return cookieOf((await service.anonymous.post("/auth/register", account)).headers);
  };

  /** Makes the thing that a parameter of a path names, inside the place of the call. */
  const MAKERS: Record<string, (place: string, route: Route, at: string) => Promise<string>> = {
    deliveryId: (_place, _route, at) => {
      const [, hook = ""] = /\/webhooks\/([^/]+)/.exec(at) ?? [];
      return idOf(operator.post(`${path}/webhooks/${hook}/test`));
    },
    versionId: async (_place, _route, at) => {
      const [, template = ""] = /\/templates\/([^/]+)/.exec(at) ?? [];
      await operator.put(`${path}/templates/${template}`, { subject: "Another" });
      return first(`${path}/templates/${template}/versions`, "versions");
    },
    templateId: () => newTemplate(),
    webhookId: () => newWebhook(),
    userId: async (workspaceId) => (await newMember(service, workspaceId, operator, "member")).id,
    invitationId: (workspaceId) => newInvitation(workspaceId),
    letterId: newLetter,
    provider: async () => "sendgrid",
    service: async () => "supabase",
    keyId: () => idOf(operator.post(`${path}/api-keys`, { name: "Key" })),
    subscriberId: () =>
      idOf(operator.post(`${path}/subscribers`, { email: `${unique("s")}@example.com` })),
    subscriber: async () => {
      const email = `${unique("s")}@example.com`;
      await operator.post(`${path}/subscribers`, { email });
      return email;
    },
    suppressionId: async () => {
      await operator.post(`${path}/suppressions`, { emails: [`${unique("b")}@example.com`] });
      return first(`${path}/suppressions`, "suppressions");
    },
    segmentId: () =>
      idOf(operator.post(`${path}/segments`, { name: unique("segment"), where: "tag:vip" })),
    fieldId: () => idOf(operator.post(`${path}/fields`, { key: unique("field") })),
    formId: () =>
      idOf(operator.post(`${path}/forms`, { name: "Website", title: "Our newsletter" })),
    savedBlockId: () =>
      idOf(operator.post(`${path}/saved-blocks`, { name: "Divider", block: { type: "divider" } })),
    imageId: () => idOf(operator.request("POST", `${path}/images`, pngOf(1, 1))),
    topicId: () => idOf(operator.post(`${path}/topics`, { name: unique("topic") })),
    automationId: async (_place, route) => {
      if (!/\.(?:report|runs)$/.test(route.operation)) return newAutomation(route);
      const id = await storeSeries(project.id);
      await storeCounts(id, { " in": 3, "welcome in": 3, "welcome out": 3, "pause in": 3 });
      await storeRun(project.id, id, {
        subscriber_id: await MAKERS["subscriberId"]?.("", route, ""),
      });
      return id;
    },
    logId: (_place, { operation }) =>
      /\.(?:reschedule|cancel)$/.test(operation) ? newScheduled() : newFailure(),
    broadcastId: async (_place, { operation }) => {
      if (
        /\.(?:list|get|report|ledger|recipients|content|page|archive|setInArchive)$/.test(operation)
      )
        return anyBroadcast();
      if (operation.endsWith(".retry")) {
        const id = await anyBroadcast();
        await finishWithFailure(id);
        return id;
      }
      if (
        /\.(?:update|delete|duplicate|startDraft|countAudience|preflight|test|undoStart)$/.test(
          operation,
        )
      ) {
        const id = await newDraft();
        if (operation.endsWith(".undoStart"))
          await operator.post(`${path}/broadcasts/${id}/start`, ANYWAY);
        return id;
      }
      if (operation.endsWith(".trial")) return (trial ??= newTrial());
      if (/\.(?:chooseWinner|resend)$/.test(operation)) {
        const id = await newTrial();
        if (operation.endsWith(".resend")) await finishWithFailure(id);
        return id;
      }
      const id = operation.startsWith("keyed.")
        ? await startKeyed()
        : await startBroadcast(path, await newTemplate());
      if (operation.endsWith(".resume")) await operator.post(`${path}/broadcasts/${id}/pause`);
      return id;
    },
    batchId: async (_place, { operation }) => {
      const later = /\.(?:reschedule|cancel)$/.test(operation) ? { scheduled_at: IN_AN_HOUR } : {};
      const recipients = [{ to: "ann@example.com" }];
      const body = { template_id: await newTemplate(), recipients, ...later };
      const headers = { Prefer: "respond-async" };
      const started = await operator.post(`${path}/send/batch`, body, headers);
      return String(started.body["batch_id"]);
    },
    tokenId: () => {
      const body = { name: "Deploy templates", expires_at: "2030-01-31T00:00:00Z" };
      return idOf(operator.post("/auth/tokens", { ...body, project_ids: [project.id] }));
    },
    sessionId: async () => {
      const cookie = await logInAnn();
      const { body } = await service.anonymous.request<{
        sessions: { id: string; current: boolean }[];
      }>("GET", "/auth/sessions", undefined, { Cookie: cookie });
      return body.sessions.find(({ current }) => current)?.id ?? "";
    },
  };

  /** The parameter whose maker gives a list an entry. */
  const ENTRIES: Record<string, string> = {
    "auth.tokens.list": "tokenId",
    "service.deadLetters.list": "letterId",
    "workspaces.invitations.list": "invitationId",
    "projects.broadcasts.list": "broadcastId",
    "projects.suppressions.list": "suppressionId",
    "projects.templates.versions.list": "versionId",
    "projects.images.list": "imageId",
    "projects.savedBlocks.list": "savedBlockId",
    "projects.segments.list": "segmentId",
    "projects.fields.list": "fieldId",
    "projects.forms.list": "formId",
    "projects.topics.list": "topicId",
    "projects.automations.list": "automationId",
    "keyed.broadcasts.list": "broadcastId",
    "keyed.segments.list": "segmentId",
    "keyed.topics.list": "topicId",
    "projects.webhooks.deliveries.list": "deliveryId",
  };

  /** The state that must hold before a call, besides that its things exist. */
  const BEFORE: Record<string, () => Promise<unknown>> = {
    "workspaces.members.add": () =>
      register("ben@example.com", { setup_token: TEST_SETTINGS.SETUP_TOKEN }),
    "projects.bounceMailbox.test": async () => {
      const { port } = await startImapServer({});
      const account = { enabled: true, host: "localhost", user: "ann", password: "secret" };
      return operator.put(`${path}/bounce-imap`, { ...account, port });
    },
    "projects.erasures.lift": async () => {
      await operator.post(`${path}/erasures`, { email: "gone@example.com" });
      return service.env.DB.prepare("update erased_addresses set due_at = null").run();
    },
    "auth.confirmAddress": async () => (gail = await register("gail@example.com")),
    "auth.resendConfirmation": async () => (gail = await register("hugo@example.com")),
    "invitations.lookUp": async () => newInvitation(await newWorkspace(), "erin@example.com"),
    "projects.subscribers.topics.save": () =>
      operator.post(`${path}/topics`, { name: "Weekly digest" }),
    "keyed.subscribers.topics.save": () =>
      operator.post(`${path}/topics`, { name: "Weekly digest" }),
    // Both APIs have the same examples, and names are taken once.
    "keyed.topics.create": () =>
      service.env.DB.prepare("delete from topics where name = 'Product news'").run(),
    "keyed.segments.create": () =>
      service.env.DB.prepare("delete from segments where name = 'Readers abroad'").run(),
    "invitations.accept": async () => newInvitation(await newWorkspace(), "fred@example.com"),
  };

  /** Codes of a login that waits, or that is confirmed for the program that polls. */
  const newDeviceLogin = async ({ operation }: Route) => {
    const { body } = await service.anonymous.post("/auth/device", { name: "CLI on workstation" });
    const user_code = String(body["user_code"]);
    if (operation === "auth.device.poll")
      await operator.post("/auth/device/answer", { user_code, approve: true });
    return { [EXAMPLE_TOKEN]: String(body["device_code"]), [EXAMPLE_USER_CODE]: user_code };
  };

  /** The address whose mail has the token of a call. */
  const TOKENS: Record<string, string> = {
    "auth.resetPassword": ANN.email,
    "auth.confirmAddress": "gail@example.com",
    "invitations.lookUp": "erin@example.com",
    "invitations.accept": "fred@example.com",
  };

  const sdk = String(
    (await operator.post(`${path}/api-keys`, { name: "sdk", type: "sdk" })).body["key"],
  );

  const credentialOf = async ({ auth, operation }: Route): Promise<Record<string, string>> => {
    if (auth === "secret" || auth === "public_or_secret") return { Authorization: `Bearer ${sdk}` };
    if (/^auth\.(?:confirmAddress|resendConfirmation)$/.test(operation)) return { Cookie: gail };
    if (operation === "auth.logout") return { Cookie: (await newPerson(service)).cookie };
    const isOfAnn = /^auth\.(?:me|updateMe|changeEmail|changePassword|sessions)/.test(operation);
    if (isOfAnn) return { Cookie: ann };
    return auth === "public" || auth === "ingest_token" ? {} : { Cookie: operator.cookie };
  };

  /** Returns the place of a call: a new one where the call changes or counts much. */
  const placeOf = async ({ auth, path: at, operation }: Route): Promise<string> => {
    if (auth === "workspace") return newWorkspace();
    const isOwn = /\.(?:delete|import|smtp\.save|bounceMailbox\.save|join|broadcasts\.start)$/.test(
      operation,
    );
    const isWhole = !/\/:(?!id\b)/.test(at);
    return isOwn && isWhole ? newProject() : project.id;
  };

  const send = async (route: Route) => {
    await BEFORE[route.operation]?.();
    const place = await placeOf(route);
    let at = route.path.replace(/:id\b|:projectId\b/, place);
    for (const [, name = ""] of route.path.matchAll(/:(\w+)/g)) {
      if (name === "id" || name === "projectId") continue;
      const make = MAKERS[name];
      if (!make) throw new Error(`test/support/examples-world.ts has no maker for ${name}`);
      at = at.replace(`:${name}`, await make(place, route, at));
    }
    await MAKERS[ENTRIES[route.operation] ?? ""]?.(place, route, at);
    const mailed = TOKENS[route.operation];
    const isNew = place !== project.id && route.operation === "projects.broadcasts.start";
    const values = {
      [EXAMPLE_IDS.project]: project.id,
      [EXAMPLE_IDS.template]: await newTemplate(isNew ? `/projects/${place}` : path),
      [SCHEDULED_AT]: IN_AN_HOUR,
      [EXAMPLE_TOKEN]: mailed === undefined ? "" : await world.tokenFor(mailed),
      ...(/^auth\.device\.(?!begin)/.test(route.operation) && (await newDeviceLogin(route))),
      "the-token-of-the-deployment": TEST_SETTINGS.SETUP_TOKEN,
    };
    const { body, query = {} } = route.example ?? {};
    const { freeBodyType: fileType } = route;
    const file = FILES[fileType ?? ""]?.();
    let text = body === undefined ? undefined : JSON.stringify(body);
    for (const [shown, real] of Object.entries(values)) text = text?.replaceAll(shown, real);
    if (route.auth === "ingest_token") {
      const { body: made } = await operator.get<{ url: string }>(`${path}/bounce-webhook`);
      query["token"] = new URL(made.url).searchParams.get("token") ?? "";
    }
    const asked = new URLSearchParams(query).toString();
    const isOwn = /^workspaces\.(?:members\.add|users\.create)$/.test(route.operation);
    const answer = await (isOwn ? own : service).fetch(`${at}${asked === "" ? "" : `?${asked}`}`, {
      method: route.method,
      headers: {
        ...(await credentialOf(route)),
        ...(text === undefined ? {} : { "Content-Type": "application/json" }),
        ...(file && fileType ? { "Content-Type": fileType } : {}),
        ...(route.operation === "projects.broadcasts.start" ? { Prefer: "respond-async" } : {}),
      },
      ...(text === undefined ? {} : { body: text }),
      ...(file === undefined ? {} : { body: file }),
    });
    if (route.operation === "auth.register") ann = cookieOf(answer.headers);
    if (route.operation === "auth.resetPassword") ann = await logInAnn();
    return { status: answer.status, text: await answer.text() };
  };
  return { projectId: project.id, send };
}
