import type { z } from "zod";
import type { Asked, DoorRoute } from "./door-route.ts";
import { listAll } from "./pages.ts";
import { parsed } from "./parsed.ts";

/** A kind of objects of ours that their API has, too. */
interface Kind<Own extends { id: string }> {
  /** Path of their API. */
  path: string;
  /** Path of ours, below the project. */
  own: string;
  /** Their name of the kind. */
  object: string;
  list: (asked: Asked) => Promise<Own[]>;
  /** Reads the object of a path, if not by our path. */
  find?: (asked: Asked) => Promise<Own>;
  /** Returns the body of our creation. Throws invalid_request. */
  creation: (asked: Asked) => unknown;
  /** The body of our change; without it, there is no change. */
  change?: z.ZodType;
  present: (own: Own) => object;
}

/** Returns the calls of all objects of a kind: create, list, read, change and delete. */
export function routesOf<Own extends { id: string }>(kind: Kind<Own>): DoorRoute[] {
  const { path, own, object, change, present } = kind;
  const item = `${path}/:id`;
  const pathOf = ({ c }: Asked) => `${own}/${encodeURIComponent(c.req.param("id") ?? "")}`;
  const find = kind.find ?? ((asked) => asked.call<Own>("GET", pathOf(asked)));
  const routes: DoorRoute[] = [
    {
      method: "POST",
      path,
      answer: async (asked) => {
        const made = await asked.call<Own>("POST", own, kind.creation(asked));
        return { object, ...present(made) };
      },
    },
    {
      method: "GET",
      path,
      answer: async (asked) => listAll(asked, await kind.list(asked), present),
    },
    {
      method: "GET",
      path: item,
      answer: async (asked) => ({ object, ...present(await find(asked)) }),
    },
    {
      method: "DELETE",
      path: item,
      answer: async (asked) => {
        await asked.call("DELETE", pathOf(asked));
        return { object, id: asked.c.req.param("id"), deleted: true };
      },
    },
  ];
  if (!change) return routes;
  const changeRoute: DoorRoute = {
    method: "PATCH",
    path: item,
    answer: async (asked) => {
      const { id } = await asked.call<Own>("PATCH", pathOf(asked), parsed(change, asked.body));
      return { object, id };
    },
  };
  return [...routes, changeRoute];
}
