import { z } from "zod";
import { notFound } from "../../errors.ts";
import { emailField } from "../fields.ts";
import { suppressionPages } from "../project/suppressions.ts";
import type { Asked, DoorRoute } from "./door-route.ts";
import { listPage } from "./pages.ts";
import { parsed } from "./parsed.ts";

/** An entry in the fields of our API. */
interface OwnSuppression {
  id: string;
  email: string;
  reason: string;
  source: string;
  created_at: string;
}

/** The entries of a batch; our own choice, because each takes calls of our API. */
const MAX_BATCH = 100;

const addBody = z.strictObject({ email: emailField });
const emailsBody = z.strictObject({ emails: z.array(emailField).min(1).max(MAX_BATCH) });
const idsBody = z.strictObject({ ids: z.array(z.string()).min(1).max(MAX_BATCH) });
const listQuery = z.object({ origin: z.literal("bounce").optional() });

function originOf({ reason, source }: OwnSuppression) {
  if (reason === "hard_bounce") return "bounce";
  return source === "complaint" ? "complaint" : "manual";
}

const listed = (entry: OwnSuppression) => ({
  id: entry.id,
  email: entry.email,
  origin: originOf(entry),
  source_id: null,
  created_at: entry.created_at,
});

/** Returns the entry of an address or an ID; undefined if there is none. */
async function find({ call }: Asked, text: string): Promise<OwnSuppression | undefined> {
  const query = new URLSearchParams({ [text.includes("@") ? "email" : "id"]: text });
  const path = `/suppressions?${query.toString()}`;
  const found = await call<{ suppressions: OwnSuppression[] }>("GET", path);
  return found.suppressions[0];
}

/** Returns the entry that the path names. Throws not_found. */
async function findNamed(asked: Asked): Promise<OwnSuppression> {
  const found = await find(asked, asked.c.req.param("id") ?? "");
  if (!found) throw notFound("suppression");
  return found;
}

/** Adds addresses, and returns the ID of the entry of each, which may be older. */
async function add(asked: Asked, emails: string[]) {
  await asked.call("POST", "/suppressions", { emails });
  const added: { object: string; id: string }[] = [];
  for (const email of emails) {
    const entry = await find(asked, email);
    if (entry) added.push({ object: "suppression", id: entry.id });
  }
  return added;
}

async function remove({ call }: Asked, { id }: OwnSuppression) {
  await call("DELETE", `/suppressions/${id}`);
  return { object: "suppression", id, deleted: true };
}

async function removeAll(asked: Asked) {
  const byId = idsBody.safeParse(asked.body);
  const named = byId.success ? byId.data.ids : parsed(emailsBody, asked.body).emails;
  const data: Awaited<ReturnType<typeof remove>>[] = [];
  for (const one of named) {
    const entry = await find(asked, one);
    data.push(
      entry ? await remove(asked, entry) : { object: "suppression", id: one, deleted: false },
    );
  }
  return { data };
}

export const suppressionRoutes: DoorRoute[] = [
  {
    method: "POST",
    path: "/suppressions",
    answer: async (asked) => {
      const [added] = await add(asked, [parsed(addBody, asked.body).email]);
      if (!added) throw notFound("suppression"); // the address is erased, and never mailed
      return added;
    },
  },
  {
    method: "GET",
    path: "/suppressions",
    answer: (asked) => {
      const { origin } = parsed(listQuery, asked.c.req.query());
      return listPage(
        asked,
        {
          path: origin === undefined ? "/suppressions" : "/suppressions?reason=hard_bounce",
          field: "suppressions",
          cursorOf: (id) => suppressionPages.cursorOf(id),
        },
        listed,
      );
    },
  },
  {
    method: "POST",
    path: "/suppressions/batch/add",
    answer: async (asked) => ({ data: await add(asked, parsed(emailsBody, asked.body).emails) }),
  },
  { method: "POST", path: "/suppressions/batch/remove", answer: removeAll },
  {
    method: "GET",
    path: "/suppressions/:id",
    answer: async (asked) => ({ object: "suppression", ...listed(await findNamed(asked)) }),
  },
  {
    method: "DELETE",
    path: "/suppressions/:id",
    answer: async (asked) => remove(asked, await findNamed(asked)),
  },
];
