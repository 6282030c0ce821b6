import { sql } from "drizzle-orm";
import type { Database } from "../../../db/client.ts";
import { mailedJson, type MailedSubscriber } from "../../../db/subscriber-columns.ts";
import { AppError } from "../../../errors.ts";
import { allSteps } from "../../../lib/automation-steps.ts";
import { compileTemplate, findVariables, renderTemplate } from "../../../mail/template/index.ts";
import type { AutomationRow } from "../automation-queries.ts";
import { problem, type AutomationProblem } from "../find-problems.ts";
import { mailOf } from "../mail-of-step.ts";
import { eventOf, type DefinitionFacts } from "../read-facts.ts";
import { newestEvent } from "./look-at.ts";
import type { Candidate, Walk } from "./walk-person.ts";

/** The number of people for whom each mail is rendered, and of those a problem names. */
const SAMPLE = 20;
const NAMED_MAX = 3;

interface Mails {
  projectId: string;
  automation: AutomationRow;
  facts: DefinitionFacts;
}

/** Renders the mails for a sample of those who get them, and finds what the mails lack. */
export async function renderMails(
  db: Database,
  { projectId, automation: { name, definition }, facts }: Mails,
  walks: readonly (Walk & { who: Candidate })[],
): Promise<{ problems: AutomationProblem[]; subjects: Map<string, string> }> {
  const steps = allSteps(definition).flatMap(({ step, path }) => {
    if (step.type !== "send") return [];
    const passing = walks.filter(({ passed }) => passed.some((one) => one.step === step));
    const ids = passing.slice(0, SAMPLE).map(({ who }) => who.id);
    const template =
      step.template_id === undefined ? undefined : facts.templates.get(step.template_id);
    return [{ step, path, ids, mail: mailOf(step, template) }];
  });
  const event = eventOf(definition);
  const people = await readPeople(db, projectId, event, [
    ...new Set(steps.flatMap(({ ids }) => ids)),
  ]);
  const problems: AutomationProblem[] = [];
  const subjects = new Map<string, string>();
  for (const { step, path, ids, mail } of steps) {
    const readers = ids.flatMap((id) => people.get(id) ?? []);
    const data = readers.map((reader) => ({ ...reader, broadcast: { name } }));
    try {
      const subject = compileTemplate(mail.subject, { escape: false });
      const [first] = data.map((one) => renderTemplate(subject, one));
      if (first !== undefined) subjects.set(step.id, first);
      const sources = [mail.subject, mail.preheader, mail.htmlBody, mail.textBody];
      const paths = sources.flatMap((source) => findVariables(source).map((use) => use.path));
      const links = step.to === "pending" ? [...LINKS, "confirm_url"] : LINKS;
      problems.push(...missingIn(path, paths, data, links));
    } catch (error) {
      if (!(error instanceof AppError)) throw error; // `problemsOf` reports a mail that does not parse
    }
  }
  return { problems, subjects };
}

type Reader = MailedSubscriber & { subscriber_id: string; event: unknown };

/** Reads the variables of people, with the data of the newest event of a name. */
async function readPeople(
  db: Database,
  projectId: string,
  event: string | null,
  ids: string[],
): Promise<Map<string, Reader>> {
  const data = sql`, 'subscriber_id', subscribers.id,
    'event', json(coalesce(${newestEvent(projectId, event, sql`subscribers.id`)}, '{}'))`;
  const rows = await db.all<{ reader: string }>(
    sql`select ${mailedJson("subscribers", data)} as reader from subscribers
      where id in (select value from json_each(${JSON.stringify(ids)}))`,
  );
  const readers = rows.map(({ reader }) => JSON.parse(reader) as Reader); // the statement builds it
  return new Map(readers.map((reader) => [reader.id, reader]));
}

/** The variables that every mail has. */
const LINKS = ["unsubscribe_url", "unsubscribe_link", "view_url", "view_link"];

/** Returns a problem for each variable that some of the readers lack. */
function missingIn(
  path: string,
  paths: string[][],
  readers: readonly (Reader & Record<string, unknown>)[],
  links: string[],
): AutomationProblem[] {
  const names = new Map(paths.map((one) => [one.join("."), one]));
  return [...names].flatMap(([name, [first = "", ...rest]]) => {
    if (links.includes(first)) return [];
    const lacking = readers.filter((reader) => isEmpty(valueAt(reader, [first, ...rest])));
    if (lacking.length === 0) return [];
    const people = lacking.length;
    const examples = lacking.slice(0, NAMED_MAX).map(({ email }) => email);
    const params = { variable: `{{${name}}}`, people, looked: readers.length };
    return [problem(path, "variable_missing", { ...params, examples: examples.join(", ") })];
  });
}

const isEmpty = (value: unknown) => value === undefined || value === null || value === "";

function valueAt(value: unknown, [first, ...rest]: string[]): unknown {
  if (first === undefined) return value;
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, first)) return undefined;
  return valueAt((value as Record<string, unknown>)[first], rest);
}
