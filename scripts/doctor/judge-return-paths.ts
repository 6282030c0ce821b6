import type { ReturnPathReading } from "./reading.ts";
import { fault, ok, type Verdict, warning } from "./verdict.ts";

/**
 * Evaluates the return paths, which receive bounces; undefined for a service that cannot receive
 * mail.
 */
export function judgeReturnPaths(paths: ReturnPathReading[] | undefined): Verdict {
  if (!paths) return ok("mail reaches a local service only through its mailbox");
  if (paths.length === 0) return ok("no project has a return path");
  const verdicts = paths.map(judgePath);
  const worst = (["fault", "warning"] as const)
    .map((outcome) => verdicts.filter((one) => one.outcome === outcome))
    .find(({ length }) => length > 0);
  const [first] = worst ?? [];
  if (!worst || !first)
    return ok(`mail to ${paths.map(({ pattern }) => pattern).join(", ")} is read`);
  return { ...first, says: worst.map(({ says }) => says).join("; ") };
}

function judgePath(path: ReturnPathReading): Verdict {
  const { pattern, domain, projects, unread, servers, route } = path;
  const setUp = `run \`npm run deploy -- --bounce-domain ${domain}\``;
  if (servers.length === 0) {
    return fault(
      `${domain} has no mail servers, so the bounces of ${projects} project(s) are lost`,
      `${setUp}, or give the domain the MX record of your bounce mailbox`,
    );
  }
  if (route === "worker" || unread === 0) return ok("");
  if (route === "elsewhere") {
    return fault(
      `no Email Routing rule sends mail for ${pattern} to this Worker`,
      `${setUp}, and set the return path to bounces+{token}@${domain}`,
    );
  }
  if (route === "unknown") {
    return warning(
      `this login cannot read where Email Routing sends mail to ${pattern}`,
      "check Email Routing of its zone: the rule of that address needs the action " +
        '"Send to a Worker", and subaddressing must be on',
    );
  }
  return warning(
    `mail to ${pattern} goes to ${servers.join(", ")}, and ${unread} project(s) poll no mailbox`,
    "set their bounce mailbox, or choose a domain for Email Routing (docs/bounces.md)",
  );
}
