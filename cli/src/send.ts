import { readFileSync } from "node:fs";
import { Failure, UsageError } from "./failure.ts";
import { print } from "./output.ts";
import { projectOf, type Session } from "./session.ts";

interface SendOptions {
  to?: string[] | undefined;
  from?: string | undefined;
  subject?: string | undefined;
  html?: string | undefined;
  text?: string | undefined;
  template?: string | undefined;
  data?: string | undefined;
  "idempotency-key"?: string | undefined;
  project?: string | undefined;
  json: boolean;
}

/** Reads a file, or standard input for "-". */
export const readInput = (file: string): string => readFileSync(file === "-" ? 0 : file, "utf8");

/** Sends one email from HTML, text or a template. */
export async function send(session: Session, options: SendOptions): Promise<void> {
  const { to = [], from, subject, html, text, template, json } = options;
  if (to.length === 0) throw new UsageError("send needs --to");
  const isRaw = html !== undefined || text !== undefined;
  if (isRaw === (template !== undefined))
    throw new UsageError("send needs either --template or --html and --text");
  const projectId = await projectOf(session, options.project);
  const mail = { to, ...(from === undefined ? {} : { from }) };
  const key = options["idempotency-key"];
  const call = key === undefined ? {} : { idempotencyKey: key };
  const { projects } = session.client;
  if (template === undefined) {
    if (subject === undefined) throw new UsageError("send needs --subject");
    if (options.data !== undefined) throw new UsageError("--data needs --template");
    const content = {
      ...(html === undefined ? {} : { html_body: readInput(html) }),
      ...(text === undefined ? {} : { text_body: readInput(text) }),
    };
    const sent = await projects.send({ projectId, body: { ...mail, subject, ...content } }, call);
    print(json, sent, sent.id);
    return;
  }
  const known = await projects.templates.list({ projectId, fields: "summary" });
  const [found, other] = known.filter(({ name }) => name === template);
  if (!found) throw new Failure(`there is no template "${template}"`, "not_found");
  if (other) throw new Failure(`several templates are named "${template}"`, "ambiguous");
  const body = {
    ...mail,
    template_id: found.id,
    ...(subject === undefined ? {} : { subject }),
    ...(options.data === undefined ? {} : { data: dataOf(options.data) }),
  };
  const sent = await projects.send({ projectId, body }, call);
  print(json, sent, sent.id);
}

/** Parses variables: JSON, or "@file" with JSON. */
function dataOf(given: string): Record<string, unknown> {
  try {
    return JSON.parse(given.startsWith("@") ? readInput(given.slice(1)) : given);
  } catch (error) {
    if (error instanceof SyntaxError) throw new UsageError(`--data: ${error.message}`);
    throw error;
  }
}
