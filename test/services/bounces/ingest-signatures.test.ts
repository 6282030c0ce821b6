/* Posted reports that carry a signature: Amazon SNS, Mailgun and SendGrid. */
import { Buffer } from "node:buffer";
import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { allRows } from "../../support/rows.ts";
import { createService, unique } from "../../support/service.ts";
import { newSns, SNS_HOST, TOPIC } from "../../support/sns.ts";

const HOUR_MS = 3_600_000;

/** The world outside, by URL; every other URL is a fault of the service. */
const world = new Map<string, (signal: AbortSignal) => Response | Promise<Response>>();
const visited: string[] = [];
const service = createService(
  {},
  {
    fetch: async (input, init) => {
      const url = input instanceof Request ? input.url : String(input);
      visited.push(url);
      const answer = world.get(url);
      if (!answer) throw new Error(`the service asked for ${url}`);
      return answer(init?.signal ?? AbortSignal.timeout(0));
    },
  },
);
const owner = await service.newOwner();
const sns = await newSns();

async function newProject(signatures?: object) {
  const project = await owner.newProject();
  const path = `/projects/${project.id}/bounce-webhook`;
  const save = (body: object) => owner.put(`${path}/signatures`, body);
  if (signatures) expect(await save(signatures)).toMatchObject({ status: 200 });
  const { url } = (await owner.get<{ url: string }>(path)).body;
  return {
    ...project,
    save,
    signatures: async () => (await owner.get(`${path}/signatures`)).body,
    post: async (body: unknown, headers: Record<string, string> = {}) => {
      const text = typeof body === "string" ? body : JSON.stringify(body);
      const response = await service.fetch(url, { method: "POST", body: text, headers });
      return { status: response.status, body: await response.json() };
    },
    suppressed: async () => {
      const rows = await allRows<{ email: string }>(
        "select email from suppressions where project_id = ?",
        project.id,
      );
      return rows.map(({ email }) => email);
    },
    audit: (action: string) =>
      allRows<{ metadata: string }>(
        "select metadata from audit_entries where scope_id = ? and action = ?",
        project.id,
        action,
      ),
  };
}

/** Answers when the caller gives up. */
const never = (signal: AbortSignal) =>
  new Promise<Response>((_, reject) => {
    signal.addEventListener("abort", () => reject(new Error("the caller gave up")));
  });

/** Serves a certificate at a URL of its own, because the service keeps those it has seen. */
function certificateAt(
  answer: (signal: AbortSignal) => Response | Promise<Response> = () => new Response(sns.pem),
): string {
  const url = `${SNS_HOST}/SimpleNotificationService-${unique("pem")}.pem`;
  world.set(url, answer);
  return url;
}

const CERTIFICATE = certificateAt();
const newEmail = () => `${unique("gone")}@example.com`;
const sesBounce = (email: string) =>
  JSON.stringify({
    notificationType: "Bounce",
    bounce: {
      bounceType: "Permanent",
      bouncedRecipients: [{ emailAddress: email, diagnosticCode: "smtp; 550 5.1.1 no such user" }],
    },
  });
const notify = (email: string, fields: Record<string, string> = {}) =>
  sns.sign({ Message: sesBounce(email), SigningCertURL: CERTIFICATE, ...fields });

