/** Verifies messages of Amazon SNS, and of Scaleway, which has the same form. */
export { isCertificateValid, isSignedByCertificate } from "./sns-certificate.ts";
export { isSnsEnvelope, readSnsMessage, type SnsMessage } from "./sns-message.ts";
export { isTopicArn, readCertificateUrl, readSubscribeUrl } from "./sns-urls.ts";
