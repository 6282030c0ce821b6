/* Events that Stripe, Clerk and Supabase report (docs/hooks.md). */
import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { allRows, type Row } from "../../support/rows.ts";
import { createService, unique } from "../../support/service.ts";

const service = createService();
const owner = await service.newOwner();
const STRIPE = "whsec_0123456789abcdefABCDEF0123456789";
const SVIX = `whsec_${btoa(unique("secret-of-a-hook"))}`;
const SECRETS = { stripe: STRIPE, clerk: SVIX, supabase: `v1,${SVIX}` };
type Name = keyof typeof SECRETS;

async function newSource(name: Name) {
  const { id } = await owner.newProject();
  const path = `/projects/${id}`;
  const email = `${unique("ann")}@any.test`;
  const added = await owner.post(`${path}/subscribers`, { email });
  await owner.put(`${path}/auth-hooks/${name}`, { secret: SECRETS[name] });
  const hook = async () =>
    (await owner.get<{ url: string; last_error: Row | null }>(`${path}/auth-hooks/${name}`)).body;
  const { pathname } = new URL((await hook()).url);
  const post = async (body: string, headers: Record<string, string>, query = "") => {
    const init = { method: "POST", body, headers };
    const response = await service.fetch(pathname + query, init);
    return { status: response.status, body: await response.json() };
  };
  const events = () =>
    allRows<{ name: string; data: string; subscriber_id: string; occurred_at: number }>(
      "select * from events where project_id = ? order by seq",
      id,
    );
  return { id, path, email, subscriberId: String(added.body["id"]), hook, post, events };
}

const SECONDS = Math.floor(Date.now() / 1_000);

function stripeHeaders(body: string, { at = SECONDS, secret = STRIPE, more = "" } = {}) {
  const v1 = createHmac("sha256", secret).update(`${at}.${body}`).digest("hex");
  return { "Stripe-Signature": `t=${at},${more}v1=${v1}` };
}

const stripeEvent = (object: object, more: object = {}) =>
  JSON.stringify({
    id: unique("evt"),
    object: "event",
    type: "invoice.paid",
    created: SECONDS - 60,
    livemode: true,
    data: { object: { id: "in_1", object: "invoice", ...object } },
    ...more,
  });

describe("Stripe", () => {
  it("reports an event of a customer, once however often it is posted", async () => {
    const { email, subscriberId, post, events, hook } = await newSource("stripe");
    const body = stripeEvent(
      {
        customer_email: email.toUpperCase(),
        customer: "cus_1",
        amount_paid: 4_200,
        currency: "eur",
        lines: { data: ["kept out"] },
      },
      { id: "evt_1" },
    );
    for (let n = 0; n < 2; n++)
      expect(await post(body, stripeHeaders(body, { at: SECONDS + n }))).toEqual({
        status: 200,
        body: { received: true },
      });
    const [event, ...others] = await events();
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      name: "stripe.invoice.paid",
      subscriber_id: subscriberId,
      occurred_at: (SECONDS - 60) * 1_000,
    });
    expect(JSON.parse(event?.data ?? "")).toEqual({
      id: "in_1",
      customer: "cus_1",
      amount_paid: 4_200,
      currency: "eur",
      event: "evt_1",
    });
    expect((await hook()).last_error).toBeNull();
  });

  it.each<[string, (email: string) => object]>([
    ["a checkout", (email) => ({ object: "checkout.session", customer_details: { email } })],
    ["a charge", (email) => ({ object: "charge", billing_details: { email } })],
    ["a payment", (email) => ({ object: "payment_intent", receipt_email: email })],
    ["a customer", (email) => ({ object: "customer", email })],
  ])("finds the person of %s", async (_what, objectOf) => {
    const { email, post, events } = await newSource("stripe");
    const body = stripeEvent(objectOf(email));
    expect((await post(body, stripeHeaders(body, { more: "v1=00," }))).status).toBe(200);
    expect(await events()).toHaveLength(1);
  });

  it("answers 200 to an object without an address, and adds unknown people only by ?create", async () => {
    const { id, post, events } = await newSource("stripe");
    const [none, stranger] = [
      stripeEvent({ object: "subscription", email: "x@any.test" }),
      stripeEvent({ customer_email: "new@any.test" }),
    ];
    for (const body of [none, stranger])
      expect((await post(body, stripeHeaders(body))).status).toBe(200);
    expect(await events()).toEqual([]);
    expect((await post(stranger, stripeHeaders(stranger), "?create=pending")).status).toBe(200);
    expect(await events()).toHaveLength(1);
    expect(
      await allRows("select 1 from subscribers where project_id = ? and status = 'pending'", id),
    ).toHaveLength(1);
  });

  it("is refused with a wrong, old or missing signature, and with a wrong token", async () => {
    const { email, post, events, path, hook } = await newSource("stripe");
    const body = stripeEvent({ customer_email: email });
    const headers: Record<string, string>[] = [
      {},
      { "Stripe-Signature": "" },
      { "Stripe-Signature": `t=${SECONDS},v1=` },
      stripeHeaders(body, { at: SECONDS - 301 }),
      stripeHeaders(body, { at: SECONDS + 400 }),
      stripeHeaders(body, { secret: `${STRIPE}x` }),
      stripeHeaders(`${body} `),
    ];
    for (const given of headers)
      expect(await post(body, given)).toMatchObject({
        status: 401,
        body: { code: "invalid_hook_signature" },
      });
    const wrong = await service.fetch("/hooks/stripe/nobody", {
      method: "POST",
      body,
      headers: stripeHeaders(body),
    });
    expect(wrong.status).toBe(401);
    expect((await hook()).last_error).toMatchObject({ code: "invalid_hook_signature" });
    await owner.put(`${path}/auth-hooks/stripe`, { secret: "" });
    expect((await post(body, stripeHeaders(body))).status).toBe(403);
    expect(await events()).toEqual([]);
  });

  it("refuses a secret that is none of Stripe's, and bodies of another form", async () => {
    const { path, post } = await newSource("stripe");
    for (const secret of ["sk_live_1", "v1,whsec_c2VjcmV0LW9mLXRoZS1leGFtcGxl", "whsec_short"])
      expect(await owner.put(`${path}/auth-hooks/stripe`, { secret })).toMatchObject({
        status: 400,
        body: { details: [{ path: "secret" }] },
      });
    for (const body of ["", "[]", "{}", '{"id":"e","type":"a","created":1,"data":{}}'])
      expect(await post(body, stripeHeaders(body))).toMatchObject({
        status: 400,
        body: { code: "invalid_hook_body" },
      });
    const odd = stripeEvent({ customer_email: "a@any.test" }, { type: "a b" });
    expect((await post(odd, stripeHeaders(odd))).status).toBe(200);
  });
});