describe("a notification of Amazon SNS", () => {
  it.each(["1", "2"])(
    "signed by SNS with version %s suppresses, and a repeated one changes nothing",
    async (SignatureVersion) => {
      const project = await newProject({ sns_topic_arn: TOPIC });
      const email = newEmail();
      const message = await notify(email, { SignatureVersion, Subject: "Amazon SES\nbounce" });
      const answer = { status: 200, body: { status: "accepted", email } };
      expect(await project.post(message)).toEqual(answer);
      expect(await project.post(message)).toEqual(answer);
      expect(await project.suppressed()).toEqual([email]);
    },
  );

  it("without an address is ignored", async () => {
    const project = await newProject({ sns_topic_arn: TOPIC });
    const message = await notify("", { Message: '{"notificationType":"Delivery"}' });
    expect(await project.post(message)).toEqual({ status: 200, body: { status: "ignored" } });
  });

  it("loads its certificate once", async () => {
    const project = await newProject({ sns_topic_arn: TOPIC });
    const SigningCertURL = certificateAt();
    for (const email of [newEmail(), newEmail()])
      expect(await project.post(await notify(email, { SigningCertURL }))).toMatchObject({
        status: 200,
      });
    expect(visited.filter((url) => url === SigningCertURL)).toHaveLength(1);
  });

  const at = (offsetMs: number) => new Date(Date.now() + offsetMs).toISOString();
  it.each<[string, number, (email: string) => Promise<object>]>([
    [
      "another address than the signed one",
      401,
      async (email) => ({ ...(await notify(newEmail())), Message: sesBounce(email) }),
    ],
    [
      "a subject that was not signed",
      401,
      async (email) => ({ ...(await notify(email)), Subject: "x" }),
    ],
    ["no signature", 401, async (email) => ({ ...(await notify(email)), Signature: undefined })],
    ["a broken signature", 401, async (email) => ({ ...(await notify(email)), Signature: "AAAA" })],
    ["no base64", 401, async (email) => ({ ...(await notify(email)), Signature: "*" })],
    [
      "the signature of another key",
      401,
      async (email) =>
        (await newSns()).sign({ Message: sesBounce(email), SigningCertURL: CERTIFICATE }),
    ],
    ["an unknown version", 401, (email) => notify(email, { SignatureVersion: "3" })],
    ["no id", 401, async (email) => ({ ...(await notify(email)), MessageId: 7 })],
    [
      "a time of more than an hour ago",
      401,
      (email) => notify(email, { Timestamp: at(-HOUR_MS - 60_000) }),
    ],
    ["a time in the future", 401, (email) => notify(email, { Timestamp: at(HOUR_MS + 60_000) })],
    ["no time", 401, (email) => notify(email, { Timestamp: "now" })],
    ["another topic", 403, (email) => notify(email, { TopicArn: `${TOPIC}-of-another` })],
    [
      "an expired certificate",
      503,
      async (email) => {
        const expired = await newSns({ from: Date.now() - 9 * HOUR_MS, to: Date.now() - HOUR_MS });
        const SigningCertURL = certificateAt(() => new Response(expired.pem));
        return expired.sign({ Message: sesBounce(email), SigningCertURL });
      },
    ],
    [
      "a certificate that is not valid yet",
      503,
      async (email) => {
        const early = await newSns({ from: Date.now() + HOUR_MS, to: Date.now() + 9 * HOUR_MS });
        const SigningCertURL = certificateAt(() => new Response(early.pem));
        return early.sign({ Message: sesBounce(email), SigningCertURL });
      },
    ],
    [
      "a certificate of 16 KiB and more",
      503,
      (email) => {
        const long = () => new Response(sns.pem + " ".repeat(16_384));
        return notify(email, { SigningCertURL: certificateAt(long) });
      },
    ],
    [
      "a certificate behind a redirect",
      503,
      (email) => {
        const moved = () => new Response(null, { status: 302, headers: { location: CERTIFICATE } });
        return notify(email, { SigningCertURL: certificateAt(moved) });
      },
    ],
    [
      "a certificate that never comes",
      503,
      (email) => notify(email, { SigningCertURL: certificateAt(never) }),
    ],
    [
      "a page in place of the certificate",
      503,
      (email) => notify(email, { SigningCertURL: certificateAt(() => new Response("<html>")) }),
    ],
  ])("with %s is answered %i and changes nothing", async (_, status, make) => {
    const project = await newProject({ sns_topic_arn: TOPIC });
    const answer = await project.post(await make(newEmail()));
    expect(answer).toMatchObject({ status, body: { code: expect.stringMatching(/^sns_/) } });
    expect(await project.suppressed()).toEqual([]);
  });

  it.each([
    "http://sns.us-east-1.amazonaws.com/SimpleNotificationService-a.pem",
    "https://sns.us-east-1.amazonaws.com.evil.test/SimpleNotificationService-a.pem",
    "https://sns.us-east-1.amazonaws.com@evil.test/SimpleNotificationService-a.pem",
    "https://user@sns.us-east-1.amazonaws.com/SimpleNotificationService-a.pem",
    "https://evil.test/sns.us-east-1.amazonaws.com/SimpleNotificationService-a.pem",
    "https://sns.us-east-1.amazonaws.com:8443/SimpleNotificationService-a.pem",
    "https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-a.pem",
    "https://sns.us-east-1.amazonaws.com.cn/SimpleNotificationService-a.pem",
    "https://s3.us-east-1.amazonaws.com/SimpleNotificationService-a.pem",
    "https://bucket.s3.amazonaws.com/SimpleNotificationService-a.pem",
    "https://sns.us-east-1.amazonaws.com/?Action=Publish&x=a.pem",
    "https://sns.us-east-1.amazonaws.com/SimpleNotificationService-a.pem?x",
    "https://sns.us-east-1.amazonaws.com/x/SimpleNotificationService-a.pem",
    "https://sns.us-east-1.amazonaws.com/evil.html",
    "nonsense",
    "",
  ])("with its certificate at %j makes no request for it", async (SigningCertURL) => {
    const project = await newProject({ sns_topic_arn: TOPIC });
    const before = visited.length;
    expect(await project.post(await notify(newEmail(), { SigningCertURL }))).toMatchObject({
      status: 401,
    });
    expect(visited).toHaveLength(before);
    expect(await project.suppressed()).toEqual([]);
  });

  it("requires the topic of the project to be set first", async () => {
    const project = await newProject();
    const before = visited.length;
    expect(await project.post(await notify(newEmail()))).toMatchObject({ status: 403 });
    expect(await project.suppressed()).toEqual([]);
    expect(visited).toHaveLength(before);
  });

  it("does not count in an array, where it would not be verified", async () => {
    const project = await newProject({ sns_topic_arn: TOPIC });
    const message = { Type: "Notification", Message: sesBounce(newEmail()) };
    expect(await project.post([message])).toMatchObject({ status: 400 });
    expect(await project.suppressed()).toEqual([]);
  });
});

