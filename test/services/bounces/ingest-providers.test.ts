/* Events of mail providers, as they post them, and what becomes of them. */
import { Buffer } from "node:buffer";
import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { PROVIDERS } from "../../../src/mail/bounce/index.ts";
import { PROVIDER_EVENTS, scaleway } from "../../fixtures/provider-events.ts";
import { newWebhook, WEBHOOK_QUEUE } from "../../support/events.ts";
import { allRows } from "../../support/rows.ts";
import { createService, unique } from "../../support/service.ts";
import { newSns } from "../../support/sns.ts";

const SCALEWAY_TOPIC = "arn:scw:sns:fr-par:project-8c8bfa06:mailer-events";
const CERTIFICATE = "https://messaging.s3.fr-par.scw.cloud/fr-par/sns/cert-1.pem";
const CONFIRMATION = `https://sns.mnq.fr-par.scaleway.com/?Action=ConfirmSubscription&TopicArn=${SCALEWAY_TOPIC}&Token=abc`;

const sns = await newSns();
const visited: string[] = [];
const service = createService(
  { WEBHOOK_QUEUE },
  {
    fetch: async (input) => {
      const url = input instanceof Request ? input.url : String(input);
      visited.push(url);
      if (url === CERTIFICATE) return new Response(sns.pem);
      if (url === CONFIRMATION) return new Response("<ConfirmSubscriptionResponse/>");
      throw new Error(`the service asked for ${url}`);
    },
  },
);
const owner = await service.newOwner();
const newEmail = () => `${unique("person")}@example.com`;

async function newProject(signatures?: object) {
  const project = await owner.newProject();
  const path = `/projects/${project.id}/bounce-webhook`;
  if (signatures)
    expect(await owner.put(`${path}/signatures`, signatures)).toMatchObject({ status: 200 });
  const { url } = (await owner.get<{ url: string }>(path)).body;
  const { pathname, search } = new URL(url);
  const fetched = async (provider: string, more: string, init: RequestInit) => {
    const response = await service.fetch(`${pathname}/${provider}${search}${more}`, init);
    return { status: response.status, body: await response.json() };
  };
  return {
    ...project,
    path: `/projects/${project.id}`,
    post: (provider: string, body: unknown, headers: Record<string, string> = {}) =>
      fetched(provider, "", {
        method: "POST",
        body: typeof body === "string" ? body : JSON.stringify(body),
        headers,
      }),
    visit: (provider: string, query = "") => fetched(provider, query, {}),
    forged: (provider: string, body: unknown) =>
      service.fetch(`${pathname}/${provider}?token=wrong`, {
        method: "POST",
        body: JSON.stringify(body),
      }),
    suppressed: () =>
      allRows<{ email: string; reason: string }>(
        "select email, reason from suppressions where project_id = ? order by created_at, id",
        project.id,
      ),
  };
}

