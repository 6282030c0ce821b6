import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { PostriderError } from "./client.ts";
import { sessionEnded } from "./session-state.ts";

/** Opens the login over the page when a session ended while somebody works on it. */
function noticeEnd(error: unknown) {
  if (error instanceof PostriderError && error.status === 401) sessionEnded.report();
}

/** The answers of the API in memory. The client itself repeats calls that may be repeated. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeEnd }),
  mutationCache: new MutationCache({ onError: noticeEnd }),
  defaultOptions: {
    queries: { retry: false, staleTime: 10_000 },
    mutations: { retry: false, networkMode: "always" },
  },
});