describe("a subscription of Amazon SNS", () => {
  const Token = "2336412f37fb687f5d51e6e241d09c805a5a57b30d712f794cc5f6a988666d92768dd60a747ba6f3";
  const subscribeUrl = (token: string, topic = TOPIC) =>
    `${SNS_HOST}/?Action=ConfirmSubscription&TopicArn=${topic}&Token=${token}`;
  const offer = (fields: Record<string, string>) =>
    sns.sign({
      Type: "SubscriptionConfirmation",
      Message: "You have chosen to subscribe",
      SigningCertURL: CERTIFICATE,
      ...fields,
    });

  it("is confirmed by its URL after the signature is verified, and audited", async () => {
    const project = await newProject({ sns_topic_arn: TOPIC });
    const token = `${Token}${unique("a").slice(2)}`;
    const SubscribeURL = subscribeUrl(token);
    world.set(SubscribeURL, () => new Response("<ConfirmSubscriptionResponse/>"));
    const message = await offer({ SubscribeURL, Token: token });
    expect(await project.post({ ...message, Message: "other words" })).toMatchObject({
      status: 401,
    });
    expect(visited).not.toContain(SubscribeURL);
    expect(await project.post(message)).toEqual({ status: 200, body: { status: "confirmed" } });
    expect(visited.filter((url) => url === SubscribeURL)).toHaveLength(1);
    expect(await project.audit("bounce_ingest.subscribed")).toEqual([
      { metadata: JSON.stringify({ topicArn: TOPIC }) },
    ]);
  });

  it.each([
    `https://evil.test/?Action=ConfirmSubscription&TopicArn=${TOPIC}&Token=${Token}`,
    `http://sns.us-east-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=${TOPIC}&Token=${Token}`,
    `${SNS_HOST}/?Action=Publish&TopicArn=${TOPIC}&Token=${Token}`,
    `${SNS_HOST}/?Action=ConfirmSubscription&TopicArn=${TOPIC}-b&Token=${Token}`,
    `${SNS_HOST}/?Action=ConfirmSubscription&TopicArn=${TOPIC}&Token=x`,
    `${subscribeUrl(Token)}&Action=Publish`,
    `${SNS_HOST}/path?Action=ConfirmSubscription&TopicArn=${TOPIC}&Token=${Token}`,
    "nonsense",
  ])("with the URL %s is not confirmed, even when it is signed", async (SubscribeURL) => {
    const project = await newProject({ sns_topic_arn: TOPIC });
    expect(await project.post(await offer({ SubscribeURL, Token }))).toMatchObject({ status: 401 });
    expect(visited).not.toContain(SubscribeURL);
    expect(await project.audit("bounce_ingest.subscribed")).toEqual([]);
  });

  it("of a topic other than the project's is never confirmed", async () => {
    for (const signatures of [undefined, { sns_topic_arn: `${TOPIC}-of-mine` }]) {
      const project = await newProject(signatures);
      const token = unique("stranger");
      const message = await offer({ SubscribeURL: subscribeUrl(token), Token: token });
      expect(await project.post(message)).toMatchObject({ status: 403 });
      expect(visited).not.toContain(subscribeUrl(token));
    }
  });

  it("that SNS does not confirm is answered 503, so that SNS posts it again", async () => {
    const project = await newProject({ sns_topic_arn: TOPIC });
    const token = unique("refused");
    world.set(subscribeUrl(token), () => new Response("no", { status: 403 }));
    const message = await offer({ SubscribeURL: subscribeUrl(token), Token: token });
    expect(await project.post(message)).toMatchObject({ status: 503 });
    expect(await project.audit("bounce_ingest.subscribed")).toEqual([]);
  });

  it("that has ended is audited and never renewed", async () => {
    const project = await newProject({ sns_topic_arn: TOPIC });
    const token = unique("over");
    const fields = { SubscribeURL: subscribeUrl(token), Token: token };
    const message = await offer({ Type: "UnsubscribeConfirmation", ...fields });
    expect(await project.post(message)).toEqual({ status: 200, body: { status: "ignored" } });
    expect(visited).not.toContain(subscribeUrl(token));
    expect(await project.audit("bounce_ingest.unsubscribed")).toHaveLength(1);
  });
});

