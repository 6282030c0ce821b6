/* Calls of Supabase Auth and Clerk, signed by the package of Standard Webhooks. */
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import PostalMime from "postal-mime";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { createServer } from "../../../src/http/server.ts";
import { receivedMessages, waitForMessage } from "../../support/mailbox.ts";
import { allRows } from "../../support/rows.ts";
import { CAPTURING, createService, unique } from "../../support/service.ts";
import { MINUTE } from "../../support/times.ts";

const service = createService();
const owner = await service.newOwner();
const SECRET = `whsec_${btoa(unique("secret-of-a-hook"))}`;
const address = (start = unique("user")) => `${start}@any.test`;

type Name = "supabase" | "clerk";
interface Hook {
  url: string;
  has_secret: boolean;
  templates: Record<string, string>;
  last_called_at: string | null;
  last_error: { code: string; message: string } | null;
}

/** Makes a project with a hook that has a secret. */
async function newHook(name: Name, secret = name === "supabase" ? `v1,${SECRET}` : SECRET) {
  const project = await owner.newProject(CAPTURING);
  const path = `/projects/${project.id}`;
  const saved = await owner.put(`${path}/auth-hooks/${name}`, { secret });
  expect(saved.body).toMatchObject({ has_secret: true });
  const hook = async () => (await owner.get<Hook>(`${path}/auth-hooks/${name}`)).body;
  const { url } = await hook();
  return { ...project, path, url, hook, call: callTo(name, url) };
}

interface Signed {
  id?: string;
  at?: Date;
  secret?: string;
}

/** Signs a call. */
function signed(
  name: Name,
  body: unknown,
  { id = unique("msg"), at = new Date(), secret = SECRET }: Signed = {},
) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const prefix = name === "supabase" ? "webhook" : "svix";
  return {
    method: "POST",
    body: text,
    headers: {
      "Content-Type": "application/json",
      [`${prefix}-id`]: id,
      [`${prefix}-timestamp`]: String(Math.floor(at.getTime() / 1_000)),
      [`${prefix}-signature`]: new Webhook(secret).sign(id, at, text),
    },
  };
}

/** Returns a function that posts a signed call, and returns its status and body. */
const callTo =
  (name: Name, url: string) =>
  async (body: unknown, more: Signed = {}) => {
    const response = await service.fetch(new URL(url).pathname, signed(name, body, more));
    return { status: response.status, body: await response.json() };
  };

const SITE = "https://abc.supabase.co/auth/v1";
const supabaseCall = (email: string, data: object = {}, user: object = {}) => ({
  user: { id: "u1", email, user_metadata: { name: "Ann" }, ...user },
  email_data: {
    token: "305805",
    token_hash: unique("hash"),
    redirect_to: "https://app.example/welcome?from=mail&x=1",
    email_action_type: "signup",
    site_url: SITE,
    token_new: "",
    token_hash_new: "",
    ...data,
  },
});
const clerkCall = (to: string, data: object = {}) => ({
  type: "email.created",
  data: {
    object: "email",
    id: unique("ema"),
    slug: "verification_code",
    from_email_name: "notifications",
    to_email_address: to,
    subject: "424242 is your code",
    body: '<p>424242 or <a href="https://clerk.example/v?t=1">open</a></p>',
    body_plain: "424242",
    delivered_by_clerk: false,
    ...data,
  },
});

const mailTo = async (to: string) => PostalMime.parse((await waitForMessage(to)).raw);
const error = (http_code: number, message: unknown = expect.any(String)) => ({
  error: { http_code, message },
});

