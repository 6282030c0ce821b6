import type { AccountApi } from "../cloudflare/api.ts";
import {
  findZone,
  isForbidden,
  isRoutingServer,
  leadsTo,
  routingPath,
  type RoutingRule,
  type RoutingSettings,
  type Zone,
} from "../cloudflare/email-routing.ts";
import type { ServiceConfig } from "../cloudflare/service-config.ts";
import { OperatorError } from "../command-line.ts";
import { lookUp, resolverOf } from "./check-domain.ts";
import type { Machine } from "./machine.ts";
import type { StepResult } from "./progress.ts";

/** The bounce mailbox; with subaddressing its rule also matches `bounces+TOKEN@…`. */
const MAILBOX = "bounces";
const RULE_NAME = "Postrider bounces";

/** A domain and the Worker that receives its mail. */
interface Route {
  api: AccountApi["outside"];
  zone: Zone;
  domain: string;
  worker: string;
}

/**
 * Routes the mail of a domain to the Worker with Email Routing. A domain that is a zone gets a
 * catch-all rule. Subdomains do not support one, so they get a rule for one address with
 * subaddressing. Other rules are kept. If a permission is missing, prints the manual steps. Throws
 * OperatorError.
 */
export async function routeBounces(
  { fetch, say }: Machine,
  account: AccountApi,
  config: ServiceConfig,
  domain: string,
): Promise<StepResult<undefined>> {
  const { outside: api } = account;
  const { worker } = config;
  const returnPath = `${MAILBOX}+{token}@${domain}`;
  say(
    `The SPF record of ${domain} must include your SMTP server; Email Routing adds a record that includes Cloudflare.`,
  );
  try {
    const zone = await findZone(account, domain);
    if (!zone) throw new OperatorError(`${domain} is not in a zone of this account`);
    const route = { api, zone, domain, worker };
    if (zone.name === domain) await routeZone(route);
    else {
      await enableSubdomain(route, await lookUp(fetch, resolverOf(config), domain, ["MX"]));
      await routeMailbox(route);
    }
  } catch (error) {
    if (!isForbidden(error)) throw error;
    say(formatByHand(domain, worker));
    return { did: "the login cannot change Email Routing: see above", value: undefined };
  }
  return { did: `set the return_path of your projects to ${returnPath}`, value: undefined };
}

const formatByHand = (domain: string, worker: string) =>
  `This login cannot change Email Routing. Do this in the Cloudflare dashboard, under Email Routing of the zone of ${domain}:
  1. enable Email Routing for ${domain}
  2. switch on subaddressing
  3. create the address ${MAILBOX}@${domain} with the action "Send to a Worker" and ${worker}
An API token needs Zone Settings: Edit, Email Routing Rules: Edit and DNS: Edit for that zone.`;

const pathOf = ({ zone }: Route) => routingPath(zone);

async function routeZone(route: Route): Promise<void> {
  const { api, domain, worker } = route;
  const { enabled } = await api.get<RoutingSettings>(pathOf(route));
  if (!enabled)
    throw new OperatorError(
      `Email Routing is off for ${domain}, and enabling it replaces the mail servers of the whole zone. ` +
        `Enable it in the Cloudflare dashboard if ${domain} is only for bounces, or choose a subdomain`,
    );
  const catchAll = await api.get<RoutingRule>(`${pathOf(route)}/rules/catch_all`);
  if (catchAll.enabled && leadsTo(catchAll, worker)) return;
  if (catchAll.enabled) throw taken(`the catch-all address of ${domain}`, catchAll);
  const rule = ruleOf([{ type: "all" }], worker);
  await api.send("PUT", `${pathOf(route)}/rules/catch_all`, rule);
}

/** Sets the Email Routing MX records of a subdomain, unless it has others. */
async function enableSubdomain(route: Route, servers: string[]): Promise<void> {
  const { api, domain } = route;
  const foreign = servers.filter((server) => !isRoutingServer(server));
  if (foreign.length > 0)
    throw new OperatorError(
      `${domain} has other mail servers (${foreign.join(", ")}): choose a subdomain only for bounces`,
    );
  if (servers.length === 0) await api.send("POST", `${pathOf(route)}/dns`, { name: domain });
  const settings = await api.get<RoutingSettings>(pathOf(route));
  if (settings.support_subaddress !== true)
    await api.send("PATCH", pathOf(route), { support_subaddress: true });
}

async function routeMailbox(route: Route): Promise<void> {
  const { api, domain, worker } = route;
  const value = `${MAILBOX}@${domain}`;
  const rules = await api.list<RoutingRule>(`${pathOf(route)}/rules`);
  const known = rules.find(({ matchers }) => matchers.some((one) => one.value === value));
  if (known && leadsTo(known, worker) && known.enabled) return;
  if (known) throw taken(value, known);
  const rule = ruleOf([{ type: "literal", field: "to", value }], worker);
  await api.send("POST", `${pathOf(route)}/rules`, rule);
}

const ruleOf = (matchers: RoutingRule["matchers"], worker: string): RoutingRule => ({
  name: RULE_NAME,
  enabled: true,
  matchers,
  actions: [{ type: "worker", value: [worker] }],
});

function taken(what: string, { actions, enabled }: RoutingRule): OperatorError {
  const places = actions.flatMap(({ type, value }) => value ?? [type]).join(", ");
  const state = enabled ? "" : " and is disabled";
  return new OperatorError(
    `${what} points to ${places}${state}: change that rule in Email Routing, or choose another domain`,
  );
}
