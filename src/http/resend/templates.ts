import { z } from "zod";
import { invalidField, notFound } from "../../errors.ts";
import { isUuid } from "../../lib/ids.ts";
import { faultOf } from "../../messages/faults.ts";
import { withoutNulls } from "../given.ts";
import { inHandlebars } from "./content.ts";
import type { Asked, DoorRoute } from "./door-route.ts";
import { listAll } from "./pages.ts";
import { parsed } from "./parsed.ts";

/** A template of a list, in the fields of our API. */
interface ListedTemplate {
  id: string;
  name: string;
  created_at: string;
  updated_at: string;
}

interface OwnTemplate extends ListedTemplate {
  subject: string;
  html_body: string;
  text_body: string;
}

const variableField = z.strictObject({
  key: z.string(),
  type: z.enum(["string", "number"]),
  fallback_value: z.union([z.string(), z.number()]).nullish(),
});

const templateBody = z.preprocess(
  withoutNulls,
  z
    .strictObject({
      name: z.string(),
      alias: z.string(),
      subject: z.unknown(),
      html: z.unknown(),
      text: z.unknown(),
      variables: z.array(variableField),
    })
    .partial(),
);

/** Our templates have no alias; this one follows from the name. */
const aliasOf = (name: string) =>
  name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/g, "");

/** Returns the body of our API for a template of theirs. */
function ownOf(given: unknown) {
  const { name, alias, subject, html, text, variables = [] } = parsed(templateBody, given);
  if (alias !== undefined && name !== undefined && alias !== aliasOf(name))
    throw invalidField("alias", faultOf("not_in_list", { values: aliasOf(name) }));
  if (alias !== undefined && name === undefined) throw invalidField("name", faultOf("required"));
  const fallbacks = new Map<string, string>();
  for (const { key, fallback_value: fallback } of variables)
    if (fallback !== undefined && fallback !== null) fallbacks.set(key, String(fallback));
  return {
    name,
    subject: inHandlebars(subject, fallbacks),
    html_body: inHandlebars(html, fallbacks),
    text_body: inHandlebars(text, fallbacks),
  };
}

/** Every template is published: a change counts at once. */
const listed = ({ id, name, created_at, updated_at }: ListedTemplate) => ({
  id,
  name,
  alias: aliasOf(name),
  status: "published",
  published_at: updated_at,
  created_at,
  updated_at,
});

const listTemplates = ({ call }: Asked) =>
  call<ListedTemplate[]>("GET", "/templates?fields=summary");

/** Returns the ID of the template that the path names by ID or alias. Throws not_found. */
async function idOf(asked: Asked): Promise<string> {
  const named = asked.c.req.param("id") ?? "";
  if (isUuid(named)) return named;
  const [found] = (await listTemplates(asked))
    .filter(({ name }) => aliasOf(name) === named)
    .toSorted((one, two) => two.updated_at.localeCompare(one.updated_at));
  if (!found) throw notFound("template");
  return found.id;
}

const find = async (asked: Asked) =>
  asked.call<OwnTemplate>("GET", `/templates/${await idOf(asked)}`);

export const templateRoutes: DoorRoute[] = [
  {
    method: "POST",
    path: "/templates",
    answer: async (asked) => {
      const own = ownOf(asked.body);
      if (!own.html_body) throw invalidField("html", faultOf("required"));
      const { id } = await asked.call<OwnTemplate>("POST", "/templates", own);
      return { object: "template", id };
    },
  },
  {
    method: "GET",
    path: "/templates",
    answer: async (asked) => listAll(asked, await listTemplates(asked), listed),
  },
  {
    method: "GET",
    path: "/templates/:id",
    answer: async (asked) => {
      const own = await find(asked);
      return {
        object: "template",
        ...listed(own),
        current_version_id: own.id,
        has_unpublished_versions: false,
        from: null,
        reply_to: null,
        subject: own.subject,
        html: own.html_body,
        text: own.text_body === "" ? null : own.text_body,
        variables: null,
      };
    },
  },
  {
    method: "PATCH",
    path: "/templates/:id",
    answer: async (asked) => {
      const own = ownOf(asked.body);
      const { id } = await asked.call<OwnTemplate>("PUT", `/templates/${await idOf(asked)}`, own);
      return { object: "template", id };
    },
  },
  {
    method: "DELETE",
    path: "/templates/:id",
    answer: async (asked) => {
      const id = await idOf(asked);
      await asked.call("DELETE", `/templates/${id}`);
      return { object: "template", id, deleted: true };
    },
  },
  {
    method: "POST",
    path: "/templates/:id/publish",
    answer: async (asked) => ({ object: "template", id: (await find(asked)).id }),
  },
  {
    method: "POST",
    path: "/templates/:id/duplicate",
    answer: async (asked) => {
      const path = `/templates/${await idOf(asked)}/duplicate`;
      const { id } = await asked.call<OwnTemplate>("POST", path, {});
      return { object: "template", id };
    },
  },
];