const MAILGUN_KEY = "key-of-mailgun-in-a-test";

/** An event of Mailgun about an address, signed at a time. */
function mailgunEvent(recipient: string, key = MAILGUN_KEY, ageMs = 0) {
  const timestamp = String(Math.floor((Date.now() - ageMs) / 1_000));
  const token = unique("token");
  const signature = createHmac("sha256", key).update(timestamp).update(token).digest("hex");
  const event = { event: "failed", severity: "permanent", recipient };
  return { signature: { timestamp, token, signature }, "event-data": event };
}

describe("an event of Mailgun", () => {
  it("requires a valid signature of its own once the project has Mailgun's key", async () => {
    const project = await newProject();
    const [before, after] = [newEmail(), newEmail()];
    const { "event-data": unsigned } = mailgunEvent(before);
    expect(await project.post({ "event-data": unsigned })).toMatchObject({ status: 200 });
    await project.save({ mailgun_signing_key: MAILGUN_KEY });
    const signed = mailgunEvent(after);
    const { signature } = mailgunEvent(after);
    const forged = { ...unsigned, recipient: newEmail() };
    for (const body of [
      { "event-data": forged },
      mailgunEvent(forged.recipient, "another key"),
      mailgunEvent(forged.recipient, MAILGUN_KEY, 13 * HOUR_MS),
      { signature: { ...signature, token: "other" }, "event-data": forged },
      { signature: { ...signature, timestamp: "" }, "event-data": forged },
      [mailgunEvent(after), { "event-data": forged }],
      [mailgunEvent(after), { email: forged.recipient }],
    ])
      expect(await project.post(body)).toMatchObject({ status: 401 });
    expect(await project.suppressed()).toEqual([before]);
    for (let time = 0; time < 2; time++)
      expect(await project.post(signed)).toMatchObject({ status: 200 });
    expect(await project.suppressed()).toHaveLength(2);
    const other = { ...signed, "event-data": forged };
    expect(await project.post(other)).toMatchObject({ status: 401 });
    const twice = mailgunEvent(newEmail());
    expect(await project.post([twice, { ...twice, "event-data": forged }])).toMatchObject({
      status: 401,
    });
    expect(await project.suppressed()).toEqual(expect.arrayContaining([before, after]));
    expect(await project.suppressed()).toHaveLength(2);
  });
});

/** Makes a key as SendGrid shows it, and the headers of its signatures. */
async function newSendgrid() {
  const algorithm = { name: "ECDSA", namedCurve: "P-256" };
  const pair = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  if (!("privateKey" in pair)) throw new Error("no pair of keys");
  const spki = await crypto.subtle.exportKey("spki", pair.publicKey);
  if (!(spki instanceof ArrayBuffer)) throw new Error("a key as JWK");
  /** An INTEGER of DER: no needless zeros, and one before a high bit. */
  const integer = (bytes: Buffer) => {
    const short = bytes.subarray(bytes.findIndex((byte) => byte !== 0));
    const content = (short[0] ?? 0) < 0x80 ? short : Buffer.concat([Buffer.from([0]), short]);
    return Buffer.concat([Buffer.from([2, content.length]), content]);
  };
  return {
    publicKey: Buffer.from(spki).toString("base64"),
    sign: async (body: string, ageMs = 0) => {
      const timestamp = String(Math.floor((Date.now() - ageMs) / 1_000));
      const hash = { name: "ECDSA", hash: "SHA-256" };
      const data = new TextEncoder().encode(timestamp + body);
      const raw = Buffer.from(await crypto.subtle.sign(hash, pair.privateKey, data));
      const numbers = Buffer.concat([integer(raw.subarray(0, 32)), integer(raw.subarray(32))]);
      const signature = Buffer.concat([Buffer.from([0x30, numbers.length]), numbers]);
      return {
        "X-Twilio-Email-Event-Webhook-Signature": signature.toString("base64"),
        "X-Twilio-Email-Event-Webhook-Timestamp": timestamp,
      };
    },
  };
}

