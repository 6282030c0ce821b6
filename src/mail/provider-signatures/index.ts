/**
 * Verifies signatures of mail providers: Amazon SNS messages, and the webhooks of Mailgun and
 * SendGrid.
 */
export { isSignedByMailgun } from "./mailgun.ts";
export { isSendgridKey, isSignedBySendgrid, type SendgridSignature } from "./sendgrid.ts";
export { isCertificateValid, isSignedByCertificate } from "./sns-certificate.ts";
export { isSnsEnvelope, readSnsMessage, type SnsMessage } from "./sns-message.ts";
export { isTopicArn, readCertificateUrl, readSubscribeUrl } from "./sns-urls.ts";
