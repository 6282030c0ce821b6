/* Bounces and complaints as providers post them. */
import { describe, expect, it } from "vitest";
import { readIngest } from "../../src/mail/bounce/index.ts";
import { complaintReport, failureReport } from "../support/bounce-reports.ts";

const EMAIL = "lena@mx.example";
const ID = "01a00000-0000-7000-8000-000000000001";
const UNKNOWN = "550 5.1.1 The email account does not exist";
const BLOCKED = "554 5.7.1 blocked using zen.spamhaus.org";

const read = (body: unknown) => readIngest(JSON.stringify(body));
const sendGrid = (fields: object) => [
  { email: EMAIL, "smtp-id": `<${ID}@shop.example>`, ...fields },
];
const postmark = (RecordType: string, fields: object = {}) => ({
  RecordType,
  Email: EMAIL,
  ...fields,
});
const sparkPost = (fields: object) => [{ msys: { message_event: { rcpt_to: EMAIL, ...fields } } }];
const ses = (notificationType: string, fields: object) => ({
  notificationType,
  mail: { commonHeaders: { messageId: `<${ID}@shop.example>` } },
  ...fields,
});
const sns = (message: object) => ({ Type: "Notification", Message: JSON.stringify(message) });
const sesBounce = (bounceType: string, diagnosticCode: string) =>
  ses("Bounce", {
    bounce: { bounceType, bouncedRecipients: [{ emailAddress: EMAIL, diagnosticCode }] },
  });
const sesComplaintOf = (complaintFeedbackType?: string) =>
  ses("Complaint", {
    complaint: { complaintFeedbackType, complainedRecipients: [{ emailAddress: EMAIL }] },
  });
const sesComplaint = sesComplaintOf();