describe("a call of Supabase Auth", () => {
  it("sends the built-in email, whose link is Supabase's and stays as it is", async () => {
    const { call, hook, path } = await newHook("supabase");
    const to = address();
    const body = supabaseCall(to);
    expect(await call(body)).toEqual({ status: 200, body: {} });
    const { subject, html = "", text = "", headers } = await mailTo(to);
    expect(subject).toBe("Confirm your email address");
    const query = new URLSearchParams({
      token: body.email_data.token_hash,
      type: "signup",
      redirect_to: body.email_data.redirect_to,
    });
    const link = `${SITE}/verify?${query.toString()}`;
    expect(text).toContain(link);
    expect(html.replaceAll("&amp;", "&").replaceAll("&#x3D;", "=")).toContain(`href="${link}"`);
    expect(html).toContain("305805");
    expect(html).not.toMatch(/\/c\/|\.gif/);
    expect(headers.map(({ key }) => key)).not.toContain("list-unsubscribe");
    const { body: logs } = await owner.get<{ logs: object[] }>(`${path}/logs`);
    expect(logs.logs).toMatchObject([
      { to_email: to, status: "sent", tags: { hook: "supabase", action: "signup" } },
    ]);
    expect(await hook()).toMatchObject({
      last_called_at: expect.any(String),
      last_error: null,
    });
  });

  it.each([
    ["signup", { locale: "de-AT" }, "Bestätigen Sie Ihre E-Mail-Adresse"],
    ["invite", { lang: "fr" }, "Vous êtes invité à rejoindre Test project"],
    ["magiclink", { language: "es" }, "Inicie sesión en Test project"],
    ["recovery", { locale: "pt_BR" }, "Redefina a sua palavra-passe"],
    ["reauthentication", { locale: "xx" }, "Your verification code"],
  ])("has a built-in email for %s in the language of the user", async (action, meta, subject) => {
    const { call } = await newHook("supabase");
    const to = address();
    const user = { user_metadata: meta };
    await call(
      supabaseCall(to, { email_action_type: action, site_url: "https://a.example" }, user),
    );
    const mail = await mailTo(to);
    expect(mail.subject).toBe(subject);
    expect(mail.text).toContain("305805");
    const link = `https://a.example/auth/v1/verify?`;
    if (action === "reauthentication") expect(mail.text).not.toContain("https://");
    else expect(mail.text).toContain(link);
  });

  it("confirms a changed address with the token of each mailbox", async () => {
    const { call } = await newHook("supabase");
    const [old, next] = [address(), address()];
    const change = {
      email_action_type: "email_change",
      token: "111111",
      token_hash: "hash-of-next",
      token_new: "222222",
      token_hash_new: "hash-of-old",
    };
    expect(await call(supabaseCall(old, change, { new_email: next }))).toMatchObject({ body: {} });
    const [toOld, toNext] = [await mailTo(old), await mailTo(next)];
    expect(toOld.text).toContain("111111");
    expect(toOld.text).toContain("token=hash-of-old&type=email_change");
    expect(toOld.text).toContain(next);
    expect(toNext.text).toContain("222222");
    expect(toNext.text).toContain("token=hash-of-next&type=email_change");
    const only = address();
    const single = { ...change, token: "333333", token_new: "", token_hash_new: "" };
    await call(supabaseCall(address(), single, { new_email: only }));
    expect((await mailTo(only)).text).toContain("333333");
  });

  it("uses the template that the settings name, or the built-in one once it is deleted", async () => {
    const { call, path } = await newHook("supabase");
    const { body: template } = await owner.post<{ id: string }>(`${path}/templates`, {
      name: "Sign-up",
      subject: "Welcome {{data.name}}",
      html_body:
        '<a href="{{confirmation_url}}">{{token}}</a> {{token_hash}} {{email}} {{action}} {{data.name}}',
    });
    const templates = { signup: template.id };
    expect(await owner.put(`${path}/auth-hooks/supabase`, { templates })).toMatchObject({
      status: 200,
      body: { templates, has_secret: true },
    });
    const to = address();
    const body = supabaseCall(to, { token_hash: "the-hash" }, { user_metadata: { name: "<b>" } });
    await call(body);
    const { subject, html } = await mailTo(to);
    expect(subject).toBe("Welcome <b>");
    expect(html).toContain(`>305805</a> the-hash ${to} signup &lt;b&gt;`);
    expect(html).not.toMatch(/\/c\/|\.gif/);
    const { body: logs } = await owner.get<{ logs: object[] }>(`${path}/logs`);
    expect(logs.logs).toMatchObject([{ template_id: template.id }]);
    await owner.delete(`${path}/templates/${template.id}`);
    const other = address();
    expect(await call(supabaseCall(other))).toMatchObject({ status: 200, body: {} });
    expect((await mailTo(other)).subject).toBe("Confirm your email address");
  });

  it("sends nothing twice, whether it is repeated with its id or another", async () => {
    const { call } = await newHook("supabase");
    const to = address();
    const body = supabaseCall(to);
    const id = unique("msg");
    for (const again of [id, id, unique("msg")])
      expect(await call(body, { id: again })).toEqual({ status: 200, body: {} });
    expect(await receivedMessages(to)).toHaveLength(1);
  });

  it("fails for a suppressed address, so that the person can give another", async () => {
    const { call, path, hook } = await newHook("supabase");
    const to = address();
    await owner.post(`${path}/suppressions`, { emails: [to] });
    expect(await call(supabaseCall(to))).toEqual({
      status: 200,
      body: error(422, "This address gets no email."),
    });
    expect(await receivedMessages(to)).toEqual([]);
    expect((await hook()).last_error).toMatchObject({ code: "suppressed" });
  });

  it("fails without the words of a server that refuses the email", async () => {
    const { call, hook } = await newHook("supabase");
    const { status, body } = await call(supabaseCall(address(unique("rcpt.550.5.1.1.user"))));
    expect({ status, body }).toEqual({
      status: 200,
      body: error(502, expect.stringMatching(/^The email could not be sent \([\w-]+\)\.$/)),
    });
    expect((await hook()).last_error).toMatchObject({ code: "smtp_failed" });
  });

  it("succeeds after four seconds with a server that takes longer", async () => {
    const { url, hook } = await newHook("supabase");
    const context = createExecutionContext();
    const call = supabaseCall(address(unique("slow.6000.user")));
    const request = new Request(url, signed("supabase", call));
    const answer = await createServer(service.runtime).fetch(request, service.env, context);
    expect(answer.status).toBe(200);
    expect((await hook()).last_called_at).toBeNull(); // the email is on its way
    await waitOnExecutionContext(context);
    expect(await hook()).toMatchObject({ last_called_at: expect.any(String), last_error: null });
  });

  it("fails for a notice without a template, and for a body of another form", async () => {
    const { call } = await newHook("supabase");
    const notice = { email_action_type: "password_changed_notification" };
    expect(await call(supabaseCall(address(), notice))).toEqual({
      status: 200,
      body: error(422, "password_changed_notification has no template"),
    });
    const form = "the call does not have the form of the service:";
    for (const [body, path] of [
      ["{", "the body"],
      [{ user: {} }, "email_data"],
      [supabaseCall("not an address"), "user.email"],
      [supabaseCall(address(), { site_url: "javascript:alert(1)" }), "email_data.site_url"],
      [supabaseCall(address(), { email_action_type: "constructor" }), undefined],
    ] as const)
      expect(await call(body)).toEqual({
        status: 200,
        body: path ? error(400, `${form} ${path}`) : error(422),
      });
  });
});

