import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { PostriderError } from "./client.ts";
import { sessionEnded } from "./session-state.ts";

/** Opens the login dialog over the page if the session ends while the user works on it. */
function noticeEnd(error: unknown) {
  if (error instanceof PostriderError && error.status === 401) sessionEnded.report();
}

/** Cache of API responses. Retries are up to the client. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeEnd }),
  mutationCache: new MutationCache({ onError: noticeEnd }),
  defaultOptions: {
    queries: { retry: false, staleTime: 10_000 },
    mutations: { retry: false, networkMode: "always" },
  },
});
