import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";

/** The maximum number of projects per domain. With more, the domain does not identify a project. */
export const MOST_OF_DOMAIN = 200;

/** A project to which a mail may belong. */
export interface ReturnPathProject {
  id: string;
  returnPath: string | null;
  forwardTo: string | null;
  /**
   * 1 for the project that the mail names, 0 for a project whose return path has the mail's domain.
   */
  isNamed: number;
}

const columns = sql`id, bounce_settings ->> '$.returnPath' as "returnPath", bounce_settings ->> '$.forwardTo' as "forwardTo"`;

/**
 * Selects the project with the id `named`, an SQL expression, and those whose return path has this
 * domain: at most one more than `MOST_OF_DOMAIN`.
 */
export function selectReturnPathProjects(db: Database, domain: string, named: SQL) {
  return db.all<ReturnPathProject>(
    sql`select ${columns}, 1 as "isNamed" from projects where id = ${named}
      union all
      select * from (select ${columns}, 0 from projects
        where bounce_domain = ${domain} and bounce_domain is not null limit ${MOST_OF_DOMAIN + 1})`,
  );
}

/** Selects the projects among `ids` whose return path has this domain. */
export function selectProvenProjects(db: Database, domain: string, ids: string[]) {
  return db.all<ReturnPathProject>(
    sql`select ${columns}, 0 as "isNamed" from projects
      where id in (select value from json_each(${JSON.stringify(ids)})) and bounce_domain = ${domain}`,
  );
}
