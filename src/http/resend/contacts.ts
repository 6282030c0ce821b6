import { AppError, invalidField, notFound } from "../../errors.ts";
import { faultOf } from "../../messages/faults.ts";
import { emailField } from "../fields.ts";
import { pagesBy } from "../project/subscriber-pages.ts";
import {
  createBody,
  listedContact,
  ownFields,
  shownContact,
  topicsField,
  updateBody,
  type OwnContact,
} from "./contact.ts";
import type { Asked, DoorRoute } from "./door-route.ts";
import { listAll, listPage } from "./pages.ts";
import { parsed } from "./parsed.ts";
import { findSegment, listSegments, presentSegment, requireTag, tagOf } from "./segments.ts";
import { listTopics } from "./topics.ts";

const SUBSCRIBERS = "/subscribers";
const pathOf = (id: string) => `${SUBSCRIBERS}/${encodeURIComponent(id)}`;

/**
 * Returns the contact with an email; undefined without one. It is the first of the list by email
 * from there down: no other email sorts between one and itself with a space.
 */
async function findByEmail({ call, project }: Asked, given: string) {
  const email = parsed(emailField, given);
  const after = pagesBy("-email").cursorOf([project, `${email} `, "-email"]);
  const query = `sort=-email&limit=1&after=${after}`;
  const found = await call<{ subscribers: OwnContact[] }>("GET", `${SUBSCRIBERS}?${query}`);
  return found.subscribers.find((one) => one.email === email);
}

/** Reads the contact of a path, by id or email. Throws not_found. */
async function findContact(asked: Asked): Promise<OwnContact> {
  const given = asked.c.req.param("contactId") ?? "";
  if (!given.includes("@")) return asked.call("GET", pathOf(given));
  const found = await findByEmail(asked, given);
  if (!found) throw notFound("contact");
  return found;
}

/** Reads the contact of a path in its audience: a segment, or the project, which has all of them. */
async function findMember(asked: Asked): Promise<{ contact: OwnContact; tag: string | undefined }> {
  const contact = await findContact(asked);
  const tag = await tagOfAudience(asked);
  if (tag !== undefined && !contact.tags.includes(tag)) throw notFound("contact");
  return { contact, tag };
}

/** Returns the tag of the audience of a path; undefined if it has all contacts. */
async function tagOfAudience(asked: Asked): Promise<string | undefined> {
  const id = asked.c.req.param("segmentId");
  return id === undefined || id === asked.project
    ? undefined
    : requireTag(await findSegment(asked, id));
}

/** Returns the tags of the segments to which a new contact belongs. Throws not_found. */
async function tagsOf(asked: Asked, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const segments = await listSegments(asked);
  return ids.map((id) => {
    const segment = segments.find((one) => one.id === id);
    if (!segment) throw notFound("segment");
    return requireTag(segment);
  });
}

type Choices = { id: string; subscription: "opt_in" | "opt_out" }[];

/** Returns the topics of a new contact: the chosen ones, and those that everybody gets. */
async function topicsOf(asked: Asked, choices: Choices): Promise<string[]> {
  const topics = await listTopics(asked);
  const chosen = new Map(choices.map(({ id, subscription }) => [id, subscription]));
  for (const id of chosen.keys())
    if (!topics.some((topic) => topic.id === id))
      throw invalidField("topics", faultOf("no_such_topic", { name: id }));
  return topics
    .filter(({ id, is_default }) => (chosen.get(id) ?? (is_default ? "opt_in" : "")) === "opt_in")
    .map(({ id }) => id);
}

const retag = ({ call }: Asked, action: "add_tags" | "remove_tags", id: string, tags: string[]) =>
  call("POST", `${SUBSCRIBERS}/bulk`, { action, tags, ids: [id] });

/** Adds a contact. One who exists is only added to the segments, so nobody is resubscribed. */
async function createContact(asked: Asked) {
  const { c, project, call } = asked;
  const { email, segments, topics, audience_id, ...given } = parsed(createBody, asked.body);
  const audience = c.req.param("segmentId") ?? audience_id ?? project;
  const ids = (segments ?? []).map((one) => (typeof one === "string" ? one : one.id));
  const tags = await tagsOf(asked, audience === project ? ids : [...ids, audience]);
  const own = {
    ...ownFields(given, { name: "", metadata: {} }),
    email,
    tags,
    ...(topics && { topics: await topicsOf(asked, topics) }),
  };
  try {
    const { id } = await call<OwnContact>("POST", SUBSCRIBERS, own);
    return { object: "contact", id };
  } catch (error) {
    const isTaken = error instanceof AppError && error.code === "subscriber_exists";
    const found = isTaken && (await findByEmail(asked, email));
    if (!found) throw error;
    if (tags.length > 0) await retag(asked, "add_tags", found.id, tags);
    return { object: "contact", id: found.id };
  }
}

