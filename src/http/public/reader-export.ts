import { exportWhole } from "../../services/subjects/index.ts";
import type { Reader } from "../../services/preferences/index.ts";
import type { Ctx } from "../../context.ts";
import { presentExport } from "../project/address-export.ts";

/**
 * Yields the export of an address (API reference §12.20) as one JSON text for its reader, page by
 * page, within the bounds of the service unless a caller gives others. Its mails leave out what may be another person's: recipients of copies, and the clients of visits, for
 * a mail can be forwarded.
 */
export async function* exportForReader(
  ctx: Ctx,
  reader: Reader,
  bounds?: { perPage: number; pages: number },
): AsyncGenerator<Uint8Array, void, undefined> {
  const encoder = new TextEncoder();
  let mailsSoFar = 0;
  let isComplete = false;
  const { project, subscriber, consents, history } = reader;
  const subject = { email: subscriber.email, consents: { consents, history } };
  for await (const page of exportWhole(ctx, project, subject, bounds)) {
    const { mails, next, ...about } = presentExport(page);
    const start = page.about ? `${JSON.stringify(about).slice(0, -1)},"mails":[` : "";
    const texts = mails.map((mail) => JSON.stringify(ownPartOf(mail)));
    const comma = mailsSoFar > 0 && texts.length > 0 ? "," : "";
    yield encoder.encode(`${start}${comma}${texts.join()}`);
    mailsSoFar += texts.length;
    isComplete = next === null;
  }
  yield encoder.encode(`],"is_complete":${isComplete}}`);
}

type PresentedMail = ReturnType<typeof presentExport>["mails"][number];

/** Returns a mail as its reader sees it; JSON omits what is undefined. */
const ownPartOf = (mail: PresentedMail) => ({
  ...mail,
  copies: undefined,
  opens: mail.opens.map(({ at, class: by }) => ({ at, class: by })),
  clicks: mail.clicks.map(({ at, class: by, url }) => ({ at, url, class: by })),
});