describe("a call of Clerk", () => {
  it("sends the email as Clerk wrote it, from the sender of the project", async () => {
    const { call, path } = await newHook("clerk");
    const to = address();
    expect(await call(clerkCall(to))).toEqual({
      status: 200,
      body: { message: "sent", id: expect.any(String) },
    });
    const { from, subject, html, text } = await mailTo(to);
    expect(from).toEqual({ name: "Sender", address: "sender@postrider.test" });
    expect(subject).toBe("424242 is your code");
    expect(html?.trim()).toBe('<p>424242 or <a href="https://clerk.example/v?t=1">open</a></p>');
    expect(text?.trim()).toBe("424242");
    const { body: logs } = await owner.get<{ logs: object[] }>(`${path}/logs`);
    expect(logs.logs).toMatchObject([{ tags: { hook: "clerk", action: "verification_code" } }]);
  });

  it("sends nothing that Clerk sends itself, and nothing for another event", async () => {
    const { call } = await newHook("clerk");
    const to = address();
    for (const body of [clerkCall(to, { delivered_by_clerk: true }), { type: "user.created" }])
      expect(await call(body)).toEqual({ status: 200, body: { message: "ignored" } });
    expect(await receivedMessages(to)).toEqual([]);
  });

  it("succeeds if repeating it would not help, and otherwise can be repeated", async () => {
    const { call, path } = await newHook("clerk");
    const suppressed = address();
    await owner.post(`${path}/suppressions`, { emails: [suppressed] });
    const kindOf = async (body: unknown) => (await call(body)).body;
    expect(await kindOf(clerkCall(suppressed))).toMatchObject({ message: "suppressed" });
    const refused = clerkCall(address(unique("rcpt.550.5.1.1.user")));
    expect(await kindOf(refused)).toMatchObject({ message: "refused" });
    const putOff = clerkCall(address(unique("rcpt.450.4.2.1.user")));
    const id = unique("msg");
    for (const _ of [1, 2])
      expect(await call(putOff, { id })).toMatchObject({
        status: 502,
        body: { code: "smtp_failed" },
      });
    const { body: logs } = await owner.get<{ logs: { to_email: string }[] }>(`${path}/logs`);
    const { to_email_address: to } = putOff.data;
    expect(logs.logs.filter(({ to_email }) => to_email === to)).toHaveLength(2);
  });
});

