import type { Deps } from "../../deps.ts";
import { runBatch } from "../../db/client.ts";
import { askDns } from "../../lib/ask-dns.ts";
import { readTxt } from "../../lib/read-txt.ts";
import { domainOf, type EmailAddress } from "../../mail/address.ts";
import { fitsReturnPath } from "../../mail/return-path.ts";
import { MOST_OF_DOMAIN, selectProvenProjects, type ReturnPathProject } from "../projects/index.ts";

const DNS_TIMEOUT_MS = 3_000;
const MOST_PROVEN = 20;
/** The TXT record with which a domain authorizes a project. */
const PROOF = /^postrider-project=([0-9a-f-]{36})$/i;

type Value = (project: ReturnPathProject) => string | null;

/**
 * Returns the result of `valueOf` for the project of a mail. The candidates are the named project,
 * otherwise the projects whose return path matches the address, otherwise the projects with its
 * domain. Several candidates count only if they agree, because anyone can configure a return path
 * on someone else's domain. If they disagree, or if a domain has so many projects that some were
 * not read, only the projects that the domain's DNS names count, at the cost of a DNS query and one
 * D1 read. Returns null if nothing is found.
 */
export async function choosePlace(
  deps: Deps,
  projects: ReturnPathProject[],
  address: string,
  valueOf: Value,
): Promise<string | null> {
  const named = projects.filter(({ isNamed }) => isNamed === 1);
  if (named.length > 0) return commonValue(named, valueOf) ?? null;
  const isWhole = projects.length <= MOST_OF_DOMAIN;
  const agreed = isWhole ? commonValue(bestMatches(projects, address), valueOf) : undefined;
  if (agreed !== undefined) return agreed;
  const proven = await provenProjects(deps, domainOf(address as EmailAddress).toLowerCase());
  return commonValue(bestMatches(proven, address), valueOf) ?? null;
}

/** Returns the projects whose return path matches the address; all projects if none does. */
function bestMatches(projects: ReturnPathProject[], address: string): ReturnPathProject[] {
  const fitting = projects.filter(
    ({ returnPath }) => returnPath !== null && fitsReturnPath(returnPath, address),
  );
  return fitting.length > 0 ? fitting : projects;
}

/** Returns the common value; null if there is no project, undefined if the values differ. */
function commonValue(projects: ReturnPathProject[], valueOf: Value): string | null | undefined {
  const values = new Set(projects.map(valueOf));
  const [only = null] = values;
  return values.size > 1 ? undefined : only;
}

/** Returns the projects with this domain that its TXT records authorize. */
async function provenProjects(deps: Deps, domain: string): Promise<ReturnPathProject[]> {
  const resolver = { fetch: deps.fetch, url: deps.config.dohUrl, timeoutMs: DNS_TIMEOUT_MS };
  const answer = await askDns(resolver, `_postrider.${domain}`, "TXT");
  const texts = answer.kind === "records" ? answer.data.map(readTxt) : [];
  const ids = texts.flatMap((text) => PROOF.exec(text.trim())?.[1]?.toLowerCase() ?? []);
  if (ids.length === 0) return [];
  const [proven] = await runBatch(deps.db, [
    selectProvenProjects(deps.db, domain, ids.slice(0, MOST_PROVEN)),
  ]);
  return proven;
}
