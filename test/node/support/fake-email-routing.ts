// Email Routing of the zones of an account in memory, as https://developers.cloudflare.com/api and
// wrangler 4.156 describe it.

/** Answers a call of the API. */
export type Handler = (call: {
  match: RegExpExecArray;
  query: URLSearchParams;
  body: () => Promise<string>;
}) => unknown;

export interface FakeRule {
  name?: string;
  enabled: boolean;
  matchers: { type: string; field?: string; value?: string }[];
  actions: { type: string; value?: string[] }[];
}

/** A zone with its Email Routing. */
export interface FakeZone {
  name: string;
  enabled: boolean;
  support_subaddress: boolean;
  /** Subdomains with the mail servers of Email Routing. */
  subdomains: string[];
  rules: FakeRule[];
  catchAll: FakeRule;
}

export const newZone = (name: string, change: Partial<FakeZone> = {}): FakeZone => ({
  name,
  enabled: false,
  support_subaddress: false,
  subdomains: [],
  rules: [],
  catchAll: { enabled: false, matchers: [{ type: "all" }], actions: [{ type: "drop" }] },
  ...change,
});

export function emailRoutingRoutes(zones: Map<string, FakeZone>): Record<string, Handler> {
  const zoneOf = (match: RegExpExecArray): FakeZone => {
    const zone = zones.get(match[1] ?? "");
    if (!zone) throw new Error("no such zone");
    return zone;
  };
  const settingsOf = ({ enabled, support_subaddress }: FakeZone) => ({
    enabled,
    support_subaddress,
  });
  const path = "/zones/([^/]+)/email/routing";
  return {
    "GET /zones": ({ query }) =>
      [...zones]
        .filter(([, { name }]) => name === query.get("name"))
        .map(([id, { name }]) => ({ id, name })),
    [`GET ${path}`]: ({ match }) => settingsOf(zoneOf(match)),
    [`PATCH ${path}`]: async ({ match, body }) =>
      settingsOf(Object.assign(zoneOf(match), JSON.parse(await body()))),
    [`POST ${path}/dns`]: async ({ match, body }) => {
      const { name } = JSON.parse(await body()) as { name: string };
      zoneOf(match).subdomains.push(name);
      return {};
    },
    [`GET ${path}/rules`]: ({ match }) => zoneOf(match).rules,
    [`POST ${path}/rules`]: async ({ match, body }) => {
      const rule = JSON.parse(await body()) as FakeRule;
      zoneOf(match).rules.push(rule);
      return rule;
    },
    [`GET ${path}/rules/catch_all`]: ({ match }) => zoneOf(match).catchAll,
    [`PUT ${path}/rules/catch_all`]: async ({ match, body }) =>
      Object.assign(zoneOf(match).catchAll, JSON.parse(await body())),
  };
}
