import { z } from "zod";
import { AppError, invalidField, refusal } from "../../errors.ts";
import { faultOf } from "../../messages/faults.ts";
import { mailboxField } from "../fields.ts";
import { broadcastPages } from "../project/broadcast-control.ts";
import { inHandlebars } from "./content.ts";
import type { Asked, DoorRoute } from "./door-route.ts";
import { listPage } from "./pages.ts";
import { parsed } from "./parsed.ts";
import { scheduledAt } from "./time.ts";

/** What we know of a broadcast, in the fields of our API. */
interface ListedBroadcast {
  id: string;
  name: string | null;
  subject: string;
  state: string;
  send_at: string | null;
  created_at: string;
  finished_at: string | null;
}

interface OwnBroadcast extends ListedBroadcast {
  preview_text: string | null;
  from_name: string | null;
  reply_to: string | null;
  html_body: string | null;
  text_body: string | null;
  topic_id: string | null;
  segment_id: string | null;
}

interface OwnProject {
  id: string;
  from_name: string | null;
  from_email: string | null;
  smtp_user: string | null;
}

const senderOf = ({ from_email: email, smtp_user: user }: OwnProject) => email ?? user ?? "";

const changeFields = {
  name: z.unknown(),
  segment_id: z.unknown(),
  audience_id: z.unknown(),
  from: mailboxField,
  subject: z.unknown(),
  reply_to: z.union([z.string().transform((one) => [one]), z.array(z.string()).max(1)]),
  preview_text: z.unknown(),
  html: z.unknown(),
  text: z.unknown(),
  topic_id: z.unknown(),
};

const sendFields = { scheduled_at: z.unknown() };
const changeBody = z.strictObject(changeFields).partial();
const createBody = changeBody.extend({ send: z.boolean(), ...sendFields }).partial();
const sendBody = z.strictObject(sendFields).partial();

/** Returns the body of our API for the fields of theirs. The address of the sender is the project's. */
async function draftOf({ call }: Asked, change: z.output<typeof changeBody>) {
  const { from, reply_to: replyTo, html, text, subject, preview_text: preview, ...same } = change;
  const { segment_id: segment = same.audience_id, name, topic_id } = same;
  const project = await call<OwnProject>("GET", "");
  const sender = senderOf(project);
  if (from && from.address !== sender)
    throw refusal("sender_not_allowed", { address: from.address, allowed: sender });
  return {
    name,
    subject: inHandlebars(subject),
    preview_text: inHandlebars(preview),
    from_name: from?.name,
    reply_to: replyTo && (replyTo[0] ?? ""),
    html_body: inHandlebars(html),
    text_body: inHandlebars(text),
    topic_id,
    segment_id: segment === project.id ? "" : segment,
  };
}

async function create(asked: Asked) {
  const { send, scheduled_at: at, ...fields } = parsed(createBody, asked.body);
  const needed = { ...fields, segment_id: fields.segment_id ?? fields.audience_id };
  for (const name of ["segment_id", "from", "subject"] as const)
    if (needed[name] === undefined) throw invalidField(name, faultOf("required"));
  const sendAt = scheduledAt(asked, at);
  if (sendAt !== undefined && send !== true)
    throw invalidField("scheduled_at", faultOf("only_with", { field: "send" }));
  const draft = await draftOf(asked, fields);
  const { id } = await asked.call<OwnBroadcast>("POST", "/broadcasts", {
    ...draft,
    name: draft.name ?? draft.subject,
    send_at: sendAt,
  });
  if (send !== true) return { id };
  try {
    await asked.call("POST", `/broadcasts/${id}/start`, {});
  } catch (error) {
    // A repeat of the call must not leave one draft after another.
    if (error instanceof AppError) await asked.call("DELETE", `/broadcasts/${id}`);
    throw error;
  }
  return { id };
}

const pathOf = ({ c }: Asked) => `/broadcasts/${encodeURIComponent(c.req.param("id") ?? "")}`;
const idOf = ({ c }: Asked) => c.req.param("id");

async function send(asked: Asked) {
  const sendAt = scheduledAt(asked, parsed(sendBody, asked.body).scheduled_at);
  const { state } = await asked.call<OwnBroadcast>("GET", pathOf(asked));
  if (sendAt !== undefined && state === "draft")
    await asked.call("PATCH", pathOf(asked), { send_at: sendAt });
  await asked.call("POST", `${pathOf(asked)}/start`, {});
  return { id: idOf(asked) };
}

const STATUSES: Readonly<Record<string, string>> = {
  draft: "draft",
  done: "sent",
  cancelled: "sent",
};

/** Presents a broadcast of a list, which does not tell its segment. */
const listed = ({
  id,
  name,
  subject,
  state,
  send_at,
  created_at,
  finished_at,
}: ListedBroadcast) => ({
  id,
  name: name ?? subject,
  audience_id: null,
  segment_id: null,
  status: STATUSES[state] ?? "queued",
  created_at,
  scheduled_at: send_at,
  sent_at: finished_at,
});

async function show(asked: Asked) {
  const own = await asked.call<OwnBroadcast>("GET", pathOf(asked));
  const project = await asked.call<OwnProject>("GET", "");
  const name = own.from_name ?? project.from_name;
  return {
    object: "broadcast",
    ...listed(own),
    audience_id: own.segment_id ?? project.id,
    segment_id: own.segment_id,
    from: name ? `${name} <${senderOf(project)}>` : senderOf(project),
    subject: own.subject,
    reply_to: own.reply_to && [own.reply_to],
    preview_text: own.preview_text,
    topic_id: own.topic_id,
    html: own.html_body,
    text: own.text_body,
  };
}

export const broadcastRoutes: DoorRoute[] = [
  { method: "POST", path: "/broadcasts", answer: create },
  {
    method: "GET",
    path: "/broadcasts",
    answer: (asked) =>
      listPage(
        asked,
        {
          path: "/broadcasts?state=all",
          field: "broadcasts",
          cursorOf: (id) => broadcastPages.cursorOf(id),
        },
        listed,
      ),
  },
  { method: "GET", path: "/broadcasts/:id", answer: show },
  {
    method: "PATCH",
    path: "/broadcasts/:id",
    answer: async (asked) => {
      const draft = await draftOf(asked, parsed(changeBody, asked.body));
      await asked.call("PATCH", pathOf(asked), draft);
      return { id: idOf(asked) };
    },
  },
  {
    method: "DELETE",
    path: "/broadcasts/:id",
    answer: async (asked) => {
      await asked.call("DELETE", pathOf(asked));
      return { object: "broadcast", id: idOf(asked), deleted: true };
    },
  },
  { method: "POST", path: "/broadcasts/:id/send", answer: send },
  {
    method: "POST",
    path: "/broadcasts/:id/cancel",
    answer: async (asked) => {
      await asked.call("POST", `${pathOf(asked)}/cancel`);
      return { object: "broadcast", id: idOf(asked) };
    },
  },
  {
    method: "POST",
    path: "/broadcasts/:id/duplicate",
    answer: async (asked) => {
      const { id } = await asked.call<OwnBroadcast>("POST", `${pathOf(asked)}/duplicate`, {});
      return { object: "broadcast", id };
    },
  },
];