describe("an event of a provider", () => {
  const names = Object.keys(PROVIDER_EVENTS) as (keyof typeof PROVIDER_EVENTS)[];
  const cases = names.flatMap((provider) =>
    PROVIDER_EVENTS[provider]("").map(([event], index) => [provider, event, index] as const),
  );

  it("has an address for each provider, and an unknown one is 404", async () => {
    const project = await newProject();
    for (const provider of Object.keys(PROVIDERS))
      expect(await project.post(provider, { email: newEmail(), type: "open" })).toEqual({
        status: 200,
        body: { status: "ignored" },
      });
    for (const provider of ["other", "constructor"])
      expect(await project.post(provider, {})).toMatchObject({ status: 404 });
  });

  it.each(cases)("of %s: %s", async (provider, _, index) => {
    const project = await newProject();
    const email = newEmail();
    const [, body, reason] = PROVIDER_EVENTS[provider](email)[index] ?? [];
    for (let time = 0; time < 2; time++)
      expect(await project.post(provider, body)).toEqual({
        status: 200,
        body: reason ? { status: "accepted", email } : { status: "ignored" },
      });
    expect(await project.suppressed()).toEqual(reason ? [{ email, reason }] : []);
  });

  it("may be a form, as SMTP2GO and Elastic Email post it", async () => {
    const project = await newProject();
    for (const provider of ["smtp2go", "elasticemail"] as const) {
      const email = newEmail();
      const [, body] = PROVIDER_EVENTS[provider](email)[0] ?? [];
      const form = new URLSearchParams(body as Record<string, string>).toString();
      expect(await project.post(provider, form)).toMatchObject({ body: { email } });
      expect(await project.suppressed()).toContainEqual({ email, reason: "hard_bounce" });
    }
  });

  it("may be in the parameters of a URL, as Elastic Email calls it, after a test without any", async () => {
    const project = await newProject();
    expect(await project.visit("elasticemail")).toEqual({
      status: 200,
      body: { status: "ignored" },
    });
    const email = newEmail();
    const [, body] = PROVIDER_EVENTS.elasticemail(email)[0] ?? [];
    const query = new URLSearchParams(body as Record<string, string>).toString();
    expect(await project.visit("elasticemail", `&${query}`)).toMatchObject({ body: { email } });
    expect(await project.suppressed()).toEqual([{ email, reason: "hard_bounce" }]);
    expect(await project.visit("other")).toMatchObject({ status: 404 });
    expect(await project.visit("elasticemail", "&token=other")).toMatchObject({ status: 200 });
  });
});

/** Signs a body at a time in milliseconds. */
type Sign = (body: string, atMs?: number) => Record<string, string>;
interface Signer {
  key: string;
  sign: Sign;
  /** The age in milliseconds at which a signature has expired; undefined if it never does. */
  expiresMs?: number;
}

const HOUR_MS = 3_600_000;
const secondsOf = (ms: number) => String(Math.floor(ms / 1_000));

function resendSigner(key = `whsec_${Buffer.from(unique("key")).toString("base64")}`): Signer {
  const bytes = Buffer.from(key.slice("whsec_".length), "base64");
  return {
    key,
    expiresMs: 301_000,
    sign: (body, atMs = Date.now()) => {
      const [id, time] = ["msg_p5jXN8AQM9LWM0D4loKWxJek", secondsOf(atMs)];
      const mac = createHmac("sha256", bytes).update(`${id}.${time}.${body}`).digest("base64");
      return { "svix-id": id, "svix-timestamp": time, "svix-signature": `v1,AAAA v1,${mac}` };
    },
  };
}

function lettermintSigner(key = `whsec_${unique("key")}`): Signer {
  return {
    key,
    expiresMs: 301_000,
    sign: (body, atMs = Date.now()) => {
      const time = secondsOf(atMs);
      const mac = createHmac("sha256", key).update(`${time}.${body}`).digest("hex");
      return { "X-Lettermint-Signature": `t=${time},v1=${mac}` };
    },
  };
}

function zeptomailSigner(key = unique("key")): Signer {
  return {
    key,
    sign: (body, atMs = Date.now()) => {
      const mac = encodeURIComponent(createHmac("sha256", key).update(body).digest("base64"));
      return { "producer-signature": `ts=${atMs};s=${mac};s-algorithm=HmacSHA256` };
    },
  };
}

const RSA = {
  name: "RSASSA-PKCS1-v1_5",
  hash: "SHA-256",
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
};

/** A key as Postal shows it, in its DKIM record, and as PEM in one line. */
async function postalSigner() {
  const pair = (await crypto.subtle.generateKey(RSA, true, ["sign", "verify"])) as CryptoKeyPair;
  const spki = (await crypto.subtle.exportKey("spki", pair.publicKey)) as ArrayBuffer;
  const base64 = Buffer.from(spki).toString("base64");
  const sign = async (body: string) => {
    const data = new TextEncoder().encode(body);
    const made = await crypto.subtle.sign(RSA.name, pair.privateKey, data);
    return { "X-Postal-Signature-256": Buffer.from(made).toString("base64") };
  };
  const pem = `-----BEGIN PUBLIC KEY----- ${base64} -----END PUBLIC KEY-----`;
  return { keys: [`v=DKIM1; t=s; h=sha256; p=${base64};`, pem, base64], sign };
}

