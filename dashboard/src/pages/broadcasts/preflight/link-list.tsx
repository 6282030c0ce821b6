import { isMessage, sayMessage } from "../../../text/messages.ts";
import type { Found } from "./found.ts";
import { useDetails } from "./use-details.ts";
import { usePreflightText } from "./use-preflight-text.ts";
import type { en } from "./text.en.ts";

type Problem = Found["problems"][number];
type AboutLinks = Problem & { code: keyof (typeof en)["links"] };

/** Tells whether a problem lists links. */
export const isAboutLinks = (problem: Problem): problem is AboutLinks =>
  /^(?:(?:invalid|broken)_link|link_(?:not_https|unclear))$/.test(problem.code);

/** A problem of links, one link per line. */
export function LinkList({ problem: { code, params = {} } }: { problem: AboutLinks }) {
  const text = usePreflightText();
  const details = useDetails();
  const { links, variant } = params;
  const items = itemsOf(links).map((item) =>
    isMessage(item) ? sayMessage(details, item) : String(item),
  );
  const more = isMessage(links) && links.code === "and_more" ? Number(links.params?.["count"]) : 0;
  if (more > 0) items.push(text.moreLinks(more));
  const head = text.links[code];
  return (
    <div className="min-w-0">
      <p>{typeof variant === "string" ? text.ofVariant(variant, head) : head}</p>
      <ul className="list-disc ps-5 wrap-anywhere">
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </div>
  );
}

/** Returns the parts of a list that the service sent as nested messages. */
function itemsOf(said: unknown): unknown[] {
  if (!isMessage(said)) return [said];
  const { code, params = {} } = said;
  if (code === "list_item") return [...itemsOf(params["one"]), params["next"]];
  return code === "and_more" ? itemsOf(params["names"]) : [said];
}
