import type { Ctx } from "../../context.ts";
import type { ProjectRow } from "../access/index.ts";
import {
  exportAddress,
  type AddressExport,
  type ExportPlace,
  type ExportSubject,
} from "./export-address.ts";

/**
 * The number of mails or broadcasts per page, and the maximum number of pages: at most seven round
 * trips each.
 */
const WHOLE = { perPage: 100, pages: 100 };

/**
 * Yields all pages of the export of a subject on demand. Ends after the maximum number of pages,
 * whose last `next` is then not null. The caller authorizes it.
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
