/*
 * URLs in a message of Amazon SNS, or of Scaleway's Topics and Events, which has the same form. The
 * author of a message controls them, so only URLs of the service itself, in the region of the
 * project's topic, are accepted. Source for Scaleway: "Verifying webhook signatures".
 */

const TOPIC =
  /^arn:(aws(?:-cn|-us-gov)?):sns:([a-z]{2,4}(?:-[a-z]+){1,2}-\d{1,2}):\d{12}:[\w-]{1,256}(?:\.fifo)?$/;
const CERTIFICATE_PATH = /^\/SimpleNotificationService-[\w-]{1,100}\.pem$/;

const SCALEWAY_TOPIC =
  /^arn:scw:sns:([a-z]{2}-[a-z]{3}):project-[\w-]{1,64}:[\w-]{1,256}(?:\.fifo)?$/;
/** Scaleway keeps the certificates of all regions in this bucket. */
const SCALEWAY_CERTIFICATES = {
  host: "messaging.s3.fr-par.scw.cloud",
  path: /^\/[\w./-]{1,200}\.pem$/,
};

/** The hosts of a topic: of its subscriptions, and of its certificates. */
interface Hosts {
  host: string;
  certificates: { host: string; path: RegExp };
}

/** Returns the hosts of a topic; undefined for an invalid ARN. */
function hostsOf(topicArn: string): Hosts | undefined {
  const [, partition, region] = TOPIC.exec(topicArn) ?? [];
  if (region !== undefined) {
    const host = `sns.${region}.amazonaws.com${partition === "aws-cn" ? ".cn" : ""}`;
    return { host, certificates: { host, path: CERTIFICATE_PATH } };
  }
  const [, ofScaleway] = SCALEWAY_TOPIC.exec(topicArn) ?? [];
  if (ofScaleway === undefined) return undefined;
  return { host: `sns.mnq.${ofScaleway}.scaleway.com`, certificates: SCALEWAY_CERTIFICATES };
}

export const isTopicArn = (text: string): boolean => hostsOf(text) !== undefined;

/** Parses an HTTPS URL at a host, on the default port, without credentials. */
function readUrl(text: string, host: string | undefined): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isPlain = url.port === "" && url.username === "" && url.password === "" && url.hash === "";
  const isOfSns = url.protocol === "https:" && url.hostname === host;
  return isPlain && isOfSns ? url : undefined;
}

/** Returns the URL of a signing certificate of the topic; undefined for any other URL. */
export function readCertificateUrl(text: string, topicArn: string): string | undefined {
  const certificates = hostsOf(topicArn)?.certificates;
  const url = readUrl(text, certificates?.host);
  return url && url.search === "" && certificates?.path.test(url.pathname) ? url.href : undefined;
}

/** Returns the URL if it confirms this subscription and does nothing else; undefined otherwise. */
export function readSubscribeUrl(
  text: string,
  { topicArn, token }: { topicArn: string; token: string },
): string | undefined {
  const url = readUrl(text, hostsOf(topicArn)?.host);
  if (!url || url.pathname !== "/") return undefined;
  const given = [...url.searchParams].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const wanted = [
    ["Action", "ConfirmSubscription"],
    ["Token", token],
    ["TopicArn", topicArn],
  ];
  return JSON.stringify(given) === JSON.stringify(wanted) ? url.href : undefined;
}
