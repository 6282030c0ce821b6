import { errorOf } from "../../../client/src/errors.ts";
import { PostriderError } from "./client.ts";

export type CsvFilters = Record<string, string | undefined>;

/** Loads a complete list as CSV with the filters of its page (API reference §1.4). */
export async function loadCsv(path: string, filters: CsvFilters): Promise<Blob> {
  const url = new URL(`/api/v1/${path}`, location.origin);
  for (const [name, value] of Object.entries(filters))
    if (value !== undefined && name !== "after") url.searchParams.set(name, value);
  const failed = (error: unknown) => {
    throw new PostriderError(String(error), "network");
  };
  const response = await fetch(url, { headers: { Accept: "text/csv" } }).catch(failed);
  if (!response.ok) throw await errorOf(response);
  // an aborted response is incomplete and must not become a file
  return response.blob().catch(failed);
}
