import { notFound } from "../../errors.ts";
import type { Asked, DoorRoute } from "./door-route.ts";
import { listAll } from "./pages.ts";

/** Their status of a domain for each result of the sender check. */
const STATUSES: Readonly<Record<string, string>> = {
  ok: "verified",
  warning: "verified",
  problem: "failed",
  unknown: "pending",
};

/** Returns the domain of the project's sender: the only one, with the ID of the project. */
async function domainOf({ call }: Asked) {
  const { id, created_at } = await call<{ id: string; created_at: string }>("GET", "");
  const { tracking } = await call<{ tracking: { opens: boolean; clicks: boolean } }>(
    "GET",
    "/mail-settings",
  );
  const check = await call<{ domain: string; verdict: string }>("GET", "/sending/check");
  return {
    id,
    name: check.domain,
    status: STATUSES[check.verdict] ?? "pending",
    created_at,
    region: "us-east-1",
    open_tracking: tracking.opens,
    click_tracking: tracking.clicks,
    capabilities: { sending: "enabled", receiving: "disabled" },
  };
}

export const domainRoutes: DoorRoute[] = [
  {
    method: "GET",
    path: "/domains",
    answer: async (asked) => listAll(asked, [await domainOf(asked)], (domain) => domain),
  },
  {
    method: "GET",
    path: "/domains/:id",
    answer: async (asked) => {
      const domain = await domainOf(asked);
      if (domain.id !== asked.c.req.param("id")) throw notFound("domain");
      return { object: "domain", ...domain, records: [] };
    },
  },
];
