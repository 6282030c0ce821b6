import type { Ctx } from "../../context.ts";
import type { ProjectRow } from "../access/index.ts";
import {
  exportAddress,
  type AddressExport,
  type ExportPlace,
  type ExportSubject,
} from "./export-address.ts";

/**
 * The mails, or broadcasts, of one page, and the most pages: seven round trips each at the most.
 */
const WHOLE = { perPage: 100, pages: 100 };

/**
 * Yields all pages of the export of a subject, as a caller takes them. After the last page that the
 * bounds allow it ends, and `next` of that page is not null then. The caller authorises it.
 */
export async function* exportWhole(
  ctx: Ctx,
  project: ProjectRow,
  subject: ExportSubject,
  { perPage, pages } = WHOLE,
): AsyncGenerator<AddressExport, void, undefined> {
  let after: ExportPlace | null = null;
  for (let n = 0; n < pages; n += 1) {
    const page: AddressExport = await exportAddress(ctx, project, subject, {
      after,
      limit: perPage,
    });
    yield page;
    if (page.next === null) return;
    after = page.next;
  }
}
