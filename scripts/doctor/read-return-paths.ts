import type { AccountApi } from "../cloudflare/api.ts";
import {
  findZone,
  isForbidden,
  isRoutingServer,
  leadsTo,
  routingPath,
  type RoutingRule,
  type RoutingSettings,
} from "../cloudflare/email-routing.ts";
import { returnPathDomain } from "../../src/mail/return-path.ts";
import type { ServiceConfig } from "../cloudflare/service-config.ts";
import { lookUp, resolverOf } from "../deploy/check-domain.ts";
import type { Machine } from "../deploy/machine.ts";
import type { Query } from "./read-facts.ts";
import type { ReturnPathReading } from "./reading.ts";

/** Maximum number of checked return paths; those with the most projects come first. */
const MAX_PATHS = 50;

interface PathRow {
  pattern: string;
  projects: number;
  unread: number;
}

/** Reads the return paths with their projects, mail servers and routing rules. */
export async function readReturnPaths(
  { fetch }: Pick<Machine, "fetch">,
  account: AccountApi,
  config: ServiceConfig,
  query: Query,
): Promise<ReturnPathReading[]> {
  const rows = await query<PathRow>(
    `SELECT bounce_settings ->> '$.returnPath' AS pattern, count(*) AS projects,
       sum(NOT EXISTS (SELECT 1 FROM bounce_imap b WHERE b.project_id = p.id AND b.enabled)) AS unread
     FROM projects p WHERE bounce_domain IS NOT NULL
     GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${MAX_PATHS}`,
  );
  const dohUrl = resolverOf(config);
  const readPath = async (row: PathRow): Promise<ReturnPathReading> => {
    const domain = returnPathDomain(row.pattern) ?? "";
    const servers = await lookUp(fetch, dohUrl, domain, ["MX"]);
    // Without an MX record, mail goes to the domain's own address (RFC 5321 section 5.1).
    const found = servers.length > 0 ? servers : await lookUp(fetch, dohUrl, domain, ["A", "AAAA"]);
    const isRouted = found.length > 0 && found.every(isRoutingServer);
    const route = isRouted ? await readRoute(account, row.pattern, domain, config.worker) : "none";
    return { ...row, domain, servers: found.filter((server) => !isNullMx(server)), route };
  };
  return Promise.all(rows.map(readPath));
}

/** Matches a null MX, the record of a domain that accepts no mail (RFC 7505). */
const isNullMx = (record: string) => /^\d+ \.$/.test(record);

/**
 * Returns whether Email Routing sends the mail of a return path to the Worker: by a rule for the
 * address before the plus sign, or by a zone's catch-all rule.
 */
async function readRoute(
  account: AccountApi,
  pattern: string,
  domain: string,
  worker: string,
): Promise<ReturnPathReading["route"]> {
  const address = pattern.replace("+{token}@", "@");
  const isOfAddress = (rule: RoutingRule) => rule.matchers.some(({ value }) => value === address);
  const isOurs = (rule: RoutingRule) => rule.enabled && leadsTo(rule, worker);
  try {
    const zone = await findZone(account, domain);
    if (!zone) return "unknown";
    const api = account.outside;
    const rule = (await api.list<RoutingRule>(`${routingPath(zone)}/rules`)).find(isOfAddress);
    const settings = await api.get<RoutingSettings>(routingPath(zone));
    if (rule && settings.support_subaddress === true) return isOurs(rule) ? "worker" : "elsewhere";
    if (zone.name !== domain) return "elsewhere";
    const catchAll = await api.get<RoutingRule>(`${routingPath(zone)}/rules/catch_all`);
    return isOurs(catchAll) ? "worker" : "elsewhere";
  } catch (error) {
    if (isForbidden(error)) return "unknown";
    throw error;
  }
}
