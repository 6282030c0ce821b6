import { ApiError, type AccountApi } from "./api.ts";

/** A zone of an account. */
export interface Zone {
  id: string;
  name: string;
}

export interface RoutingSettings {
  enabled: boolean;
  support_subaddress?: boolean;
}

export interface RoutingRule {
  enabled: boolean;
  name?: string;
  matchers: { type: string; field?: string; value?: string }[];
  actions: { type: string; value?: string[] }[];
}

/** Matches an MX record of Email Routing: a preference and a name. */
export const isRoutingServer = (record: string) => /\.mx\.cloudflare\.net\.?$/i.test(record);

/** Finds the zone of a name: the longest match of the name and its parents. */
export async function findZone(
  { outside: api, accountId }: AccountApi,
  domain: string,
): Promise<Zone | undefined> {
  for (let name = domain; name.includes("."); name = name.slice(name.indexOf(".") + 1)) {
    const query = new URLSearchParams({ name, "account.id": accountId }).toString();
    const [zone] = await api.list<Zone>(`/zones?${query}`);
    if (zone) return zone;
  }
  return undefined;
}

/** Returns the API path of a zone's Email Routing. */
export const routingPath = ({ id }: Zone) => `/zones/${id}/email/routing`;

export const leadsTo = ({ actions }: RoutingRule, worker: string) =>
  actions.some(({ type, value }) => type === "worker" && value?.includes(worker));

/** Returns true for an error caused by a missing permission. */
export const isForbidden = (error: unknown) =>
  error instanceof ApiError && (error.status === 401 || error.status === 403);
