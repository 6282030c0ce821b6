/*
 * The view `logged_mails`: all entries of the log, with the values that the API shows. Tests read,
 * insert and delete entries through it, because the rows of the table hold ids as bytes.
 */

const IDS = ["id", "project_id", "subscriber_id", "template_id", "broadcast_id"];
const REST =
  "error tags copies sent_at opened_at clicked_at opened_class opened_user_agent opened_ip reason".split(
    " ",
  );
const STATUSES = ["sent", "failed", "bounced", "suppressed"];

const textOf = (name: string) =>
  `case typeof(e.${name}) when 'blob' then
    lower(printf('%s-%s-%s-%s-%s', hex(substr(e.${name}, 1, 4)), hex(substr(e.${name}, 5, 2)),
      hex(substr(e.${name}, 7, 2)), hex(substr(e.${name}, 9, 2)), hex(substr(e.${name}, 11, 6))))
    else e.${name} end as ${name}`;

const bytesOf = (name: string) =>
  `case when new.${name} glob '????????-????-????-????-????????????'
    then coalesce(unhex(new.${name}, '-'), new.${name}) else new.${name} end`;

const status = STATUSES.map((text, n) => `when ${n} then '${text}'`).join(" ");
const statusCode = STATUSES.map((text, n) => `when '${text}' then ${n}`).join(" ");

/** The statements that create the view. */
export const CREATE_LOGGED_MAILS = [
  "drop view if exists logged_mails",
  `create view logged_mails as
    select ${IDS.map(textOf).join()}, to_email, coalesce(e.subject, s.subject) as subject,
      case status ${status} end as status, ${REST.join()}, e.id as stored_id
    from log_entries e
      left join log_subjects s on s.project_id = e.project_id and s.broadcast_id = e.broadcast_id`,
  `create trigger insert_logged_mail instead of insert on logged_mails begin
    insert into log_entries (${IDS.join()}, to_email, subject, status, ${REST.join()})
    values (${IDS.map(bytesOf).join()}, new.to_email, new.subject, case new.status ${statusCode} end,
      ${REST.map((name) => `new.${name}`).join()});
  end`,
  `create trigger delete_logged_mail instead of delete on logged_mails begin
    delete from log_entries where id = old.stored_id;
  end`,
];