function svixHeaders(prefix: "svix" | "webhook", body: string) {
  const [id, at] = [unique("msg"), new Date()];
  return {
    [`${prefix}-id`]: id,
    [`${prefix}-timestamp`]: String(Math.floor(at.getTime() / 1_000)),
    [`${prefix}-signature`]: new Webhook(SVIX).sign(id, at, body),
  };
}

describe("Clerk", () => {
  it("reports what happens to a user, by the primary address", async () => {
    const { email, post, events } = await newSource("clerk");
    const user = {
      id: "user_1",
      first_name: "Ann",
      last_name: null,
      primary_email_address_id: "idn_2",
      email_addresses: [
        { id: "idn_1", email_address: "other@any.test" },
        { id: "idn_2", email_address: email },
      ],
    };
    const at = Date.now() - 5_000;
    const body = JSON.stringify({ type: "user.created", timestamp: at, data: user });
    for (let n = 0; n < 2; n++)
      expect((await post(body, svixHeaders("svix", body))).status).toBe(200);
    const found = await events();
    expect(found).toMatchObject([{ name: "clerk.user.created", occurred_at: at }]);
    expect(JSON.parse(found[0]?.data ?? "")).toEqual({
      id: "user_1",
      first_name: "Ann",
      last_name: null,
    });
    const other = JSON.stringify({ type: "session.created", data: { id: "s", user_id: "user_1" } });
    expect((await post(other, svixHeaders("svix", other))).status).toBe(200);
    expect(await events()).toHaveLength(1);
  });
});

describe("Supabase", () => {
  const call = (email: string) =>
    JSON.stringify({
      metadata: {
        uuid: crypto.randomUUID(),
        time: new Date().toISOString(),
        name: "before-user-created",
        ip_address: "127.0.0.1",
      },
      user: { id: "u1", email },
    });

  it("reports a new user, and lets people without an address in", async () => {
    const { email, post, events } = await newSource("supabase");
    for (const body of [call(email), call("")])
      expect(await post(body, svixHeaders("webhook", body))).toEqual({ status: 200, body: {} });
    expect(await events()).toMatchObject([{ name: "supabase.user.created", data: '{"id":"u1"}' }]);
  });

  it("creates the user even if the event cannot be stored, and the hook tells why", async () => {
    const { email, post, events, hook } = await newSource("supabase");
    const old = JSON.parse(call(email)) as { metadata: { time: string } };
    old.metadata.time = "2020-01-01T00:00:00Z";
    const body = JSON.stringify(old);
    expect(await post(body, svixHeaders("webhook", body))).toEqual({ status: 200, body: {} });
    expect(await events()).toEqual([]);
    expect((await hook()).last_error).not.toBeNull();
  });
});
