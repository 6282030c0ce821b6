import PostalMime from "postal-mime";
import type { PeerLoad } from "../peers/nodemailer.ts";
import type { Owner, Project } from "./account.ts";

const SENTENCE =
  "This week we moved the workshop, hired two people who know bees, and finished the long table. ";

const paragraph = (times: number) => `<p>${SENTENCE.repeat(times).trim()}</p>`;

/**
 * A personalized newsletter with three links; the sent mail, with two parts and headers, has about
 * 4 KB.
 */
const HTML = [
  '<!doctype html><html><body style="font-family:sans-serif">',
  "<h1>Hello {{name}}</h1>",
  paragraph(4),
  '<p><a href="https://example.com/workshop?from=newsletter">See the workshop</a></p>',
  paragraph(4),
  '<p><a href="https://example.com/people?from=newsletter">Meet them</a>',
  ' or <a href="https://example.com/table?from=newsletter">look at the table</a></p>',
  "<p>This went to {{email}}.</p>",
  "</body></html>",
].join("\n");

/** Stores the newsletter as a template of the project; returns its id. */
export async function createTemplate({ id }: Project, { api }: Owner): Promise<string> {
  const template = { name: "newsletter", subject: "News for {{name}}", html_body: HTML };
  return (await api<{ id: string }>("POST", `/projects/${id}/templates`, template)).id;
}

/** Final response of a broadcast. */
export interface BroadcastAnswer {
  broadcast_id: string;
  state: string;
  sent: number;
}

/** Sends a broadcast and waits for its final response. */
export const broadcast = ({ id, api }: Project, templateId: string) =>
  api<BroadcastAnswer>("POST", `/projects/${id}/broadcast`, { template_id: templateId });

/**
 * Turns a mail from the service into ready-made content for a peer, with `{n}` in place of the
 * recipient's number.
 */
export async function asPeerMail(raw: string): Promise<PeerLoad["mail"]> {
  const {
    html = "",
    text = "",
    subject = "",
    to,
  } = await PostalMime.parse(Buffer.from(raw, "latin1"));
  const address = to?.[0]?.address ?? "";
  const [, n = ""] = /^n(\d+)@/.exec(address) ?? [];
  const put = (value: string) =>
    value.replaceAll(address, address.replace(n, "{n}")).replaceAll(`n${n}`, "n{n}");
  return {
    from: "sender@bench.test",
    to: address.replace(n, "{n}"),
    subject: put(subject),
    html: put(html),
    text: put(text),
  };
}

/** Finds the URLs of the pixel and of the tracked links in mails from the service. */
export async function findTrackedUrls(
  mails: string[],
): Promise<{ pixels: string[]; clicks: string[] }> {
  const bodies = await Promise.all(
    mails.map(async (raw) => (await PostalMime.parse(Buffer.from(raw, "latin1"))).html ?? ""),
  );
  const find = (pattern: RegExp) =>
    bodies.flatMap((html) => [...html.matchAll(pattern)].map(([, path]) => path ?? ""));
  return { pixels: find(/src="[^"]*(\/t\/[^"]+)"/g), clicks: find(/href="[^"]*(\/c\/[^"]+)"/g) };
}
