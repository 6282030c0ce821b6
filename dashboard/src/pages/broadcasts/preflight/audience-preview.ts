/** Fields that define the audience of a draft. */
interface Audience {
  topic_id: string | null;
  segment_id: string | null;
  where: string | null;
  exclude_segment_ids: readonly string[];
}

/** The audience of a draft, as the service's preview accepts it. */
interface PreviewBody {
  where: string;
  status: "active";
  topic_id?: string;
}

/**
 * Returns the preview request of a draft's audience, without suppressions (API reference §12.10).
 * Adds parentheses only where necessary, so that the condition stays within the draft's limits.
 */
export function audiencePreview(
  { topic_id, segment_id, where, exclude_segment_ids }: Audience,
  segments: readonly { id: string; where: string }[],
): PreviewBody {
  const whereOf = (id: string | null) => segments.find((one) => one.id === id)?.where;
  const wanted = [whereOf(segment_id), where ?? undefined].filter((one) => one !== undefined);
  const excluded = exclude_segment_ids.map(whereOf).filter((one) => one !== undefined);
  const isAlone = wanted.length + excluded.length === 1;
  const parts = [
    ...wanted.map((one) => (!isAlone && joins(one, /or/) ? `(${one})` : one)),
    ...excluded.map((one) => (joins(one, /and|or/) ? `not (${one})` : `not ${one}`)),
  ];
  return {
    where: parts.join(" and ") || EVERYBODY,
    status: "active",
    ...(topic_id === null ? {} : { topic_id }),
  };
}

const EVERYBODY = "status:active";

/** Returns true if a condition contains the keyword outside of quotes and parentheses. */
function joins(condition: string, word: RegExp): boolean {
  let rest = condition.replaceAll(/"(?:[^"\\]|\\.)*"/g, "x");
  for (let before = ""; before !== rest;) {
    before = rest;
    rest = rest.replaceAll(/\([^()]*\)/g, " ");
  }
  return new RegExp(String.raw`(?:^|\s)(?:${word.source})(?:\s|$)`, "i").test(rest);
}
