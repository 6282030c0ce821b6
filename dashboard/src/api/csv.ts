import { errorOf } from "../../../client/src/errors.ts";
import { PostriderError } from "./client.ts";

export type CsvFilters = Record<string, string | undefined>;

/** Loads a whole list as CSV under the filters of its page (API reference §1.4). */
export async function loadCsv(path: string, filters: CsvFilters): Promise<Blob> {
  const url = new URL(`/api/v1/${path}`, location.origin);
  for (const [name, value] of Object.entries(filters))
    if (value !== undefined && name !== "after") url.searchParams.set(name, value);
  const failed = (error: unknown) => {
    throw new PostriderError(String(error), "network");
  };
  const response = await fetch(url, { headers: { Accept: "text/csv" } }).catch(failed);
  if (!response.ok) throw await errorOf(response);
  // an answer that breaks off is not complete, and no part of it becomes a file
  return response.blob().catch(failed);
}
