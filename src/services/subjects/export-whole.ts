import type { Ctx } from "../../context.ts";
import type { ProjectRow } from "../access/index.ts";
import { exportAddress, type AddressExport, type ExportPlace } from "./export-address.ts";

/** The mails, or broadcasts, of one page, and the most pages: seven round trips each at the most. */
const MAILS_PER_PAGE = 100;
const MOST_PAGES = 100;

/**
 * Yields all pages of the export of an address, as a caller takes them. After the hundredth page it ends,
 * and `next` of the last one is not null then. The caller authorises it.
 */
export async function* exportWhole(
  ctx: Ctx,
  project: ProjectRow,
  email: string,
): AsyncGenerator<AddressExport, void, undefined> {
  let after: ExportPlace | null = null;
  for (let n = 0; n < MOST_PAGES; n += 1) {
    const page: AddressExport = await exportAddress(
      ctx,
      project,
      { email },
      { after, limit: MAILS_PER_PAGE },
    );
    yield page;
    if (page.next === null) return;
    after = page.next;
  }
}