describe("a posted event", () => {
  it.each([
    ["SendGrid bounce", sendGrid({ event: "bounce", status: "5.1.1", reason: UNKNOWN }), "bounce"],
    ["SendGrid bounce by a blocklist", sendGrid({ event: "bounce", reason: BLOCKED }), "refusal"],
    ["SendGrid block", sendGrid({ event: "bounce", type: "blocked", reason: "no" }), "refusal"],
    [
      "SendGrid drop of a bounced address",
      sendGrid({ event: "dropped", reason: "Bounced Address" }),
      "bounce",
    ],
    [
      "SendGrid drop of an unsubscribed one",
      sendGrid({ event: "dropped", reason: "Unsubscribed Address" }),
      "opt_out",
    ],
    [
      "SendGrid drop for the sender's fault",
      sendGrid({ event: "dropped", reason: "Invalid SMTPAPI header" }),
      "harmless",
    ],
    ["SendGrid group opt-out", sendGrid({ event: "group_unsubscribe" }), "harmless"],
    [
      "Mailjet soft bounce",
      [{ event: "bounce", email: EMAIL, hard_bounce: false, error: "mailbox full" }],
      "harmless",
    ],
    [
      "Mailjet hard bounce",
      [{ event: "bounce", email: EMAIL, hard_bounce: true, error: "user unknown" }],
      "bounce",
    ],
    ["Mailjet opt-out", [{ event: "unsub", email: EMAIL }], "opt_out"],
    ["Mailjet spam report", [{ event: "spam", email: EMAIL, source: "JMRPP" }], "complaint"],
    [
      "Mailjet block for the content",
      [{ event: "blocked", email: EMAIL, error_related_to: "spam", error: "content blocked" }],
      "refusal",
    ],
    ["Brevo error", { event: "error", email: EMAIL, reason: "server is down" }, "harmless"],
    ["Brevo spam report", { event: "spam", email: EMAIL }, "complaint"],
    ["Brevo opt-out", { event: "unsubscribed", email: EMAIL }, "opt_out"],
    ["Brevo list addition", { event: "list_addition", email: EMAIL, list_id: [1] }, "harmless"],
    ["Brevo invalid address", { event: "invalid_email", email: EMAIL }, "bounce"],
    ["bridge's delivery", { type: "email.delivered", email: EMAIL }, "harmless"],
    ["bridge's automatic reply", { type: "out_of_office", email: EMAIL }, "harmless"],
    [
      "bridge's event with the name of a prototype",
      { type: "constructor", email: EMAIL },
      "harmless",
    ],
    ["script's permanent failure", { email: EMAIL, type: "permanent", reason: "policy" }, "bounce"],
    ["script's permanent block", { email: EMAIL, type: "permanent", reason: BLOCKED }, "bounce"],
    ["script's free reason", { email: EMAIL, reason: "mailbox full" }, "bounce"],
    ["script's code", { email: EMAIL, type: "550", reason: "gone" }, "bounce"],
    ["script's temporary code", { email: EMAIL, type: "4.2.2" }, "harmless"],
    ["SendGrid spam report", sendGrid({ event: "spamreport" }), "complaint"],
    ["SendGrid delivery", sendGrid({ event: "delivered", response: "250 OK" }), "harmless"],
    ["SendGrid open", sendGrid({ event: "open" }), "harmless"],
    [
      "SendGrid deferral",
      sendGrid({ event: "deferred", reason: "452 4.2.2 mailbox full" }),
      "harmless",
    ],
    [
      "Postmark hard bounce",
      postmark("Bounce", { Type: "HardBounce", Details: UNKNOWN }),
      "bounce",
    ],
    [
      "Postmark hard bounce by policy",
      postmark("Bounce", { Type: "HardBounce", Details: BLOCKED }),
      "refusal",
    ],
    [
      "Postmark soft bounce",
      postmark("Bounce", { Type: "SoftBounce", Details: UNKNOWN }),
      "harmless",
    ],
    ["Postmark block", postmark("Bounce", { Type: "Blocked", Details: BLOCKED }), "harmless"],
    ["Postmark complaint", postmark("SpamComplaint", { Type: "SpamComplaint" }), "complaint"],
    ["Postmark delivery", { RecordType: "Delivery", Recipient: EMAIL }, "harmless"],
    [
      "SparkPost bounce",
      sparkPost({ type: "bounce", bounce_class: "10", raw_reason: UNKNOWN }),
      "bounce",
    ],
    [
      "SparkPost out-of-band bounce",
      sparkPost({ type: "out_of_band", bounce_class: 10, raw_reason: UNKNOWN }),
      "bounce",
    ],
    [
      "SparkPost spam block",
      sparkPost({ type: "bounce", bounce_class: "51", raw_reason: BLOCKED }),
      "harmless",
    ],
    ["SparkPost complaint", sparkPost({ type: "spam_complaint" }), "complaint"],
    ["SparkPost delivery", sparkPost({ type: "delivery" }), "harmless"],
    ["SES bounce", sesBounce("Permanent", `smtp; ${UNKNOWN}`), "bounce"],
    ["SES bounce by policy", sesBounce("Permanent", `smtp; ${BLOCKED}`), "refusal"],
    ["SES bounce without words", sesBounce("Permanent", ""), "bounce"],
    ["SES bounce with general words", sesBounce("Permanent", "smtp; 550 rejected"), "bounce"],
    ["SES bounce for now", sesBounce("Transient", `smtp; ${UNKNOWN}`), "harmless"],
    ["SES bounce for now without words", sesBounce("Transient", ""), "harmless"],
    [
      "SES bounce for now by the content",
      sesBounce("Transient", "smtp; 550 5.6.0 content rejected"),
      "harmless",
    ],
    ["SES bounce of nobody knows which type", sesBounce("Undetermined", ""), "refusal"],
    ["SES complaint", sesComplaint, "complaint"],
    ["SES complaint about abuse", sesComplaintOf("abuse"), "complaint"],
    ["SES report that it is no spam", sesComplaintOf("not-spam"), "harmless"],
    ["SES report of DMARC", sesComplaintOf("auth-failure"), "harmless"],
    [
      "script with an event of its own",
      { email: EMAIL, event: "hard bounce", reason: UNKNOWN },
      "bounce",
    ],
    ["sending by any other provider", { email: EMAIL, event: "sent" }, "harmless"],
    ["request by any other provider", { email: EMAIL, event: "request" }, "harmless"],
    ["open by any other provider", { email: EMAIL, event: "opened" }, "harmless"],
    ["first open by any other provider", { email: EMAIL, event: "unique_opened" }, "harmless"],
    ["open by a proxy", { email: EMAIL, event: "unique_proxy_open" }, "harmless"],
    ["delivery as its type", { email: EMAIL, type: "delivered" }, "harmless"],
    [
      "soft bounce by any other provider",
      { email: EMAIL, event: "soft_bounce", reason: "mailbox full" },
      "harmless",
    ],
    ["hard bounce by any other provider", { email: EMAIL, event: "hard_bounce" }, "bounce"],
    ["opt-out from a list", { email: EMAIL, event: "list_unsubscribe" }, "opt_out"],
    ["complaint by any other provider", { email: EMAIL, event: "complaint" }, "complaint"],
  ])("of a %s is a %s", async (_, body, kind) => {
    expect(await read(body)).toMatchObject({ ok: true, entries: [{ email: EMAIL, kind }] });
  });

  it("of a full mailbox keeps that cause, which counts as a soft bounce", async () => {
    const body = sesBounce("Transient", "smtp; 552 5.2.2 mailbox full");
    const entry = { kind: "harmless", cause: "mailbox_full" };
    expect(await read(body)).toMatchObject({ entries: [entry] });
  });

  it("identifies its mail if the provider passes on the Message-ID", async () => {
    for (const body of [sendGrid({ event: "bounce", reason: UNKNOWN }), sesComplaint])
      expect(await read(body)).toMatchObject({ entries: [{ messageId: `${ID}@shop.example` }] });
  });

  it.each([
    { Type: "SubscriptionConfirmation", SubscribeURL: "https://sns.us-east-1.amazonaws.com/?x" },
    { Type: "Notification", Message: "hello" },
    sns(sesComplaint), // its signature is verified elsewhere
    { msys: {} },
    { RecordType: "Bounce" },
    [{ event: "bounce" }],
  ])("without an address is ignored: %j", async (body) => {
    expect(await read(body)).toEqual({ ok: false });
  });

  it("may be a raw message: a complaint, or a delivery report", async () => {
    const raw = (bytes: Uint8Array) => readIngest(new TextDecoder().decode(bytes));
    const messageId = `${ID}@postrider.test`;
    expect(await raw(complaintReport(EMAIL, ID))).toMatchObject({
      entries: [{ email: EMAIL, kind: "complaint", messageId }],
    });
    expect(await raw(failureReport(EMAIL, ID))).toMatchObject({
      entries: [{ email: EMAIL, kind: "bounce", cause: "user_unknown", messageId }],
    });
    expect(await raw(failureReport(EMAIL, ID, "5.7.1"))).toMatchObject({
      entries: [{ kind: "refusal" }],
    });
    expect(await readIngest("Subject: hello\r\n\r\nlena@mx.example")).toMatchObject({ ok: false });
  });
});
