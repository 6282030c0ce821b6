import { sql, type SQL } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch, type Database } from "../../db/client.ts";
import { notFound, refusal } from "../../errors.ts";
import { holdersOf, type UserActor } from "../access/index.ts";
import { auditStatement } from "../audit/index.ts";

/** The project through which the service sends its own mail, as its operator sees it. */
export interface ServiceSender {
  projectId: string;
  name: string;
  /**
   * 0 if the server has changed since it was chosen, or the operator has lost the project; no mail
   * is sent then.
   */
  isReady: number;
}

/**
 * The server settings that must not change unnoticed: the server's owner can read every reset link.
 */
const SERVER = sql`json_array(p.smtp_host, p.smtp_port, p.smtp_user)`;

/** The id of the first account, as an SQL expression. */
const FIRST_ACCOUNT = sql`(select id from users order by rowid limit 1)`;

const OPERATOR = sql`select id from users where id = ${FIRST_ACCOUNT} and verified_at is not null`;

/**
 * A condition on project and choice: the server is still the chosen one, and the operator still has
 * access to the project.
 */
const IS_READY = sql`s.mail_server = ${SERVER} and exists (select 1 from workspace_members m
  where m.workspace_id = p.workspace_id and m.user_id = ${FIRST_ACCOUNT}
    and m.role in ${holdersOf("projects:write")})`;

/** Returns the error for an action that requires a service mail while none can be sent. */
export const noSender = () => refusal("no_service_sender", {});

/**
 * Returns the id of the sending project as an SQL expression; null while the service cannot send
 * mail.
 */
export function senderId(): SQL {
  return sql`(select p.id from service_settings s cross join projects p on p.id = s.mail_project_id
    where s.id = 'service' and ${IS_READY})`;
}

/** Selects the chosen sender: at most one row. */
export function selectSender(db: Database) {
  return db.all<ServiceSender>(
    sql`select p.id as "projectId", p.name, ${IS_READY} as "isReady"
      from service_settings s cross join projects p on p.id = s.mail_project_id where s.id = 'service'`,
  );
}

/**
 * Selects the owner of the first account, who operates the service: at most one row, and none while
 * that address is unverified. If registration is open, anyone could register first, and must not
 * choose the server that every reset link goes through. SETUP_TOKEN authenticates the operator.
 */
export function selectOperator(db: Database) {
  return db.all<{ id: string }>(OPERATOR);
}

/** Returns the id of the operator as an SQL expression; null while there is none. */
export const operatorId = (): SQL => sql`(${OPERATOR})`;

/** Throws 403 unless the rows of `selectOperator` contain the actor. */
export function requireOperator(actor: UserActor, rows: { id: string }[]): void {
  const [operator] = rows;
  if (operator?.id !== actor.userId) throw refusal("operator_required", {});
}

/** Throws 409 unless the rows of `selectSender` show that the service can send its own mail. */
export function requireSender([sender]: ServiceSender[]): void {
  if (sender?.isReady !== 1) throw noSender();
}

/**
 * Chooses the project through which the service sends its own mail; undefined chooses none. The
 * route admits only the operator, who must also hold `projects:write` in that project. Throws
 * not_found, 403, and smtp_not_configured.
 */
export async function chooseSender(
  ctx: Ctx,
  actor: UserActor,
  projectId: string | undefined,
): Promise<ServiceSender | undefined> {
  const { db } = ctx.deps;
  const { userId } = actor;
  const role = sql`(select m.role from workspace_members m where m.workspace_id = p.workspace_id and m.user_id = ${userId})`;
  const isSetUp = sql`p.smtp_host is not null and p.smtp_password_sealed is not null`;
  const [found, , , senders] = await runBatch(db, [
    db.all<{ mayWrite: number; isSetUp: number }>(
      sql`select coalesce(${role} in ${holdersOf("projects:write")}, 0) as "mayWrite", ${isSetUp} as "isSetUp"
        from projects p where p.id = ${projectId ?? ""}`,
    ),
    projectId === undefined
      ? db.run(sql`delete from service_settings where id = 'service'`)
      : db.run(
          sql`insert into service_settings (id, mail_project_id, mail_server)
            select 'service', p.id, ${SERVER} from projects p
            where p.id = ${projectId} and ${role} in ${holdersOf("projects:write")} and ${isSetUp}
            on conflict (id) do update set mail_project_id = excluded.mail_project_id, mail_server = excluded.mail_server`,
        ),
    auditStatement(
      ctx,
      {
        scopeId: userId,
        action: "service.mail_update",
        targetId: projectId ?? "",
      },
      projectId === undefined
        ? sql`true`
        : sql`exists (select 1 from projects p where p.id = ${projectId} and ${role} in ${holdersOf("projects:write")} and ${isSetUp})`,
    ),
    selectSender(db),
  ]);
  if (projectId === undefined) return undefined;
  const [project] = found;
  if (!project) throw notFound("project");
  if (project.mayWrite === 0) throw refusal("project_settings_closed", {});
  if (project.isSetUp === 0) throw refusal("smtp_not_configured", {});
  return senders[0];
}
