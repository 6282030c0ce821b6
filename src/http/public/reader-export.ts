import { exportWhole } from "../../services/privacy/index.ts";
import type { Reader } from "../../services/preferences/index.ts";
import type { Ctx } from "../../context.ts";
import { presentExport } from "../project/address-export.ts";

/**
 * Yields the export of an address (API reference §12.12) as one JSON text for its owner, page by
 * page, within the service's limits unless the caller passes others. A mail whose clicks span
 * several pages is one object. Omits what may be another person's data: recipients of copies, and
 * the clients of visits, because mails are forwarded.
 */
export async function* exportForReader(
  ctx: Ctx,
  reader: Reader,
  bounds?: { perPage: number; pages: number },
): AsyncGenerator<Uint8Array, void, undefined> {
  const encoder = new TextEncoder();
  let openMail: string | undefined;
  let isComplete = false;
  const { project, subscriber, consents, history } = reader;
  const subject = { email: subscriber.email, consents: { consents, history } };
  for await (const page of exportWhole(ctx, project, subject, bounds)) {
    const { mails, next, ...about } = presentExport(page);
    let text = page.about ? `${JSON.stringify(about).slice(0, -1)},"mails":[` : "";
    for (const mail of mails) {
      const { clicks, ...fields } = ownPartOf(mail);
      const list = clicks.map((click) => JSON.stringify(click)).join();
      if (mail.id === openMail) text += list === "" ? "" : `,${list}`;
      else {
        const start = `${JSON.stringify(fields).slice(0, -1)},"clicks":[`;
        text += `${openMail === undefined ? "" : "]},"}${start}${list}`;
      }
      openMail = mail.id;
    }
    yield encoder.encode(text);
    isComplete = next === null;
  }
  yield encoder.encode(`${openMail === undefined ? "" : "]}"}],"is_complete":${isComplete}}`);
}

type PresentedMail = ReturnType<typeof presentExport>["mails"][number];

/** Returns the part of a mail that its reader may see; JSON omits undefined fields. */
const ownPartOf = (mail: PresentedMail) => ({
  ...mail,
  copies: undefined,
  opens: mail.opens.map(({ at, class: by }) => ({ at, class: by })),
  clicks: mail.clicks.map(({ at, class: by, url }) => ({ at, url: withoutQuery(url), class: by })),
});

/** A personalized link may carry a token in its query or fragment, and mails are forwarded. */
const withoutQuery = (url: string): string => url.replace(/[?#].*$/s, "");
