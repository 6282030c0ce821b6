/*
 * URLs in an SNS message. The author of a message controls them, so only URLs of SNS itself, in the
 * region of the project's topic, are accepted.
 */

const TOPIC =
  /^arn:(aws(?:-cn|-us-gov)?):sns:([a-z]{2,4}(?:-[a-z]+){1,2}-\d{1,2}):\d{12}:[\w-]{1,256}(?:\.fifo)?$/;
const CERTIFICATE_PATH = /^\/SimpleNotificationService-[\w-]{1,100}\.pem$/;

export const isTopicArn = (text: string): boolean => TOPIC.test(text);

/** Returns the SNS host of a topic; undefined for an invalid ARN. */
function hostOf(topicArn: string): string | undefined {
  const [, partition, region] = TOPIC.exec(topicArn) ?? [];
  if (region === undefined) return undefined;
  return `sns.${region}.amazonaws.com${partition === "aws-cn" ? ".cn" : ""}`;
}

/** Parses an HTTPS URL at the topic's host, on the default port, without credentials. */
function readUrl(text: string, topicArn: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isPlain = url.port === "" && url.username === "" && url.password === "" && url.hash === "";
  const isOfSns = url.protocol === "https:" && url.hostname === hostOf(topicArn);
  return isPlain && isOfSns ? url : undefined;
}

/** Returns the URL of a signing certificate in the topic's region; undefined for any other URL. */
export function readCertificateUrl(text: string, topicArn: string): string | undefined {
  const url = readUrl(text, topicArn);
  return url && url.search === "" && CERTIFICATE_PATH.test(url.pathname) ? url.href : undefined;
}

/** Returns the URL if it confirms this subscription and does nothing else; undefined otherwise. */
export function readSubscribeUrl(
  text: string,
  { topicArn, token }: { topicArn: string; token: string },
): string | undefined {
  const url = readUrl(text, topicArn);
  if (!url || url.pathname !== "/") return undefined;
  const given = [...url.searchParams].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const wanted = [
    ["Action", "ConfirmSubscription"],
    ["Token", token],
    ["TopicArn", topicArn],
  ];
  return JSON.stringify(given) === JSON.stringify(wanted) ? url.href : undefined;
}