async function listContacts(asked: Asked, tag: string | undefined) {
  const path = tag === undefined ? SUBSCRIBERS : `${SUBSCRIBERS}?tag=${encodeURIComponent(tag)}`;
  const cursorOf = (id: string) => pagesBy().cursorOf([id, ""]);
  return listPage(asked, { path, field: "subscribers", cursorOf, isWhole: true }, listedContact);
}

async function updateContact(asked: Asked) {
  const { email, ...given } = parsed(updateBody, asked.body);
  const { contact } = await findMember(asked);
  const own = { ...ownFields(given, contact), ...(email && { email }) };
  const { id } = await asked.call<OwnContact>("PATCH", pathOf(contact.id), own);
  return { object: "contact", id };
}

/** Deletes a contact, or takes it out of the segment that is the audience of the path. */
async function removeContact(asked: Asked) {
  const { contact, tag } = await findMember(asked);
  if (tag === undefined) await asked.call("DELETE", pathOf(contact.id));
  else await retag(asked, "remove_tags", contact.id, [tag]);
  return { object: "contact", contact: contact.id, deleted: true };
}

/** Returns the route that adds a contact to a segment, or takes it out. */
const membership = (method: "POST" | "DELETE"): DoorRoute => ({
  method,
  path: "/contacts/:contactId/segments/:segmentId",
  answer: async (asked) => {
    const segment = await findSegment(asked, asked.c.req.param("segmentId") ?? "");
    const { id } = await findContact(asked);
    const isAdded = method === "POST";
    await retag(asked, isAdded ? "add_tags" : "remove_tags", id, [requireTag(segment)]);
    return {
      object: "contact_segment",
      id,
      ...(!isAdded && { audienceId: segment.id, deleted: true }),
    };
  },
});

/** The calls of one contact, which older clients make in an audience. */
const itemRoutes = (path: string): DoorRoute[] => [
  { method: "POST", path, answer: createContact },
  {
    method: "GET",
    path: `${path}/:contactId`,
    answer: async (asked) => shownContact((await findMember(asked)).contact),
  },
  { method: "PATCH", path: `${path}/:contactId`, keepsNulls: true, answer: updateContact },
  { method: "DELETE", path: `${path}/:contactId`, answer: removeContact },
];

export const contactRoutes: DoorRoute[] = [
  ...itemRoutes("/contacts"),
  ...itemRoutes("/audiences/:segmentId/contacts"),
  ...["/contacts", "/segments/:segmentId/contacts", "/audiences/:segmentId/contacts"].map(
    (path): DoorRoute => ({
      method: "GET",
      path,
      answer: async (asked) => listContacts(asked, await tagOfAudience(asked)),
    }),
  ),
  {
    method: "GET",
    path: "/contacts/:contactId/segments",
    answer: async (asked) => {
      const { tags } = await findContact(asked);
      const segments = await listSegments(asked);
      const own = segments.filter((segment) => tags.includes(tagOf(segment) ?? ""));
      return listAll(asked, own, presentSegment);
    },
  },
  membership("POST"),
  membership("DELETE"),
  {
    method: "GET",
    path: "/contacts/:contactId/topics",
    answer: async (asked) => {
      const { id } = await findContact(asked);
      const { topics: consents } = await asked.call<{
        topics: { topic_id: string; state: string | null }[];
      }>("GET", `${pathOf(id)}/topics`);
      const subscribed = new Set(
        consents.filter(({ state }) => state === "subscribed").map((one) => one.topic_id),
      );
      return listAll(asked, await listTopics(asked), (topic) => ({
        id: topic.id,
        name: topic.name,
        description: topic.description,
        subscription: subscribed.has(topic.id) ? "opt_in" : "opt_out",
      }));
    },
  },
  {
    method: "PATCH",
    path: "/contacts/:contactId/topics",
    answer: async (asked) => {
      const choices = parsed(topicsField, asked.body);
      const { id } = await findContact(asked);
      const consents = choices.map((choice) => [
        choice.id,
        choice.subscription === "opt_in" ? "subscribed" : "unsubscribed",
      ]);
      await asked.call("PUT", `${pathOf(id)}/topics`, Object.fromEntries(consents));
      return { object: "contact_topics", id };
    },
  },
];
