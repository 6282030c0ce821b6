import { queryClient } from "../../../api/query-client.ts";
import { brandQuery } from "../../../parts/brand/brand-query.ts";
import { inBrand } from "./brand-draft.ts";
import { newMailHtml, type Draft } from "./new-mail.ts";

/** Returns the HTML of a new mail in the brand of a project. */
export async function brandedHtml(draft: Draft, projectId: string): Promise<string> {
  const brand = await queryClient.fetchQuery({ ...brandQuery(projectId), staleTime: 0 });
  return newMailHtml(inBrand(draft, brand.value));
}
