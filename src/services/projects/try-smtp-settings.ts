import type { Deps } from "../../deps.ts";
import type { EmailAddress } from "../../mail/address.ts";
import type { ProjectRow } from "../access/index.ts";
import {
  checkServer,
  missingPassword,
  storedServer,
  type ServerInput,
  type ServerRole,
} from "./mail-servers.ts";

/** Settings to try; an undefined field uses the stored value. */
export interface TriedSettings {
  server: Omit<ServerInput, "password"> | undefined;
  password: string | undefined;
  fromName: string | undefined;
  fromEmail: EmailAddress | null | undefined;
}

/**
 * Returns a project as if other settings of one of its servers were saved. The rules are those of
 * saving: the stored password is valid only for its host, port and user. Throws 400.
 */
export async function withSmtpSettings(
  deps: Deps,
  project: ProjectRow,
  role: ServerRole,
  { server, password, fromName, fromEmail }: TriedSettings,
): Promise<ProjectRow> {
  const sender = {
    ...project,
    fromName: fromName ?? project.fromName,
    fromEmail: fromEmail === undefined ? project.fromEmail : fromEmail,
  };
  const stored = storedServer(project, role);
  const tried = server ?? serverOf(stored);
  if (!tried || (!server && password === undefined)) return sender;
  const checked = await checkServer(deps, project.id, role, { ...tried, password });
  const missing = missingPassword(project, role, checked);
  if (missing) throw missing;
  const { host, port, user } = checked;
  const sealed = checked.passwordSealed ?? stored.passwordSealed;
  return role === "first"
    ? { ...sender, smtpHost: host, smtpPort: port, smtpUser: user, smtpPasswordSealed: sealed }
    : {
        ...sender,
        fallbackHost: host,
        fallbackPort: port,
        fallbackUser: user,
        fallbackPasswordSealed: sealed,
      };
}

/** Returns a stored server; undefined if there is none. */
function serverOf({ host, port, user }: ReturnType<typeof storedServer>): TriedSettings["server"] {
  return host === null || port === null || user === null ? undefined : { host, port, user };
}