describe.each(["supabase", "clerk"] as const)("a hook of %s", (name) => {
  const bodyTo = name === "supabase" ? supabaseCall : clerkCall;
  const refused = (status: number, code: string) => ({
    status,
    body: name === "supabase" ? error(status) : expect.objectContaining({ code }),
  });

  it("needs both its token and a recent signature with its secret", async () => {
    const made = await newHook(name);
    const to = address();
    const other = await newHook(name === "supabase" ? "clerk" : "supabase");
    const ofOther = new URL(other.url).pathname.split("/").at(-1) ?? "";
    for (const token of ["wrong", ofOther]) {
      const url = made.url.replace(/[^/]+$/, token);
      expect(await callTo(name, url)(bodyTo(to))).toEqual(refused(401, "invalid_hook_token"));
    }
    for (const signed of [
      { secret: `whsec_${btoa("another secret of a hook")}` },
      { at: new Date(Date.now() - 6 * MINUTE) },
      { at: new Date(Date.now() + 6 * MINUTE) },
    ])
      expect(await made.call(bodyTo(to), signed)).toEqual(refused(401, "invalid_hook_signature"));
    expect((await made.hook()).last_error).toMatchObject({ code: "invalid_hook_signature" });
    const large = " ".repeat(1_048_577);
    expect(await made.call(large)).toEqual(refused(413, "payload_too_large"));
    expect(await receivedMessages(to)).toEqual([]);
  });

  it("accepts no call without a secret, or at a URL that was replaced", async () => {
    const made = await newHook(name);
    const to = address();
    const { path } = made;
    const hookPath = `${path}/auth-hooks/${name}`;
    await owner.put(hookPath, { secret: "" });
    expect(await made.call(bodyTo(to))).toEqual(refused(403, "hook_without_secret"));
    await owner.put(hookPath, { secret: SECRET });
    const { body } = await owner.post<Hook>(`${hookPath}/rotate`);
    expect(body.url).not.toBe(made.url);
    expect(await made.call(bodyTo(to))).toEqual(refused(401, "invalid_hook_token"));
    expect(await callTo(name, body.url)(bodyTo(to))).toMatchObject({ status: 200 });
    await waitForMessage(to);
  });

  it("stores neither token nor secret as they are, and audits its changes without them", async () => {
    const { id, url } = await newHook(name);
    const rows = await allRows("select * from auth_hooks where project_id = ?", id);
    const audit = await allRows<{ metadata: string }>(
      "select metadata from audit_entries where scope_id = ? and action = 'auth_hook.update'",
      id,
    );
    const stored = JSON.stringify([rows, audit]);
    for (const secret of [SECRET.slice(6), new URL(url).pathname.split("/").at(-1) ?? ""])
      expect(stored).not.toContain(secret);
    expect(audit.map(({ metadata }) => JSON.parse(metadata) as object)).toEqual([
      { service: name, has_secret: true },
    ]);
  });
});

describe("the settings of a hook", () => {
  it("refuse secrets and templates that could not work", async () => {
    const { path } = await newHook("supabase");
    const foreign = await newHook("supabase");
    const { body: template } = await owner.post<{ id: string }>(`${foreign.path}/templates`, {
      name: "Foreign",
    });
    const save = async (name: string, body: object) => {
      const answer = await owner.put(`${path}/auth-hooks/${name}`, body);
      return [answer.status, (answer.body["details"] as { path: string }[])?.[0]?.path];
    };
    expect(await save("supabase", { secret: "whsec_short" })).toEqual([400, "secret"]);
    const templates = { signup: template.id };
    expect(await save("supabase", { templates })).toEqual([400, "templates.signup"]);
    expect(await save("clerk", { templates })).toEqual([400, "templates"]);
    for (const name of ["other", "constructor"])
      expect(await save(name, { secret: SECRET })).toEqual([404, undefined]);
  });
});