describe("a post of SendGrid", () => {
  const bounce = (email: string) =>
    JSON.stringify([{ email, event: "bounce", status: "5.1.1", reason: "550 no such user" }]);

  it("requires a valid signature once the project has SendGrid's key", async () => {
    const sendgrid = await newSendgrid();
    const project = await newProject({ sendgrid_public_key: sendgrid.publicKey });
    const [email, forged] = [newEmail(), newEmail()];
    const headers = await sendgrid.sign(bounce(email));
    const garbage = { ...headers, "X-Twilio-Email-Event-Webhook-Signature": "MAYCAQECAQE=" };
    for (const [body, given] of [
      [bounce(forged), undefined],
      [bounce(forged), headers],
      [bounce(email), garbage],
      [bounce(email), await (await newSendgrid()).sign(bounce(email))],
      [bounce(email), await sendgrid.sign(bounce(email), 37 * HOUR_MS)],
    ] as const)
      expect(await project.post(body, given)).toMatchObject({ status: 401 });
    expect(await project.suppressed()).toEqual([]);
    expect(await project.post(bounce(email), headers)).toMatchObject({ status: 200 });
    expect(await project.suppressed()).toEqual([email]);
  });
});

describe("the signatures of a project", () => {
  it("have defaults, change one by one, and never reveal Mailgun's key", async () => {
    const project = await newProject();
    const defaults = {
      proof: "token",
      sns_topic_arn: "",
      sendgrid_public_key: "",
      has_mailgun_signing_key: false,
      has_resend_signing_key: false,
      has_postal_signing_key: false,
      has_zeptomail_signing_key: false,
      has_lettermint_signing_key: false,
    };
    expect(await project.signatures()).toEqual(defaults);
    await project.save({ mailgun_signing_key: MAILGUN_KEY });
    await project.save({ sns_topic_arn: TOPIC });
    const saved = { ...defaults, sns_topic_arn: TOPIC, has_mailgun_signing_key: true };
    expect(await project.signatures()).toEqual(saved);
    const rows = await allRows("select bounce_settings from projects where id = ?", project.id);
    const audited = await project.audit("bounce_ingest.update");
    expect(audited).toEqual([
      { metadata: '{"hasMailgunKey":true}' },
      { metadata: JSON.stringify({ snsTopicArn: TOPIC }) },
    ]);
    expect(JSON.stringify([rows, audited])).not.toContain(MAILGUN_KEY);
    const cleared = await project.save({ mailgun_signing_key: "", sns_topic_arn: "" });
    expect(cleared.body).toEqual(defaults);
  });

  it("reject an invalid topic or key, and keep everything", async () => {
    const project = await newProject({ sns_topic_arn: TOPIC });
    const rsa = await newSns();
    for (const body of [
      {},
      { proof: "none" },
      { sns_topic_arn: "arn:aws:s3:::bucket" },
      { sns_topic_arn: "arn:aws:sns:evil.test/:123456789012:bounces" },
      { sns_topic_arn: TOPIC, sendgrid_public_key: "AAAA" },
      { sendgrid_public_key: rsa.pem },
      { unknown: "" },
    ])
      expect(await project.save(body)).toMatchObject({ status: 400 });
    expect(await project.signatures()).toMatchObject({ sns_topic_arn: TOPIC, proof: "token" });
  });

  it("with the proof `signature` reject every report without one, in any format", async () => {
    const project = await newProject({
      proof: "signature",
      sns_topic_arn: TOPIC,
      mailgun_signing_key: MAILGUN_KEY,
    });
    const email = newEmail();
    for (const body of [
      { email },
      [{ email, event: "bounce", reason: "550 5.1.1 no such user" }],
      { RecordType: "Bounce", Type: "HardBounce", Email: email },
      [{ msys: { message_event: { type: "bounce", bounce_class: "10", rcpt_to: email } } }],
      sesBounce(email),
      `To: ${email}\r\n\r\n550 5.1.1 ${email}`,
      [],
      "nonsense",
    ])
      expect(await project.post(body)).toMatchObject({ status: 401 });
    expect(await project.suppressed()).toEqual([]);
    const [one, two] = [newEmail(), newEmail()];
    expect(await project.post(await notify(one))).toMatchObject({ status: 200 });
    expect(await project.post(mailgunEvent(two))).toMatchObject({ status: 200 });
    expect(await project.suppressed()).toEqual(expect.arrayContaining([one, two]));
  });
});
