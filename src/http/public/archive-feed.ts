import { escapeHtml } from "../../mail/html/entities.ts";
import type { ArchivedBroadcast } from "../../services/mailing/index.ts";

export interface Feed {
  projectId: string;
  title: string;
  author: string;
  language: string;
  /** The URL of the archive. */
  url: string;
  broadcasts: ArchivedBroadcast[];
  /** When the archive can have begun; the time of a feed without entries. */
  since: number;
}

// Everything that XML 1.0 does not allow (§2.2).
// oxlint-disable-next-line no-control-regex -- these are what must go
const NOT_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

const escaped = (text: string) => escapeHtml(text.toWellFormed().replaceAll(NOT_XML, ""));

const timeOf = (ms: number) => new Date(ms).toISOString();

/** Returns an Atom feed (RFC 4287), whose ids never change. */
export function atomFeed({ projectId, title, author, language, url, broadcasts, since }: Feed) {
  const updated = broadcasts[0]?.sentAt ?? since;
  const lines = [
    '<?xml version="1.0" encoding="utf-8"?>',
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${language}">`,
    `<id>urn:uuid:${projectId}</id>`,
    `<title>${escaped(title)}</title>`,
    `<updated>${timeOf(updated)}</updated>`,
    `<author><name>${escaped(author)}</name></author>`,
    `<link rel="self" type="application/atom+xml" href="${escaped(url)}/feed.xml"/>`,
    `<link rel="alternate" type="text/html" href="${escaped(url)}"/>`,
    ...broadcasts.map((one) => entryOf(url, one)),
    "</feed>",
  ];
  return `${lines.join("\n")}\n`;
}

function entryOf(url: string, { id, subject, previewText, topic, sentAt }: ArchivedBroadcast) {
  const summary = previewText === "" ? "" : `<summary>${escaped(previewText)}</summary>`;
  const time = timeOf(sentAt);
  return `<entry><id>urn:uuid:${id}</id><title>${escaped(subject)}</title><published>${time}</published><updated>${time}</updated><link rel="alternate" type="text/html" href="${escaped(url)}/${id}"/><category term="${escaped(topic)}"/>${summary}</entry>`;
}