describe("a signed post", () => {
  it.each([
    ["resend", resendSigner],
    ["lettermint", lettermintSigner],
    ["zeptomail", zeptomailSigner],
  ] as const)("of %s counts only with the key of the project", async (provider, newSigner) => {
    const { key, sign, expiresMs } = newSigner();
    const project = await newProject({ [`${provider}_signing_key`]: key, proof: "signature" });
    const [email, other] = [newEmail(), newEmail()];
    const body = (to: string) => JSON.stringify(PROVIDER_EVENTS[provider](to)[0]?.[1]);
    const headers = sign(body(email));
    for (const [text, given] of [
      [body(email), {}],
      [body(other), headers],
      [`${body(email)} `, headers],
      [body(email), newSigner().sign(body(email))],
      [JSON.stringify({ email: other }), {}],
      ...(expiresMs === undefined
        ? []
        : [
            [body(email), sign(body(email), Date.now() - expiresMs)] as const,
            [body(email), sign(body(email), Date.now() + expiresMs + 1_000)] as const,
          ]),
    ] as const)
      expect(await project.post(provider, text, given)).toMatchObject({ status: 401 });
    expect(await project.suppressed()).toEqual([]);
    for (let time = 0; time < 2; time++)
      expect(await project.post(provider, body(email), headers)).toMatchObject({ status: 200 });
    expect(await project.suppressed()).toEqual([{ email, reason: "hard_bounce" }]);
  });

  it("of ZeptoMail may be a form, whose signature covers its content", async () => {
    const { key, sign } = zeptomailSigner();
    const project = await newProject({ zeptomail_signing_key: key, proof: "signature" });
    const email = newEmail();
    const body = JSON.stringify(PROVIDER_EVENTS.zeptomail(email)[0]?.[1]);
    const form = new URLSearchParams({ data: body }).toString();
    expect(await project.post("zeptomail", form, sign(body))).toMatchObject({ body: { email } });
  });

  it("of Postal counts only with its public key, in any form, and for 12 hours", async () => {
    const [{ keys, sign }, stranger] = [await postalSigner(), await postalSigner()];
    for (const postal_signing_key of keys) {
      const project = await newProject({ postal_signing_key, proof: "signature" });
      const [email, other] = [newEmail(), newEmail()];
      const event = (to: string) => PROVIDER_EVENTS.postal(to)[0]?.[1] as object;
      const body = JSON.stringify(event(email));
      const old = JSON.stringify({
        ...event(email),
        timestamp: (Date.now() - 13 * HOUR_MS) / 1_000,
      });
      const headers = await sign(body);
      for (const [text, given] of [
        [body, {}],
        [body, { "X-Postal-Signature-256": "AAAA" }],
        [body, await stranger.sign(body)],
        [JSON.stringify(event(other)), headers],
        [old, await sign(old)],
      ] as const)
        expect(await project.post("postal", text, given)).toMatchObject({ status: 401 });
      expect(await project.suppressed()).toEqual([]);
      for (let time = 0; time < 2; time++)
        expect(await project.post("postal", body, headers)).toMatchObject({ status: 200 });
      expect(await project.suppressed()).toEqual([{ email, reason: "hard_bounce" }]);
    }
  });

  it("is refused if the key of the project is none", async () => {
    for (const provider of ["resend", "postal"] as const) {
      const project = await newProject({ [`${provider}_signing_key`]: "no key *" });
      const body = PROVIDER_EVENTS[provider](newEmail())[0]?.[1];
      const headers = { ...resendSigner().sign(JSON.stringify(body)) };
      expect(await project.post(provider, body, headers)).toMatchObject({ status: 401 });
      expect(await project.suppressed()).toEqual([]);
    }
  });
});

describe("a message of Scaleway's Topics and Events", () => {
  it("counts with the signature of its topic, whose subscription is confirmed", async () => {
    const project = await newProject({ sns_topic_arn: SCALEWAY_TOPIC });
    const fields = { TopicArn: SCALEWAY_TOPIC, SigningCertURL: CERTIFICATE };
    const [email, other] = [newEmail(), newEmail()];
    const text = (to: string) => JSON.stringify(scaleway(to)[0]?.[1]);
    const message = await sns.sign({ ...fields, Message: text(email) });
    for (const forged of [
      { ...message, Message: text(other) },
      await (await newSns()).sign({ ...fields, Message: text(other) }),
      await sns.sign({
        ...fields,
        Message: text(other),
        SigningCertURL: CERTIFICATE.replace("messaging.", "attacker."),
      }),
      await sns.sign({
        ...fields,
        Message: text(other),
        SigningCertURL: "https://sns.mnq.fr-par.scaleway.com/fr-par/sns/cert-1.pem",
      }),
    ])
      expect(await project.post("scaleway", forged)).toMatchObject({ status: 401 });
    expect(await project.suppressed()).toEqual([]);
    for (let time = 0; time < 2; time++)
      expect(await project.post("scaleway", message)).toMatchObject({ body: { email } });
    expect(await project.suppressed()).toEqual([{ email, reason: "hard_bounce" }]);
    const offer = { Type: "SubscriptionConfirmation", Token: "abc", SubscribeURL: CONFIRMATION };
    expect(await project.post("scaleway", await sns.sign({ ...fields, ...offer }))).toEqual({
      status: 200,
      body: { status: "confirmed" },
    });
    expect(visited).toContain(CONFIRMATION);
  });
});

describe("an opt-out at a provider", () => {
  it("unsubscribes the subscriber once, with a consent record and an event", async () => {
    const project = await newProject();
    const hook = await newWebhook(project.id, ["subscriber.unsubscribed"]);
    const [email, name] = [newEmail(), "Sue"];
    const { id } = (
      await owner.post<{ id: string }>(`${project.path}/subscribers`, { email, name })
    ).body;
    const one = `${project.path}/subscribers/${id}`;
    const [, body] = PROVIDER_EVENTS.postmark(email)[0] ?? [];
    expect((await project.forged("postmark", body)).status).toBe(401);
    const subscriber = async () =>
      (await allRows<{ status: string }>("select status from subscribers where id = ?", id))[0];
    expect(await subscriber()).toEqual({ status: "active" });
    for (let time = 0; time < 2; time++)
      expect(await project.post("postmark", body)).toMatchObject({ status: 200 });
    expect(await subscriber()).toEqual({ status: "unsubscribed" });
    expect(await project.suppressed()).toEqual([{ email, reason: "unsubscribed" }]);
    expect(await hook.payloads()).toMatchObject([{ data: { email, status: "unsubscribed" } }]);
    expect((await owner.get(`${one}/topics`)).body).toMatchObject({
      history: [{ action: "unsubscribed", by: "provider" }],
    });
  });

  it("leaves subscribers of other addresses and projects alone, and a complaint leaves all", async () => {
    const [project, other] = [await newProject(), await newProject()];
    const [email, neighbor] = [newEmail(), newEmail()];
    for (const [path, address] of [
      [project.path, neighbor],
      [other.path, email],
    ])
      await owner.post(`${path}/subscribers`, { email: address });
    const events = PROVIDER_EVENTS.sendgrid(email);
    await project.post("sendgrid", events.find(([name]) => name === "opt-out")?.[1]);
    await project.post(
      "brevo",
      PROVIDER_EVENTS.brevo(neighbor).find(([name]) => name === "complaint")?.[1],
    );
    const rows = await allRows<{ status: string }>(
      "select status from subscribers where project_id = ? or project_id = ?",
      project.id,
      other.id,
    );
    expect(rows.map(({ status }) => status)).toEqual(["active", "active"]);
  });
});
